// How each scalar type of protobuf is written and read. Only those that the protocol uses are here.
import { type DescField, ScalarType } from '@bufbuild/protobuf';
import { BIT64, type ByteReader, LENGTH, VARINT } from './reader.js';
import type { ByteWriter } from './writer.js';

export interface ScalarCodec {
  readonly wireType: number;
  /** What the value is when the field is not there. */
  readonly zero: () => unknown;
  readonly isZero: (value: unknown) => boolean;
  /** Undefined when the value fits, else what was expected. */
  readonly expected: (value: unknown) => string | undefined;
  readonly write: (writer: ByteWriter, value: never) => void;
  readonly read: (reader: ByteReader) => unknown;
}

function codec<T>(
  wireType: number,
  zero: T,
  name: string,
  fits: (value: unknown) => boolean,
  write: (writer: ByteWriter, value: T) => void,
  read: (reader: ByteReader) => T,
): ScalarCodec {
  return {
    wireType,
    zero: () => zero,
    // -0 is a value of its own and must be sent.
    isZero: (value) => Object.is(value, zero),
    expected: (value) => (fits(value) ? undefined : name),
    write,
    read,
  };
}

function isInt32(value: unknown): boolean {
  return typeof value === 'number' && (value | 0) === value;
}

const INT32 = codec<number>(
  VARINT,
  0,
  'an integer of 32 bits',
  isInt32,
  (writer, value) => writer.int32(value),
  (reader) => reader.varint() | 0,
);

const CODECS: ReadonlyMap<ScalarType, ScalarCodec> = new Map<ScalarType, ScalarCodec>([
  [
    ScalarType.STRING,
    codec<string>(
      LENGTH,
      '',
      'a string',
      (value) => typeof value === 'string',
      (writer, value) => writer.text(value),
      (reader) => reader.text(),
    ),
  ],
  [
    ScalarType.BOOL,
    codec<boolean>(
      VARINT,
      false,
      'a boolean',
      (value) => typeof value === 'boolean',
      (writer, value) => writer.byte(value ? 1 : 0),
      (reader) => reader.bool(),
    ),
  ],
  [
    ScalarType.DOUBLE,
    codec<number>(
      BIT64,
      0,
      'a number',
      (value) => typeof value === 'number',
      (writer, value) => writer.double(value),
      (reader) => reader.double(),
    ),
  ],
  [ScalarType.INT32, INT32],
  [
    ScalarType.UINT32,
    codec<number>(
      VARINT,
      0,
      'an unsigned integer of 32 bits',
      (value) => typeof value === 'number' && value >>> 0 === value,
      (writer, value) => writer.varint(value),
      (reader) => reader.varint(),
    ),
  ],
  [
    ScalarType.INT64,
    codec<bigint>(
      VARINT,
      0n,
      'a bigint of 64 bits',
      (value) => typeof value === 'bigint' && BigInt.asIntN(64, value) === value,
      (writer, value) => writer.varint64(value),
      (reader) => BigInt.asIntN(64, reader.varint64()),
    ),
  ],
  [
    ScalarType.BYTES,
    {
      wireType: LENGTH,
      zero: () => new Uint8Array(0),
      isZero: (value) => value instanceof Uint8Array && value.byteLength === 0,
      expected: (value) => (value instanceof Uint8Array ? undefined : 'a Uint8Array'),
      write: (writer: ByteWriter, value: Uint8Array) => writer.bytes(value),
      read: (reader) => reader.bytes(),
    },
  ],
]);

/** The codec of enums: their numbers, also those that are not known here. */
export const ENUM: ScalarCodec = INT32;

/** @throws Error for a type that no message of the protocol uses; said when the first message is coded. */
export function scalarCodec(field: DescField, type: ScalarType): ScalarCodec {
  const found = CODECS.get(type);
  if (found === undefined) {
    throw new Error(`${String(field)} is of type ${ScalarType[type]}, for which there is no codec`);
  }
  return found;
}
