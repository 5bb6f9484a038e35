// Turns the words after an operation's name into arguments, by the operation's input schema. Pure: reads no
// file and parses no JSON of its own; what is wrong is listed, all of it. Whether the arguments are valid as
// a whole is for the kernel to say.
import { nearest, parseJsonExact } from '@tenon/protocol';
import type { JsonObject, JsonValue, ObjectSchema, Schema } from '@tenon/protocol';

export interface ParsedFlags {
  /** What the flags say, nested by their dots. */
  readonly args: JsonObject;
  /** Where whole arguments come from, in order: JSON text, `@FILE` or `-`. */
  readonly sources: readonly string[];
  /** The words that belong to tenon's own options, for their own parser. */
  readonly own: readonly string[];
  readonly problems: readonly string[];
}

/** tenon's own options that may stand after the operation's name too: name to whether it takes a value. */
export type OwnOptions = ReadonlyMap<string, boolean>;

/** How a property is spelled as a flag: `oldText`, `old_text` and `old-text` are all `--old-text`. */
export function flagName(property: string): string {
  return property
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase();
}

/**
 * Reads `--name value`, `--name=value`, `--flag`, `--no-flag`, repeated flags for arrays, `--outer.inner`
 * for nested objects, and JSON for everything. A flag of the operation wins over one of tenon's own of the
 * same name, which then has to stand before the operation's name.
 */
