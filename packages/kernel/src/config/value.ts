// A configuration document as a tree in which every value knows its place. HCL and JSON both become this;
// nothing that reads it can tell which one it was.
import type { JsonValue } from '@tenon/protocol';
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
      const below = `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      add(locationsOf(entry.value, below));
      found.set(below, entry.location);
    }
  }
  return found;
}

/** A plain object as such a tree, for programs; every place is `location`. */
export function valueOf(plain: unknown, location: SourceLocation): ConfigValue {
  if (Array.isArray(plain)) {
    return { type: 'list', items: plain.map((item) => valueOf(item, location)), location };
  }
  if (typeof plain === 'object' && plain !== null) {
    const entries = Object.entries(plain)
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => [key, { location, value: valueOf(value, location) }] as const);
    return { type: 'table', entries: new Map(entries), location };
  }
  const value = typeof plain === 'string' || typeof plain === 'boolean' ? plain : Number(plain);
  return { type: 'scalar', value: plain === null ? null : value, location };
}
