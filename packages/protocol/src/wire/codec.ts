// Bytes ↔ messages, for every message of the protocol. Use these, never protobuf-es's toBinary and fromBinary:
// those take a known field of another wire type for something else, let a length run beyond its message, lose
// keys named `__proto__`, turn undefined and bigint into null, let NaN pass, stop at 49 levels of JSON, and
// give views of the frame instead of copies.
import type { DescMessage, MessageShape } from '@bufbuild/protobuf';
import type { Violation } from '../domain/event.js';
import type { JsonObject } from '../domain/json.js';
import { checkJson } from '../json/check.js';
import { pointerOf } from '../json/pointer.js';
import { BytesProblem, WireDecodeError, WireEncodeError } from './errors.js';
import { type AnyMessage, type MessageCodec, messageCodec } from './message-codec.js';
import { ByteReader } from './reader.js';
import { EncodeProblem, type MessageReader, type MessageWriter } from './state.js';
import { NotJson, readStruct, writeStruct } from './struct.js';
import { ByteWriter } from './writer.js';

// One writer is kept, as its buffer is worth keeping. It is taken out while in use: a getter in somebody's
// arguments may encode another message in the middle of this one.
let idle: ByteWriter | undefined;

function withWriter<T>(use: (writer: ByteWriter) => T): T {
  const writer = idle ?? new ByteWriter();
  idle = undefined;
  try {
    return use(writer);
  } finally {
    writer.reset();
    idle = writer;
  }
}

/**
 * Encodes a message.
 *
 * @throws WireEncodeError when it cannot be written exactly: JSON that is not JSON (`checkJson` says what is),
 * a number that is no integer of 32 bits where one is needed. Lone surrogates in texts outside of JSON become
 * U+FFFD: an error message is better garbled than lost.
 */
export function encodeMessage<D extends DescMessage>(desc: D, message: MessageShape<D>): Buffer {
  const codec = messageCodec(desc);
  return withWriter((bytes) => {
    const writer: MessageWriter = { bytes, path: [], depth: 0 };
    try {
      codec.write(writer, message);
      return bytes.finish();
    } catch (error) {
      if (!(error instanceof EncodeProblem)) throw error;
      throw new WireEncodeError(codec.typeName, problemsOf(error, writer));
    }
  });
}

function problemsOf(error: EncodeProblem, writer: MessageWriter): Violation[] {
  const pointer = pointerOf(writer.path, writer.depth);
  if (error.violations.length === 0) {
    return [{ requirement: 'ERR-03', pointer, message: error.message }];
  }
  return error.violations.map((found) => ({ ...found, pointer: `${pointer}${found.pointer}` }));
}

/**
 * Decodes a message of a peer. Bytes and texts are copies; fields that are absent are undefined; unknown
 * fields are kept in `$unknown`; NaN in JSON is kept as it is, for the converters to report.
 *
 * @throws WireDecodeError for everything else that is wrong, whatever the bytes are: truncation, a known field
 * of another wire type, text that is not UTF-8, JSON deeper than MAX_JSON_DEPTH.
 */
export function decodeMessage<D extends DescMessage>(desc: D, bytes: Uint8Array): MessageShape<D> {
  const codec = messageCodec(desc);
  // Made from the descriptor of exactly this type.
  return readWhole(codec, bytes) as MessageShape<D>;
}

function readWhole(codec: MessageCodec, bytes: Uint8Array): AnyMessage {
  const reader: MessageReader = { bytes: new ByteReader(bytes), path: [], depth: 0 };
  const message = codec.zero();
  try {
    codec.read(reader, message);
  } catch (error) {
    if (!(error instanceof BytesProblem)) throw error;
    const pointer = pointerOf(reader.path, reader.depth);
    throw new WireDecodeError(codec.typeName, pointer, error.message);
  }
  return message;
}

/** A JSON object as the bytes of a google.protobuf.Struct. @throws WireEncodeError */
export function structToWire(value: JsonObject): Buffer {
  return withWriter((bytes) => {
    try {
      writeStruct(bytes, value, 0);
      return bytes.finish();
    } catch (error) {
      if (!(error instanceof NotJson)) throw error;
      const checked = checkJson(value);
      throw new WireEncodeError('google.protobuf.Struct', checked.ok ? [] : checked.violations);
    }
  });
}

/** The JSON object of the bytes of a google.protobuf.Struct. @throws WireDecodeError */
export function structFromWire(bytes: Uint8Array): JsonObject {
  try {
    return readStruct(new ByteReader(bytes), {}, 0);
  } catch (error) {
    if (!(error instanceof BytesProblem)) throw error;
    throw new WireDecodeError('google.protobuf.Struct', '', error.message);
  }
}