export function parseFlags(
  words: readonly string[],
  input: ObjectSchema,
  ownOptions: OwnOptions,
): ParsedFlags {
  const args: Mutable = {};
  const sources: string[] = [];
  const own: string[] = [];
  const problems: string[] = [];
  const queue = [...words];
  for (let word = queue.shift(); word !== undefined; word = queue.shift()) {
    if (!word.startsWith('--') || word === '--') {
      if (word === '--') continue;
      if (word === '-' || word.startsWith('@') || /^\s*\{/.test(word)) sources.push(word);
      else if (ownOptions.has(word)) own.push(word, ...valueOf(word, queue, ownOptions));
      else {
        problems.push(
          `unexpected "${word}"; arguments are given as --name value, as '{"name": …}', as @FILE or as -`,
        );
      }
      continue;
    }
    const { name, inline } = splitFlag(word);
    const target = findProperty(input, name);
    if (target !== undefined) {
      const value = takeValue(target, name, inline, queue, problems);
      if (value !== undefined) put(args, target, value, problems);
    } else if (name === 'args' || (name === 'json' && inline === undefined && isSource(queue[0]))) {
      const source = inline ?? queue.shift();
      if (source === undefined) problems.push(`--${name} needs JSON, @FILE or -`);
      else sources.push(source);
    } else if (ownOptions.has(`--${name}`)) {
      own.push(word);
      if (inline === undefined) own.push(...valueOf(`--${name}`, queue, ownOptions));
    } else {
      problems.push(unknownFlag(name, input));
      // What follows is its value, most likely, and no problem of its own.
      const next = queue[0];
      if (inline === undefined && next !== undefined && !next.startsWith('-') && !isSource(next)) {
        queue.shift();
      }
    }
  }
  return { args, sources, own, problems };
}

type Mutable = { [key: string]: JsonValue };

interface Target {
  /** Property names from the root to the value. */
  readonly path: readonly string[];
  readonly schema: Schema;
  /** `--no-x` of a boolean x. */
  readonly negated: boolean;
}

function isSource(word: string | undefined): boolean {
  return word !== undefined && (word === '-' || /^\s*[{@]/.test(word));
}

function valueOf(option: string, queue: string[], ownOptions: OwnOptions): string[] {
  if (ownOptions.get(option) !== true) return [];
  const value = queue.shift();
  return value === undefined ? [] : [value];
}

function splitFlag(word: string): { readonly name: string; readonly inline?: string } {
  const equals = word.indexOf('=');
  if (equals === -1) return { name: word.slice(2) };
  return { name: word.slice(2, equals), inline: word.slice(equals + 1) };
}

function findProperty(input: ObjectSchema, name: string): Target | undefined {
  const direct = findPath(input, name);
  if (direct !== undefined) return { ...direct, negated: false };
  if (!name.startsWith('no-')) return undefined;
  const positive = findPath(input, name.slice(3));
  return positive?.schema.type === 'boolean' ? { ...positive, negated: true } : undefined;
}

/** Follows a name with dots down nested objects. A property whose own name has dots is found first. */
function findPath(
  schema: ObjectSchema,
  name: string,
): { readonly path: readonly string[]; readonly schema: Schema } | undefined {
  const property = matchProperty(schema, name);
  if (property !== undefined) return property;
  for (let dot = name.indexOf('.'); dot !== -1; dot = name.indexOf('.', dot + 1)) {
    const outer = matchProperty(schema, name.slice(0, dot));
    if (outer?.schema.type !== 'object') continue;
    const inner = findPath(outer.schema, name.slice(dot + 1));
    if (inner !== undefined) return { path: [...outer.path, ...inner.path], schema: inner.schema };
  }
  return undefined;
}

function matchProperty(
  schema: ObjectSchema,
  name: string,
): { readonly path: readonly string[]; readonly schema: Schema } | undefined {
  const names = Object.keys(schema.properties);
  const wanted = flagName(name);
  // Two properties that differ in spelling alone are reached by their exact names only.
  const alike = names.filter((property) => flagName(property) === wanted);
  const found =
    names.find((property) => property === name) ?? (alike.length === 1 ? alike[0] : undefined);
  const child = found === undefined ? undefined : schema.properties[found];
  return found === undefined || child === undefined ? undefined : { path: [found], schema: child };
}

function takeValue(
  target: Target,
  name: string,
  inline: string | undefined,
  queue: string[],
  problems: string[],
): JsonValue | undefined {
  if (target.schema.type === 'boolean') {
    if (inline === undefined) {
      // `--flag false` is what some expect, so a bare word true or false is taken as the value.
      if (queue[0] === 'true' || queue[0] === 'false')
        return (queue.shift() === 'true') !== target.negated;
      return !target.negated;
    }
    if (inline === 'true' || inline === 'false') return (inline === 'true') !== target.negated;
    problems.push(`--${name} is true or false, not "${inline}"`);
    return undefined;
  }
  const text = inline ?? queue.shift();
  if (text === undefined) {
    problems.push(`--${name} needs a value (${describeType(target.schema)})`);
    return undefined;
  }
  return convert(text, target.schema, name, problems);
}

function convert(
  text: string,
  schema: Schema,
  name: string,
  problems: string[],
): JsonValue | undefined {
  switch (schema.type) {
    case 'string':
      return text;
    case 'boolean':
      if (text === 'true' || text === 'false') return text === 'true';
      problems.push(`--${name} is true or false, not "${text}"`);
      return undefined;
    case 'number': {
      const read = parseJsonExact(text.trim());
      if (read.ok && typeof read.value === 'number') return read.value;
      const why = read.ok ? 'is not a number' : (read.violations[0]?.message ?? 'is not a number');
      problems.push(`--${name} takes a number: "${text}": ${why}`);
      return undefined;
    }
    case 'array': {
      // A whole array may be given as JSON; a single item is an array of one, and repeated flags add to it.
      if (text.trimStart().startsWith('[')) return json(text, name, problems);
      const item = convert(text, schema.items, name, problems);
      return item === undefined ? undefined : [item];
    }
    case 'object':
      return json(text, name, problems);
  }
}

function json(text: string, name: string, problems: string[]): JsonValue | undefined {
  const read = parseJsonExact(text);
  if (read.ok) return read.value;
  for (const { message } of read.violations) problems.push(`--${name}: ${message}`);
  return undefined;
}

function put(args: Mutable, target: Target, value: JsonValue, problems: string[]): void {
  let place = args;
  for (const name of target.path.slice(0, -1)) {
    const existing = Object.hasOwn(place, name) ? place[name] : undefined;
    if (isObject(existing)) {
      place = existing;
      continue;
    }
    const made: Mutable = {};
    define(place, name, made);
    place = made;
  }
  const last = target.path.at(-1) ?? '';
  const before = Object.hasOwn(place, last) ? place[last] : undefined;
  if (before === undefined) define(place, last, value);
  else if (Array.isArray(before) && Array.isArray(value))
    define(place, last, [...before, ...value]);
  else problems.push(`--${target.path.map(flagName).join('.')} is given twice`);
}

/** Also for names such as `__proto__`. */
function define(place: Mutable, name: string, value: JsonValue): void {
  Object.defineProperty(place, name, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}

function isObject(value: JsonValue | undefined): value is Mutable {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function unknownFlag(name: string, input: ObjectSchema): string {
  const names = Object.keys(input.properties).map(flagName);
  const guess = nearest(name, names);
  if (guess !== undefined) return `unknown flag --${name}; did you mean --${guess}?`;
  const known = names.map((flag) => `--${flag}`).join(', ');
  return `unknown flag --${name}; ${known === '' ? 'the operation takes none' : `known are ${known}`}`;
}

/** A type in a word or two, such as "text", "number" or "list of text". */
export function describeType(schema: Schema): string {
  switch (schema.type) {
    case 'string':
      return schema.enum === undefined ? 'text' : schema.enum.join(' | ');
    case 'number':
      return 'number';
    case 'boolean':
      return 'true | false';
    case 'array':
      return `list of ${describeType(schema.items)}`;
    case 'object':
      return 'JSON object';
  }
}
