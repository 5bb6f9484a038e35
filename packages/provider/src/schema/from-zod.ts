// zod 4 → the schema subset of the protocol (SCH-01). What the subset cannot say is never dropped silently:
// it is a problem that names the keyword, because a constraint that the kernel and the model do not see is none.
import type { ObjectSchema, Schema } from '@tenon/protocol';
import { pointerOf } from '@tenon/protocol';
import * as z from 'zod';
import type { DefinitionProblem } from '../errors/definition-error.js';

type Def = z.core.$ZodTypes['_zod']['def'];

interface CheckDef {
  readonly check: string;
  readonly format?: string;
  readonly inclusive?: boolean;
}

// zod keeps what a schema and a check are under this one name, for libraries that read them.
function defOf(schema: z.core.$ZodType): Def {
  const { ['_zod']: internals } = schema as z.core.$ZodTypes;
  return internals.def;
}

function checkDefOf(check: z.core.$ZodCheck): CheckDef {
  const { ['_zod']: internals } = check;
  return internals.def;
}

/**
 * Converts an operation's input or output. Problems are added to `problems`, with their pointers below `at`.
 * Read: object, string, number, boolean, array, enum of strings, string literal, optional property,
 * description. Refused by name: everything else.
 */
export function objectSchemaFromZod(
  schema: z.core.$ZodType,
  at: readonly string[],
  problems: DefinitionProblem[],
): ObjectSchema {
  const converted = convert(schema, { at, problems, above: [] });
  if (converted?.type === 'object') return converted;
  if (converted !== undefined) {
    problems.push({
      pointer: pointerOf(at),
      requirement: 'SCH-03',
      message: 'the root must be a z.object',
    });
  }
  return { type: 'object', properties: {}, required: [] };
}

interface Place {
  readonly at: readonly string[];
  readonly problems: DefinitionProblem[];
  /** The schemas that this one is inside of, to find a schema that contains itself. */
  readonly above: readonly z.core.$ZodType[];
}

function convert(schema: z.core.$ZodType, place: Place): Schema | undefined {
  const def = defOf(schema);
  if (place.above.includes(schema)) {
    refuse(place, 'recursive', 'a schema that contains itself has no end in the protocol');
    return undefined;
  }
  const inner: Place = { ...place, above: [...place.above, schema] };
  const described = describe(schema, place);
  refuseChecks(def.type, def.checks, place);
  if ('coerce' in def && def.coerce) {
    refuse(place, 'coerce', 'the value is sent as it is; ask for the right type');
  }
  switch (def.type) {
    case 'string':
      refuseFormat(def, place);
      return { type: 'string', ...described };
    case 'number':
      if ('format' in def) refuse(place, 'integer', ADVICE);
      return { type: 'number', ...described };
    case 'boolean':
      return { type: 'boolean', ...described };
    case 'enum':
      return enumSchema(Object.values(def.entries), described, place);
    case 'literal':
      return enumSchema(def.values, described, place);
    case 'array': {
      const items = convert(def.element, { ...inner, at: [...place.at, 'items'] });
      return items === undefined ? undefined : { type: 'array', items, ...described };
    }
    case 'object':
      return convertObject(def, described, inner);
    case 'record':
      return freeObject(def, described, place);
    case 'readonly': {
      const target = convert(def.innerType, inner);
      return target === undefined ? undefined : { ...target, ...described };
    }
    case 'optional':
      refuse(place, 'optional', 'only a property of an object can be optional');
      return undefined;
    default: {
      const [keyword, advice] = REFUSED[def.type] ?? [def.type, 'use one of the five types'];
      refuse(place, keyword, advice);
      return undefined;
    }
  }
}

function convertObject(
  def: z.core.$ZodObjectDef,
  described: { description?: string },
  place: Place,
): Schema {
  const catchall = def.catchall === undefined ? 'never' : defOf(def.catchall).type;
  if (catchall !== 'never') {
    refuse(place, 'additionalProperties', 'undeclared properties are refused; declare them');
  }
  // Entries instead of assignment: a property may be named __proto__.
  const properties: [string, Schema][] = [];
  const required: string[] = [];
  for (const [name, declared] of Object.entries(def.shape)) {
    const at: Place = { ...place, at: [...place.at, 'properties', name] };
    const propertyDef = defOf(declared);
    const optional = propertyDef.type === 'optional';
    const converted = convert(optional ? propertyDef.innerType : declared, at);
    if (optional) refuseChecks('optional', propertyDef.checks, at);
    // Its own problem is reported already.
    if (converted === undefined) continue;
    if (!optional) required.push(name);
    const outer = optional ? describe(declared, at) : {};
    properties.push([name, { ...converted, ...outer }]);
  }
  return { type: 'object', properties: Object.fromEntries(properties), required, ...described };
}

