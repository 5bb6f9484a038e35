// Random JSON values and random messages of any type, for the property tests of this package.
import { type DescField, type DescMessage, ScalarType } from '@bufbuild/protobuf';
import { FeatureSet_FieldPresence } from '@bufbuild/protobuf/wkt';
import fc from 'fast-check';
import type { JsonObject, JsonValue } from '../domain/json.js';
import type { ObjectSchema, Schema } from '../domain/schema.js';

/** Names that break careless code. */
const KEYS = fc.oneof(
  { weight: 4, arbitrary: fc.string({ unit: 'grapheme', maxLength: 12 }) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      '__proto__',
      'toString',
      'constructor',
      'hasOwnProperty',
      '',
      '0',
      'a/b',
      '~',
    ),
  },
);

const NUMBERS = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(0, -0, 1e308, -1e308, 5e-324, 2 ** 53, -(2 ** 53), 0.1, 1e23),
  fc.integer(),
);

/** JSON objects that the protocol can carry, with every nasty key and number. */
export const jsonObject: fc.Arbitrary<JsonObject> = fc.letrec<{
  value: JsonValue;
  object: JsonObject;
}>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(null, true, false),
    NUMBERS,
    fc.string({ unit: 'grapheme', maxLength: 60 }),
    fc.array(tie('value'), { maxLength: 4 }),
    tie('object'),
  ),
  object: fc
    .uniqueArray(fc.tuple(KEYS, tie('value')), { maxLength: 5, selector: ([key]) => key })
    .map((entries) => Object.fromEntries(entries)),
})).object;

const NAMES = ['path', 'toString', 'constructor', 'hasOwnProperty', 'a/b', '', 'é', '0'];

/** Root schemas of the subset, with names that every object inherits. */
export const objectSchema: fc.Arbitrary<ObjectSchema> = fc.letrec<{
  schema: Schema;
  object: ObjectSchema;
}>((tie) => ({
  schema: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom<Schema>(
      { type: 'string' },
      { type: 'number' },
      { type: 'boolean' },
      { type: 'string', enum: ['x', 'toString', 'é'] },
      { type: 'object', properties: {}, required: [] },
    ),
    tie('schema').map((items): Schema => ({ type: 'array', items })),
    tie('object'),
  ),
  object: fc
    .tuple(
      fc.subarray(NAMES),
      fc.subarray(NAMES),
      fc.array(tie('schema'), { minLength: 8, maxLength: 8 }),
    )
    .map(([names, required, schemas]) => ({
      type: 'object' as const,
      properties: Object.fromEntries(names.map((name, i) => [name, schemas[i] as Schema])),
      required: required.filter((name) => names.includes(name)),
    })),
})).object;

const wholeText = fc.string({ unit: 'grapheme', maxLength: 80 });

/** Any message of a type, as the generated code represents it. */
export function arbitraryMessage(
  desc: DescMessage,
  depth = 4,
): fc.Arbitrary<Record<string, unknown>> {
  const members: Record<string, fc.Arbitrary<unknown>> = {};
  for (const member of desc.members) {
    if (member.kind === 'oneof') {
      const choices = member.fields
        .filter((field) => depth > 0 || field.message === undefined)
        .map((field) =>
          singular(field, depth).map((value) => ({ case: field.localName, value }) as const),
        );
      members[member.localName] = fc.oneof(fc.constant({ case: undefined }), ...choices);
    } else {
      members[member.localName] = fieldValue(member, depth);
    }
  }
  return fc.record(members).map((values) => ({ $typeName: desc.typeName, ...values }));
}

function fieldValue(field: DescField, depth: number): fc.Arbitrary<unknown> {
  switch (field.fieldKind) {
    case 'list':
      return depth === 0 ? fc.constant([]) : fc.array(singular(field, depth), { maxLength: 3 });
    case 'map':
      if (depth === 0) return fc.constant({});
      return fc
        .uniqueArray(fc.tuple(KEYS, singular(field, depth)), {
          maxLength: 3,
          selector: ([key]) => key,
        })
        .map((entries) => Object.fromEntries(entries));
    case 'message':
      return depth === 0
        ? fc.constant(undefined)
        : fc.option(singular(field, depth), { nil: undefined });
    default:
      return field.presence === FeatureSet_FieldPresence.IMPLICIT
        ? singular(field, depth)
        : fc.option(singular(field, depth), { nil: undefined });
  }
}

function singular(field: DescField, depth: number): fc.Arbitrary<unknown> {
  if (field.message !== undefined) {
    return field.message.typeName === 'google.protobuf.Struct'
      ? jsonObject
      : arbitraryMessage(field.message, depth - 1);
  }
  if (field.enum !== undefined) {
    return fc.oneof(
      fc.constantFrom(...field.enum.values.map((value) => value.number)),
      fc.integer(),
    );
  }
  switch (field.scalar) {
    case ScalarType.STRING:
      return wholeText;
    case ScalarType.BOOL:
      return fc.boolean();
    case ScalarType.DOUBLE:
      return fc.double({ noNaN: true });
    case ScalarType.INT32:
      return fc.integer();
    case ScalarType.UINT32:
      return fc.nat();
    case ScalarType.INT64:
      return fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
    case ScalarType.BYTES:
      return fc.uint8Array({ maxLength: 40 });
    default:
      throw new Error(`no arbitrary for ${String(field)}`);
  }
}
