// The instances that the wire vectors are made of: of every message of our .proto files an empty one, a full
// one, and one for each variant of each oneof. Derived from the descriptors, so a new message joins by itself.
// `node interop/vectors/cases.mjs` writes cases.json.
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { create, createRegistry, isFieldSet, ScalarType, toJson } from '@bufbuild/protobuf';

const here = fileURLToPath(new URL('.', import.meta.url));
const generated = join(here, '..', '..', 'packages', 'protocol', 'dist', 'gen');

/** All descriptors of our packages. */
export async function registry() {
  const files = [];
  for (const top of ['pluggableharness', 'tenon']) {
    const below = readdirSync(join(generated, top), { recursive: true, encoding: 'utf8' });
    for (const name of below.filter((path) => path.endsWith('_pb.js')).sort()) {
      const module = await import(pathToFileURL(join(generated, top, name)).href);
      files.push(
        ...Object.entries(module).flatMap(([key, value]) =>
          key.startsWith('file_') ? [value] : [],
        ),
      );
    }
  }
  return createRegistry(...files);
}

// Keys in sorted order: a map has none on the wire, the peers sort it to get comparable bytes, we keep it.
const STRUCT = {
  deep: { deeper: { deepest: ['end'] } },
  empty: '',
  exact: 9007199254740992,
  large: 1e308,
  list: [1, 'two', [], {}],
  negative_zero: -0,
  nothing: null,
  text: 'grüße 世界 🎈',
  yes: true,
};

function scalar(field) {
  switch (field.scalar) {
    case ScalarType.STRING:
      return `${field.name} grüße 世界`;
    case ScalarType.BYTES:
      return Uint8Array.from([0, 255, 128, 10, 0xc3]);
    case ScalarType.BOOL:
      return true;
    case ScalarType.DOUBLE:
      return 0.1 + field.number;
    case ScalarType.INT64:
      return 9007199254740993n * BigInt(field.number);
    case ScalarType.INT32:
      return -1000 - field.number;
    default:
      return 4_000_000_000 + field.number;
  }
}

function lastValue(enumeration) {
  return enumeration.values[enumeration.values.length - 1].number;
}

function message(descriptor, depth) {
  switch (descriptor.typeName) {
    case 'google.protobuf.Struct':
      return STRUCT;
    case 'google.protobuf.Duration':
      return create(descriptor, { seconds: 90n, nanos: 500_000_000 });
    case 'google.protobuf.Timestamp':
      return create(descriptor, { seconds: 1_700_000_000n, nanos: 123_456_789 });
    default:
      return filled(descriptor, depth);
  }
}

/** A value for a field, or undefined where recursion ends. */
function valueOf(field, depth) {
  if (
    depth === 0 &&
    (field.message || field.listKind === 'message' || field.mapKind === 'message')
  ) {
    return undefined;
  }
  switch (field.fieldKind) {
    case 'scalar':
      return scalar(field);
    case 'enum':
      return lastValue(field.enum);
    case 'message':
      return message(field.message, depth - 1);
    case 'list': {
      const one =
        field.listKind === 'scalar'
          ? scalar(field)
          : field.listKind === 'enum'
            ? lastValue(field.enum)
            : message(field.message, depth - 1);
      return [one, one];
    }
    case 'map':
      return { a: message(field.message, depth - 1), 'key ü': message(field.message, depth - 1) };
    default:
      throw new Error(`no sample for ${field}`);
  }
}

/** Every field set; of each oneof the variant with this name, else its first. */
function filled(descriptor, depth, variant) {
  const init = {};
  for (const member of descriptor.members) {
    if (member.kind === 'oneof') {
      const field = member.fields.find((one) => one.name === variant) ?? member.fields[0];
      const value = valueOf(field, depth);
      if (value !== undefined) init[member.localName] = { case: field.localName, value };
    } else {
      const value = valueOf(member, depth);
      if (value !== undefined) init[member.localName] = value;
    }
  }
  return create(descriptor, init);
}

/** The enum of a singular or repeated enum field. */
function enumOf(field) {
  return field.fieldKind === 'enum' || field.listKind === 'enum' ? field.enum : undefined;
}

/** Every enum field holds a number that this version does not know. */
function later(descriptor) {
  const fields = descriptor.fields.filter((field) => enumOf(field) !== undefined);
  return create(
    descriptor,
    Object.fromEntries(
      fields.map((field) => [field.localName, field.fieldKind === 'list' ? [99] : 99]),
    ),
  );
}

function* instances(descriptor) {
  yield { label: 'empty', made: create(descriptor) };
  if (descriptor.fields.length > 0) yield { label: 'full', made: filled(descriptor, 3) };
  if (descriptor.fields.some((field) => enumOf(field) !== undefined)) {
    yield { label: 'values of a later version', made: later(descriptor) };
  }
  for (const oneof of descriptor.oneofs) {
    for (const field of oneof.fields.slice(1)) {
      const made = filled(descriptor, 3, field.name);
      if (isFieldSet(made, field)) yield { label: `full with ${field.name}`, made };
    }
  }
}

/** The list in cases.json: name, message type, and the instance in protobuf's JSON form. */
export function makeCases(types) {
  const cases = [];
  for (const descriptor of [...types].filter((type) => type.kind === 'message')) {
    if (descriptor.file.name.startsWith('google/')) continue;
    for (const { label, made } of instances(descriptor)) {
      cases.push({
        name: `${descriptor.typeName}: ${label}`,
        message: descriptor.typeName,
        json: toJson(descriptor, made, { registry: types }),
      });
    }
  }
  return cases.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The text of cases.json. */
export function serializeCases(cases) {
  // JSON.stringify drops the sign of zero, and Python reads "-0" as an integer.
  const json = JSON.stringify(cases, undefined, 1);
  return `${json.replaceAll('"negative_zero": 0', '"negative_zero": -0.0')}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const path = join(here, 'cases.json');
  writeFileSync(path, serializeCases(makeCases(await registry())));
}
