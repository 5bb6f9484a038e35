// google.protobuf.Struct straight from and to JSON values. The generated code would do it through messages of
// each value, lose keys named `__proto__`, turn undefined and bigint into null and let NaN pass.
import type { JsonObject, JsonValue } from '../domain/json.js';
import { isPlain } from '../json/check.js';
import { MAX_JSON_DEPTH } from '../json/limits.js';
import { setOwn } from '../json/own.js';
import { BytesProblem } from './errors.js';
import { BIT64, type ByteReader, LENGTH, VARINT } from './reader.js';
import type { ByteWriter } from './writer.js';

// Tags: field number << 3 | wire type. Struct.fields, the key of its entries and ListValue.values are all
// field 1; the value of an entry is field 2.
const FIELD_1 = (1 << 3) | LENGTH;
const ENTRY_VALUE = (2 << 3) | LENGTH;
const NULL_VALUE = (1 << 3) | VARINT;
const NUMBER_VALUE = (2 << 3) | BIT64;
const STRING_VALUE = (3 << 3) | LENGTH;
const BOOL_VALUE = (4 << 3) | VARINT;
const STRUCT_VALUE = (5 << 3) | LENGTH;
const LIST_VALUE = (6 << 3) | LENGTH;

/** Thrown for what is not JSON; the codec then lists every problem with checkJson. */
export class NotJson extends Error {}

/** Writes the fields of a Struct. @throws NotJson */
export function writeStruct(writer: ByteWriter, value: object, depth: number): void {
  if (depth >= MAX_JSON_DEPTH || Array.isArray(value) || !isPlain(value)) throw new NotJson();
  for (const key of Object.keys(value)) {
    writer.byte(FIELD_1);
    const entry = writer.begin();
    writer.byte(FIELD_1);
    if (!writer.exactText(key)) throw new NotJson();
    writer.byte(ENTRY_VALUE);
    const start = writer.begin();
    writeValue(writer, (value as Record<string, unknown>)[key], depth + 1);
    writer.end(start);
    writer.end(entry);
  }
}

function writeValue(writer: ByteWriter, value: unknown, depth: number): void {
  switch (typeof value) {
    case 'string':
      writer.byte(STRING_VALUE);
      if (!writer.exactText(value)) throw new NotJson();
      return;
    case 'number':
      if (!Number.isFinite(value)) throw new NotJson();
      writer.byte(NUMBER_VALUE);
      writer.double(value);
      return;
    case 'boolean':
      writer.byte(BOOL_VALUE);
      writer.byte(value ? 1 : 0);
      return;
    case 'object':
      if (value === null) {
        writer.byte(NULL_VALUE);
        writer.byte(0);
      } else if (Array.isArray(value)) {
        writeList(writer, value, depth);
      } else {
        writer.byte(STRUCT_VALUE);
        const start = writer.begin();
        writeStruct(writer, value, depth);
        writer.end(start);
      }
      return;
    default:
      throw new NotJson();
  }
}

function writeList(writer: ByteWriter, items: readonly unknown[], depth: number): void {
  if (depth >= MAX_JSON_DEPTH) throw new NotJson();
  writer.byte(LIST_VALUE);
  const list = writer.begin();
  for (let i = 0; i < items.length; i++) {
    writer.byte(FIELD_1);
    const start = writer.begin();
    writeValue(writer, items[i], depth + 1);
    writer.end(start);
  }
  writer.end(list);
}

/** Reads the fields of a Struct up to `reader.end`, into `target`. NaN and infinities are kept as they are. */
export function readStruct(
  reader: ByteReader,
  target: Record<string, JsonValue>,
  depth: number,
): JsonObject {
  if (depth >= MAX_JSON_DEPTH) throw tooDeep();
  while (reader.at < reader.end) {
    const tag = reader.tag();
    if (tag === FIELD_1) readEntry(reader, target, depth);
    else skipUnknown(reader, tag, 1, 'Struct');
  }
  return target;
}

function readEntry(reader: ByteReader, target: Record<string, JsonValue>, depth: number): void {
  const outer = reader.end;
  reader.end = reader.length() + reader.at;
  let key = '';
  let value: JsonValue = null;
  while (reader.at < reader.end) {
    const tag = reader.tag();
    if (tag === FIELD_1) key = reader.text();
    else if (tag === ENTRY_VALUE) value = readValue(reader, depth + 1);
    else skipUnknown(reader, tag, 2, 'Struct');
  }
  reader.end = outer;
  setOwn(target, key, value);
}

/** A Value in which nothing is set is null, as Go reads it. */
function readValue(reader: ByteReader, depth: number): JsonValue {
  const outer = reader.end;
  reader.end = reader.length() + reader.at;
  let value: JsonValue = null;
  while (reader.at < reader.end) {
    const tag = reader.tag();
    switch (tag) {
      case NULL_VALUE:
        reader.varint();
        value = null;
        break;
      case NUMBER_VALUE:
        value = reader.double();
        break;
      case STRING_VALUE:
        value = reader.text();
        break;
      case BOOL_VALUE:
        value = reader.bool();
        break;
      case STRUCT_VALUE: {
        const end = reader.end;
        reader.end = reader.length() + reader.at;
        value = readStruct(reader, {}, depth);
        reader.end = end;
        break;
      }
      case LIST_VALUE: {
        const end = reader.end;
        reader.end = reader.length() + reader.at;
        value = readList(reader, depth);
        reader.end = end;
        break;
      }
      default:
        skipUnknown(reader, tag, 6, 'Value');
    }
  }
  reader.end = outer;
  return value;
}

function readList(reader: ByteReader, depth: number): JsonValue[] {
  if (depth >= MAX_JSON_DEPTH) throw tooDeep();
  const items: JsonValue[] = [];
  while (reader.at < reader.end) {
    const tag = reader.tag();
    if (tag === FIELD_1) items.push(readValue(reader, depth + 1));
    else skipUnknown(reader, tag, 1, 'ListValue');
  }
  return items;
}

function skipUnknown(reader: ByteReader, tag: number, lastKnown: number, message: string): void {
  const number = tag >>> 3;
  if (number <= lastKnown) {
    throw new BytesProblem(
      `field ${number} of google.protobuf.${message} has wire type ${tag & 7}, which is not its own`,
    );
  }
  reader.skip(number, tag & 7);
}

function tooDeep(): BytesProblem {
  return new BytesProblem(`JSON is nested deeper than ${MAX_JSON_DEPTH} levels`);
}
