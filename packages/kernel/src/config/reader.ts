// Reads the fields of a table with their types, and gathers what is wrong instead of stopping at it.
import { nearest } from '@tenon/protocol';
import type { ConfigProblem } from './error.js';
import { durationMs } from './duration.js';
import type { SourceLocation } from './model.js';
import type { ConfigTable, ConfigValue } from './value.js';

export interface TableReader {
  readonly table: ConfigTable;
  string(key: string): string | undefined;
  number(
    key: string,
    check?: { readonly min?: number; readonly max?: number; readonly whole?: boolean },
  ): number | undefined;
  boolean(key: string): boolean | undefined;
  /** "500ms", "10s", "2m", "1h", or a number of milliseconds. */
  duration(key: string): number | undefined;
  oneOf<const T extends string>(key: string, allowed: readonly T[]): T | undefined;
  strings(key: string): readonly string[] | undefined;
  stringMap(key: string): Readonly<Record<string, string>> | undefined;
  block(key: string): ConfigTable | undefined;
  value(key: string): ConfigValue | undefined;
  /** Says what is wrong with a key, or with the table itself. */
  problem(message: string, at?: string | SourceLocation): void;
  /** Call last: every key that nobody asked for is a problem. */
  finish(): void;
}

export function readTable(
  table: ConfigTable,
  what: string,
  problems: ConfigProblem[],
): TableReader {
  const asked = new Set<string>();
  const get = (key: string): ConfigValue | undefined => {
    asked.add(key);
    const value = table.entries.get(key)?.value;
    return value?.type === 'scalar' && value.value === null ? undefined : value;
  };
  const say = (message: string, location: SourceLocation): void => {
    problems.push({ message: `${what}: ${message}`, location });
  };
  const wrong = (key: string, wanted: string, value: ConfigValue): undefined => {
    const kind =
      value.type === 'scalar' ? typeof value.value : value.type === 'list' ? 'list' : 'block';
    say(`${key} must be ${wanted}, and this is a ${kind}`, value.location);
    return undefined;
  };

  const reader: TableReader = {
    table,
    value: get,
    string(key) {
      const value = get(key);
      if (value === undefined) return undefined;
      if (value.type === 'scalar' && typeof value.value === 'string') return value.value;
      return wrong(key, 'a text', value);
    },
    number(key, check = {}) {
      const value = get(key);
      if (value === undefined) return undefined;
      if (value.type !== 'scalar' || typeof value.value !== 'number')
        return wrong(key, 'a number', value);
      const { min = -Infinity, max = Infinity, whole = false } = check;
      const given = value.value;
      if (
        given < min ||
        given > max ||
        Number.isNaN(given) ||
        (whole && !Number.isInteger(given))
      ) {
        const range = `${min === -Infinity ? '' : ` from ${min}`}${max === Infinity ? '' : ` up to ${max}`}`;
        say(
          `${key} must be a ${whole ? 'whole ' : ''}number${range}, and this is ${given}`,
          value.location,
        );
        return undefined;
      }
      return given;
    },
    boolean(key) {
      const value = get(key);
      if (value === undefined) return undefined;
      if (value.type === 'scalar' && typeof value.value === 'boolean') return value.value;
      return wrong(key, 'true or false', value);
    },
    duration(key) {
      const value = get(key);
      if (value === undefined) return undefined;
      const wanted = 'a duration such as "500ms", "10s", "2m" or "1h"';
      if (value.type !== 'scalar') return wrong(key, wanted, value);
      const read = durationMs(value.value);
      if (read !== undefined) return read;
      say(`${key} must be ${wanted}, and this is ${JSON.stringify(value.value)}`, value.location);
      return undefined;
    },
    oneOf(key, allowed) {
      const given = reader.string(key);
      if (given === undefined) return undefined;
      const found = allowed.find((one) => one === given);
      if (found !== undefined) return found;
      const guess = nearest(given, allowed);
      const hint = guess === undefined ? '' : `; did you mean "${guess}"?`;
      say(
        `${key} must be one of ${allowed.join(', ')}, and this is "${given}"${hint}`,
        placeOf(key),
      );
      return undefined;
    },
    strings(key) {
      const value = get(key);
      if (value === undefined) return undefined;
      if (value.type !== 'list') return wrong(key, 'a list of texts', value);
      return value.items.flatMap((item) => {
        if (item.type === 'scalar' && typeof item.value === 'string') return [item.value];
        wrong(key, 'a list of texts', item);
        return [];
      });
    },
    stringMap(key) {
      const value = get(key);
      if (value === undefined) return undefined;
      if (value.type !== 'table') return wrong(key, 'a map of texts', value);
      return Object.fromEntries(
        [...value.entries].flatMap(([name, entry]) => {
          if (entry.value.type === 'scalar' && typeof entry.value.value === 'string') {
            return [[name, entry.value.value]];
          }
          wrong(`${key}.${name}`, 'a text', entry.value);
          return [];
        }),
      );
    },
    block(key) {
      const value = get(key);
      if (value === undefined) return undefined;
      return value.type === 'table' ? value : wrong(key, 'a block', value);
    },
    problem(message, at) {
      say(message, at === undefined ? table.location : typeof at === 'string' ? placeOf(at) : at);
    },
    finish() {
      for (const [key, entry] of table.entries) {
        if (asked.has(key)) continue;
        const guess = nearest(key, [...asked]);
        const hint =
          guess === undefined ? `known are ${[...asked].join(', ')}` : `did you mean ${guess}?`;
        say(`${key} is not known here; ${hint}`, entry.location);
      }
    },
  };
  const placeOf = (key: string): SourceLocation =>
    table.entries.get(key)?.location ?? table.location;
  return reader;
}
