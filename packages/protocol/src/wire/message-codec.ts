// Turns the descriptor of a message into functions that write and read it, once per type. The messages are
// those of the generated code, so that protobuf-es's own functions work on them too.
import type { DescField, DescMessage, DescOneof } from '@bufbuild/protobuf';
import { FeatureSet_FieldPresence } from '@bufbuild/protobuf/wkt';
import type { JsonValue } from '../domain/json.js';
import { checkJsonValue, describeValue } from '../json/check.js';
import { MAX_MESSAGE_DEPTH } from '../json/limits.js';
import { setOwn } from '../json/own.js';
import { BytesProblem } from './errors.js';
import { type ByteReader, LENGTH } from './reader.js';
import { ENUM, type ScalarCodec, scalarCodec } from './scalars.js';
import { NotJson, readStruct, writeStruct } from './struct.js';
import { EncodeProblem, type MessageReader, type MessageWriter } from './state.js';

export type AnyMessage = Record<string, unknown>;

/** How one message type is coded. */
export interface MessageCodec {
  readonly typeName: string;
  /** A message in which nothing is set. */
  readonly zero: () => AnyMessage;
  readonly write: (writer: MessageWriter, message: AnyMessage) => void;
  /** Reads up to `reader.end` into a message; fields that are there already are merged. */
  readonly read: (reader: MessageReader, message: AnyMessage) => void;
}

/** How one value (of a field, an item, a map's value) is coded, without its tag. */
interface ValueCodec {
  readonly wireType: number;
  readonly zero: () => unknown;
  readonly write: (writer: MessageWriter, value: unknown) => void;
  readonly read: (reader: MessageReader, before: unknown) => unknown;
}

interface FieldCodec {
  readonly name: string;
  readonly number: number;
  readonly write: (writer: MessageWriter, message: AnyMessage) => void;
  readonly read: (reader: MessageReader, wireType: number, message: AnyMessage) => void;
}

const { IMPLICIT } = FeatureSet_FieldPresence;
const known = new WeakMap<DescMessage, MessageCodec>();

/** The codec of a message type. */
export function messageCodec(desc: DescMessage): MessageCodec {
  const found = known.get(desc);
  if (found !== undefined) return found;
  // Types refer to themselves: the codec is known before its fields are made.
  const fields: FieldCodec[] = [];
  const byNumber: FieldCodec[] = [];
  const codec: MessageCodec = {
    typeName: desc.typeName,
    zero: zeroOf(desc),
    write: (writer, message) => writeFields(writer, message, fields),
    read: (reader, message) => readFields(reader, message, byNumber),
  };
  known.set(desc, codec);
  for (const field of [...desc.fields].sort((a, b) => a.number - b.number)) {
    const made = fieldCodec(field);
    fields.push(made);
    byNumber[field.number] = made;
  }
  return codec;
}

function writeFields(writer: MessageWriter, message: AnyMessage, fields: FieldCodec[]): void {
  if (++writer.depth > MAX_MESSAGE_DEPTH) {
    throw new EncodeProblem(`messages are nested deeper than ${MAX_MESSAGE_DEPTH} levels`);
  }
  for (const field of fields) {
    writer.path[writer.depth - 1] = field.name;
    field.write(writer, message);
  }
  const unknown = message['$unknown'];
  if (unknown !== undefined) writeUnknown(writer, unknown as readonly UnknownField[]);
  writer.depth--;
}

interface UnknownField {
  readonly no: number;
  readonly wireType: number;
  readonly data: Uint8Array;
}

function writeUnknown(writer: MessageWriter, unknown: readonly UnknownField[]): void {
  for (const { no, wireType, data } of unknown) {
    writer.bytes.varint((no << 3) | wireType);
    writer.bytes.raw(data);
  }
}

function readFields(reader: MessageReader, message: AnyMessage, byNumber: FieldCodec[]): void {
  const { bytes } = reader;
  if (++reader.depth > MAX_MESSAGE_DEPTH) {
    throw new BytesProblem(`messages are nested deeper than ${MAX_MESSAGE_DEPTH} levels`);
  }
  while (bytes.at < bytes.end) {
    const tag = bytes.tag();
    const field = byNumber[tag >>> 3];
    if (field === undefined) {
      keepUnknown(bytes, tag, message);
    } else {
      reader.path[reader.depth - 1] = field.name;
      field.read(reader, tag & 7, message);
    }
  }
  reader.depth--;
}

function keepUnknown(bytes: ByteReader, tag: number, message: AnyMessage): void {
  const no = tag >>> 3;
  const wireType = tag & 7;
  const field: UnknownField = { no, wireType, data: bytes.skip(no, wireType) };
  const before = message['$unknown'] as UnknownField[] | undefined;
  if (before === undefined) message['$unknown'] = [field];
  else before.push(field);
}