/** z.record(z.string(), z.unknown()): the protocol's object without declared properties, which takes any. */
function freeObject(
  def: z.core.$ZodRecordDef,
  described: { description?: string },
  place: Place,
): Schema | undefined {
  const value = defOf(def.valueType).type;
  if ((value === 'unknown' || value === 'any') && place.above.length > 0) {
    return { type: 'object', properties: {}, required: [], ...described };
  }
  refuse(
    place,
    'additionalProperties',
    'only z.record(z.string(), z.unknown()), any JSON object, can be said below the root',
  );
  return undefined;
}

function enumSchema(
  values: readonly unknown[],
  described: { description?: string },
  place: Place,
): Schema | undefined {
  if (values.some((value) => typeof value !== 'string')) {
    refuse(place, 'enum', 'the values of an enum are strings in the protocol');
    return undefined;
  }
  return { type: 'string', enum: [...new Set(values as string[])], ...described };
}

function describe(schema: z.core.$ZodType, place: Place): { description?: string } {
  const meta = z.globalRegistry.get(schema);
  if (meta === undefined) return {};
  for (const key of Object.keys(meta)) {
    if (key !== 'description' && meta[key] !== undefined) {
      refuse(place, key, 'the description is the only annotation that the protocol carries');
    }
  }
  return meta.description === undefined ? {} : { description: meta.description };
}

const REFUSED: Readonly<Record<string, readonly [keyword: string, advice: string]>> = {
  nullable: ['nullable', 'leave an absent value out: use .optional()'],
  null: ['null', 'leave an absent value out: use .optional()'],
  union: ['anyOf', 'use one object with optional properties, or two operations'],
  intersection: ['allOf', 'merge the objects with .extend()'],
  default: [
    'default',
    'use .optional(), put the default in the description, and apply it in the handler',
  ],
  prefault: [
    'default',
    'use .optional(), put the default in the description, and apply it in the handler',
  ],
  catch: ['catch', 'a wrong value is refused before the handler sees it'],
  map: ['map', 'use an array of objects with a key and a value'],
  set: ['uniqueItems', 'use z.array and check in the handler'],
  tuple: ['prefixItems', 'use z.object with named properties'],
  pipe: ['transform', 'transform in the handler'],
  transform: ['transform', 'transform in the handler'],
  lazy: ['recursive', 'a schema that contains itself has no end in the protocol'],
  date: ['date', 'use z.string() and say the format in the description'],
  bigint: ['bigint', 'use z.string(); a number of the protocol is a double'],
  any: ['any', 'say the type; for a free JSON object use z.record(z.string(), z.unknown())'],
  unknown: [
    'unknown',
    'say the type; for a free JSON object use z.record(z.string(), z.unknown())',
  ],
  nonoptional: ['nonoptional', 'leave .optional() away'],
};

const CHECK_KEYWORDS: Readonly<Record<string, string>> = {
  min_length: 'minLength',
  max_length: 'maxLength',
  length_equals: 'length',
  less_than: 'maximum',
  greater_than: 'minimum',
  multiple_of: 'multipleOf',
  number_format: 'integer',
  custom: 'refine',
  overwrite: 'transform',
};

const ARRAY_KEYWORDS: Readonly<Record<string, string>> = {
  min_length: 'minItems',
  max_length: 'maxItems',
};

const ADVICE = 'say it in the description, and check it in the handler with fail.invalidArguments';

function refuseChecks(
  type: string,
  checks: readonly z.core.$ZodCheck[] | undefined,
  place: Place,
): void {
  for (const check of checks ?? []) refuse(place, checkKeyword(type, checkDefOf(check)), ADVICE);
}

function checkKeyword(type: string, def: CheckDef): string {
  if (def.check === 'string_format') {
    return def.format === 'regex' ? 'pattern' : `format: ${def.format}`;
  }
  if (def.check === 'greater_than' && def.inclusive === false) return 'exclusiveMinimum';
  if (def.check === 'less_than' && def.inclusive === false) return 'exclusiveMaximum';
  const named = type === 'array' ? ARRAY_KEYWORDS[def.check] : undefined;
  return named ?? CHECK_KEYWORDS[def.check] ?? def.check;
}

/** z.email() and its siblings carry their format in the definition itself, not in a check. */
function refuseFormat(def: z.core.$ZodTypeDef, place: Place): void {
  if ('format' in def && typeof def.format === 'string')
    refuse(place, `format: ${def.format}`, ADVICE);
}

function refuse(place: Place, keyword: string, advice: string): void {
  place.problems.push({
    pointer: pointerOf(place.at),
    keyword,
    requirement: 'SCH-01',
    message: `"${keyword}" is outside of the protocol's schema subset: ${advice}`,
  });
}
