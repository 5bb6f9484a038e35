// Arguments made from an input_schema alone: valid ones to call reads with, and invalid ones derived from valid
// ones by breaking one rule at a time (ERR-03). The same seed gives the same arguments.
import type { JsonObject, JsonValue, ObjectSchema, Schema } from '@tenon/protocol';
import type { Random } from '../run/random.js';

/** Names of files that exist in the working directory, for properties that look like paths. */
export interface Hints {
  readonly files: readonly string[];
}

/** Values for the required properties, and for all others when `full`. */
export function generateArguments(
  schema: ObjectSchema,
  random: Random,
  hints: Hints,
  full = false,
): JsonObject {
  return generateObject(schema, random, hints, full);
}

function generateObject(
  schema: ObjectSchema,
  random: Random,
  hints: Hints,
  full: boolean,
): JsonObject {
  return Object.fromEntries(
    Object.entries(schema.properties)
      .filter(([name]) => full || schema.required.includes(name))
      .map(([name, property]) => [name, generate(property, name, random, hints, full)]),
  );
}

function generate(
  schema: Schema,
  name: string,
  random: Random,
  hints: Hints,
  full: boolean,
): JsonValue {
  switch (schema.type) {
    case 'object':
      return generateObject(schema, random, hints, full);
    case 'array':
      return [generate(schema.items, name, random, hints, full)];
    case 'boolean':
      return random.below(2) === 1;
    case 'number':
      return 1 + random.below(9);
    case 'string':
      if (schema.enum !== undefined && schema.enum.length > 0) return random.pick(schema.enum);
      if (/path|file/i.test(name) && hints.files.length > 0) return random.pick(hints.files);
      if (/dir|folder|root/i.test(name)) return '.';
      if (/ur[il]/i.test(name)) return 'http://conformance.invalid/';
      return `text${random.below(1_000)}`;
  }
}

export interface Mutation {
  /** Such as `/path is missing`. */
  readonly what: string;
  readonly arguments: JsonObject;
}

/** Every way to break one rule of the schema once. `arguments` must be valid. */
export function mutations(schema: ObjectSchema, valid: JsonObject): Mutation[] {
  return breakObject(schema, valid, '').map(({ what, value }) => ({
    what,
    arguments: value as JsonObject,
  }));
}

interface Broken {
  readonly what: string;
  readonly value: JsonValue;
}

function breakObject(schema: ObjectSchema, valid: JsonObject, pointer: string): Broken[] {
  const broken: Broken[] = [];
  for (const [name, property] of Object.entries(schema.properties)) {
    const at = `${pointer}/${name}`;
    const required = schema.required.includes(name);
    if (required) {
      const { [name]: _left, ...rest } = valid;
      broken.push({ what: `${at} is missing`, value: rest });
      broken.push({ what: `${at} is null`, value: { ...valid, [name]: null } });
    }
    for (const { what, value } of breakValue(property, valid[name], at)) {
      broken.push({ what, value: { ...valid, [name]: value } });
    }
  }
  return broken;
}

const WRONG: Readonly<
  Record<Schema['type'], { readonly value: JsonValue; readonly what: string }>
> = {
  string: { value: 42, what: 'a number' },
  number: { value: 'text', what: 'a text' },
  boolean: { value: 'yes', what: 'a text' },
  array: { value: 'text', what: 'a text' },
  object: { value: 'text', what: 'a text' },
};

function breakValue(schema: Schema, valid: JsonValue | undefined, at: string): Broken[] {
  const wrong = WRONG[schema.type];
  const broken: Broken[] = [
    { what: `${at} is ${wrong.what} instead of ${article(schema.type)}`, value: wrong.value },
  ];
  if (schema.type === 'string' && schema.enum !== undefined) {
    const outside = 'none of those allowed';
    broken.push({ what: `${at} is outside of its enum`, value: outside });
  }
  if (schema.type === 'array') {
    const item = WRONG[schema.items.type];
    broken.push({ what: `${at}/0 is ${item.what}`, value: [item.value] });
  }
  if (schema.type === 'object' && isObject(valid)) broken.push(...breakObject(schema, valid, at));
  return broken;
}

const article = (type: string): string => (/^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`);

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