function zeroOf(desc: DescMessage): () => AnyMessage {
  const template: AnyMessage = { $typeName: desc.typeName };
  const fresh: (readonly [string, () => unknown])[] = [];
  for (const member of desc.members) {
    const make = zeroMember(member);
    // An absent field is there with the value undefined: all messages of a type have one shape then, which
    // makes reading one more than twice as fast.
    if (make === undefined) {
      template[member.localName] = undefined;
      continue;
    }
    const value = make();
    template[member.localName] = value;
    if (typeof value === 'object') fresh.push([member.localName, make]);
  }
  return () => {
    const message = { ...template };
    for (const [name, make] of fresh) message[name] = make();
    return message;
  };
}

function zeroMember(member: DescField | DescOneof): (() => unknown) | undefined {
  if (member.kind === 'oneof') return () => ({ case: undefined });
  switch (member.fieldKind) {
    case 'list':
      return () => [];
    case 'map':
      return () => ({});
    case 'message':
      return undefined;
    case 'enum':
      return member.presence === IMPLICIT ? ENUM.zero : undefined;
    case 'scalar':
      return member.presence === IMPLICIT ? scalarCodec(member, member.scalar).zero : undefined;
  }
}

function fieldCodec(field: DescField): FieldCodec {
  switch (field.fieldKind) {
    case 'list':
      return listField(field);
    case 'map':
      return mapField(field);
    case 'message':
      return singularField(field, messageValue(field.message, isStruct(field)));
    case 'enum':
      return singularField(field, scalarValue(ENUM), ENUM);
    case 'scalar': {
      const scalar = scalarCodec(field, field.scalar);
      return singularField(field, scalarValue(scalar), scalar);
    }
  }
}

/** Struct is plain JSON wherever it is a field, as in the generated code. */
function isStruct(field: DescField): boolean {
  return (
    field.message?.typeName === 'google.protobuf.Struct' &&
    field.parent.typeName !== 'google.protobuf.Value'
  );
}

function scalarValue(scalar: ScalarCodec): ValueCodec {
  return {
    wireType: scalar.wireType,
    zero: scalar.zero,
    write: (writer, value) => {
      const expected = scalar.expected(value);
      if (expected !== undefined) {
        throw new EncodeProblem(`expected ${expected}, got ${describeValue(value)}`);
      }
      scalar.write(writer.bytes, value as never);
    },
    read: (reader) => scalar.read(reader.bytes),
  };
}

function messageValue(desc: DescMessage, struct: boolean): ValueCodec {
  if (struct) return STRUCT;
  const codec = messageCodec(desc);
  return {
    wireType: LENGTH,
    zero: () => codec.zero(),
    write: (writer, value) => {
      if (typeof value !== 'object' || value === null) {
        throw new EncodeProblem(`expected a ${codec.typeName}, got ${describeValue(value)}`);
      }
      const start = writer.bytes.begin();
      codec.write(writer, value as AnyMessage);
      writer.bytes.end(start);
    },
    read: (reader, before) => {
      const { bytes } = reader;
      const outer = bytes.end;
      bytes.end = bytes.length() + bytes.at;
      const message = (before as AnyMessage | undefined) ?? codec.zero();
      codec.read(reader, message);
      bytes.end = outer;
      return message;
    },
  };
}

const STRUCT: ValueCodec = {
  wireType: LENGTH,
  zero: () => ({}),
  write: (writer, value) => {
    const start = writer.bytes.begin();
    try {
      writeStruct(writer.bytes, value as object, 0);
    } catch (error) {
      if (!(error instanceof NotJson)) throw error;
      const checked = checkJsonValue(value);
      throw new EncodeProblem('not JSON', checked.ok ? [] : checked.violations);
    }
    writer.bytes.end(start);
  },
  read: (reader, before) => {
    const { bytes } = reader;
    const outer = bytes.end;
    bytes.end = bytes.length() + bytes.at;
    const value = readStruct(bytes, (before as Record<string, JsonValue> | undefined) ?? {}, 0);
    bytes.end = outer;
    return value;
  },
};

function writeTag(writer: MessageWriter, tag: number): void {
  if (tag < 0x80) writer.bytes.byte(tag);
  else writer.bytes.varint(tag);
}

function checkWireType(got: number, own: number): void {
  if (got !== own) {
    throw new BytesProblem(
      `wire type ${got} (${WIRE_TYPES[got] ?? 'none that exists'}) where the field has ${own} (${WIRE_TYPES[own]})`,
    );
  }
}

