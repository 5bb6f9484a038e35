// A configuration document as a tree in which every value knows its place. HCL and JSON both become this;
// nothing that reads it can tell which one it was.
import type { JsonValue } from '@tenon/protocol';
import type { ConfigProblem } from './error.js';
import type { SourceLocation } from './model.js';

export type ConfigValue = ConfigScalar | ConfigList | ConfigTable;

export interface ConfigScalar {
  readonly type: 'scalar';
  readonly value: string | number | boolean | null;
  readonly location: SourceLocation;
}
export interface ConfigList {
  readonly type: 'list';
  readonly items: readonly ConfigValue[];
  readonly location: SourceLocation;
}
/** A block or an object. */
export interface ConfigTable {
  readonly type: 'table';
  readonly entries: ReadonlyMap<string, ConfigEntry>;
  readonly location: SourceLocation;
}
export interface ConfigEntry {
  /** Of the key. */
  readonly location: SourceLocation;
  readonly value: ConfigValue;
}

/** The value without places. */
export function plainOf(value: ConfigValue): JsonValue {
  switch (value.type) {
    case 'scalar':
      return value.value;
    case 'list':
      return value.items.map(plainOf);
    case 'table':
      return Object.fromEntries(
        [...value.entries].map(([key, entry]) => [key, plainOf(entry.value)]),
      );
  }
}

/** The place of every value below, by JSON pointer; '' is the value itself. */
export function locationsOf(value: ConfigValue, pointer = ''): Map<string, SourceLocation> {
  const found = new Map([[pointer, value.location]]);
  const add = (more: Map<string, SourceLocation>): void => {
    for (const [key, location] of more) found.set(key, location);
  };
  if (value.type === 'list') {
    for (const [index, item] of value.items.entries())
      add(locationsOf(item, `${pointer}/${index}`));
  } else if (value.type === 'table') {
    for (const [key, entry] of value.entries) {
      const below = `${pointer}/${pointerPart(key)}`;
      add(locationsOf(entry.value, below));
      found.set(below, entry.location);
    }
  }
  return found;
}

/**
 * A plain object as such a tree, for programs; every place is `location`. What JSON cannot hold exactly (a
 * function, NaN, a large bigint, a cycle) becomes a problem that names it by JSON pointer.
 */
export function valueOf(
  plain: unknown,
  location: SourceLocation,
  problems: ConfigProblem[],
  pointer = '',
  above: readonly unknown[] = [],
): ConfigValue {
  const scalar = (value: ConfigScalar['value']): ConfigValue => ({
    type: 'scalar',
    value,
    location,
  });
  const refuse = (what: string): ConfigValue => {
    problems.push({ message: `${pointer || 'the configuration'} is ${what}`, location });
    return scalar(null);
  };
  if (plain === null || typeof plain === 'string' || typeof plain === 'boolean') {
    return scalar(plain);
  }
  if (typeof plain === 'number') {
    return Number.isFinite(plain) ? scalar(plain) : refuse(`${plain}, which is no JSON number`);
  }
  if (typeof plain !== 'object') return refuse(`a ${typeof plain}, which is no JSON value`);
  if (above.includes(plain)) return refuse('inside of itself');
  if (above.length >= MAX_LEVELS) return refuse('nested too deep');
  const below = [...above, plain];
  const child = (key: string | number, value: unknown): ConfigValue =>
    valueOf(value, location, problems, `${pointer}/${pointerPart(String(key))}`, below);
  if (Array.isArray(plain)) {
    return { type: 'list', items: plain.map((item, index) => child(index, item)), location };
  }
  const prototype: unknown = Object.getPrototypeOf(plain);
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) {
    return refuse('an instance of a class; only plain objects are read');
  }
  const entries = Object.entries(plain)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => [key, { location, value: child(key, value) }] as const);
  return { type: 'table', entries: new Map(entries), location };
}

const MAX_LEVELS = 100;

/** A key as a part of a JSON pointer. */
export const pointerPart = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');