const WIRE_TYPES: readonly string[] = [
  'varint',
  '64 bits',
  'length-delimited',
  'group start',
  'group end',
  '32 bits',
];

function singularField(field: DescField, value: ValueCodec, scalar?: ScalarCodec): FieldCodec {
  const { localName, number, name } = field;
  const tag = (number << 3) | value.wireType;
  if (field.oneof !== undefined) return oneofField(field, field.oneof.localName, value);
  const skipZero = scalar !== undefined && field.presence === IMPLICIT;
  return {
    name,
    number,
    write: (writer, message) => {
      const set = message[localName];
      if (skipZero ? scalar.isZero(set) : set === undefined) return;
      writeTag(writer, tag);
      value.write(writer, set);
    },
    read: (reader, wireType, message) => {
      checkWireType(wireType, value.wireType);
      message[localName] = value.read(reader, message[localName]);
    },
  };
}

interface OneofValue {
  readonly case: string | undefined;
  readonly value?: unknown;
}

function oneofField(field: DescField, oneof: string, value: ValueCodec): FieldCodec {
  const { localName, number, name } = field;
  const tag = (number << 3) | value.wireType;
  return {
    name,
    number,
    write: (writer, message) => {
      const set = message[oneof] as OneofValue;
      if (set.case !== localName) return;
      writeTag(writer, tag);
      value.write(writer, set.value);
    },
    read: (reader, wireType, message) => {
      checkWireType(wireType, value.wireType);
      const before = message[oneof] as OneofValue;
      message[oneof] = {
        case: localName,
        value: value.read(reader, before.case === localName ? before.value : undefined),
      };
    },
  };
}

function listField(field: DescField & { fieldKind: 'list' }): FieldCodec {
  const { localName, number, name } = field;
  const value =
    field.listKind === 'message'
      ? messageValue(field.message, isStruct(field))
      : scalarValue(field.listKind === 'enum' ? ENUM : scalarCodec(field, field.scalar));
  const packable = value.wireType !== LENGTH;
  const tag = (number << 3) | (packable && field.packed ? LENGTH : value.wireType);
  return {
    name,
    number,
    write: (writer, message) => {
      const items = message[localName] as readonly unknown[];
      if (items.length === 0) return;
      if (packable && field.packed) {
        writeTag(writer, tag);
        const start = writer.bytes.begin();
        for (const item of items) value.write(writer, item);
        writer.bytes.end(start);
        return;
      }
      for (const item of items) {
        writeTag(writer, tag);
        value.write(writer, item);
      }
    },
    read: (reader, wireType, message) => {
      const items = message[localName] as unknown[];
      const { bytes } = reader;
      if (packable && wireType === LENGTH) {
        const outer = bytes.end;
        bytes.end = bytes.length() + bytes.at;
        while (bytes.at < bytes.end) items.push(value.read(reader, undefined));
        bytes.end = outer;
        return;
      }
      checkWireType(wireType, value.wireType);
      items.push(value.read(reader, undefined));
    },
  };
}

function mapField(field: DescField & { fieldKind: 'map' }): FieldCodec {
  const { localName, number, name } = field;
  const key = scalarCodec(field, field.mapKey);
  const value =
    field.mapKind === 'message'
      ? messageValue(field.message, isStruct(field))
      : scalarValue(field.mapKind === 'enum' ? ENUM : scalarCodec(field, field.scalar));
  const tag = (number << 3) | LENGTH;
  const keyTag = (1 << 3) | key.wireType;
  const valueTag = (2 << 3) | value.wireType;
  return {
    name,
    number,
    write: (writer, message) => {
      for (const [entryKey, item] of Object.entries(message[localName] as object)) {
        writeTag(writer, tag);
        const start = writer.bytes.begin();
        writer.bytes.byte(keyTag);
        key.write(writer.bytes, entryKey as never);
        writer.bytes.byte(valueTag);
        value.write(writer, item);
        writer.bytes.end(start);
      }
    },
    read: (reader, wireType, message) => {
      checkWireType(wireType, LENGTH);
      const { bytes } = reader;
      const outer = bytes.end;
      bytes.end = bytes.length() + bytes.at;
      let entryKey = '';
      let item: unknown;
      while (bytes.at < bytes.end) {
        const got = bytes.tag();
        if (got === keyTag) entryKey = String(key.read(bytes));
        else if (got === valueTag) item = value.read(reader, undefined);
        else if (got >>> 3 <= 2)
          checkWireType(got & 7, got >>> 3 === 1 ? key.wireType : value.wireType);
        else bytes.skip(got >>> 3, got & 7);
      }
      bytes.end = outer;
      setOwn(message[localName] as Record<string, unknown>, entryKey, item ?? value.zero());
    },
  };
}
