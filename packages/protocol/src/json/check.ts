// Says whether a value is JSON that the protocol can carry without changing it. Nothing is converted: what
// could only be carried by rounding, dropping or replacing is a violation.
import type { Violation } from '../domain/event.js';
import type { JsonObject, JsonValue } from '../domain/json.js';
import { MAX_JSON_DEPTH } from './limits.js';
import { pointerOf } from './pointer.js';
import { isWellFormed } from './well-formed.js';

export type JsonCheck<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly violations: readonly Violation[] };

/** After this many problems the walk through a value ends; the last one says so. */
export const MAX_VIOLATIONS = 100;

/**
 * Checks that a value is a JSON object that survives the wire exactly. Every problem is listed with its
 * pointer: undefined, bigint, NaN, infinities, functions, symbols, symbol keys, holes, objects of a class,
 * lone surrogates, nesting over MAX_JSON_DEPTH (also what contains itself). -0, 1e308 and 2^53 are fine.
 *
 * @param requirement the id that the violations carry; default ERR-03.
 */
export function checkJson(value: unknown, requirement = 'ERR-03'): JsonCheck<JsonObject> {
  const result = checkJsonValue(value, requirement);
  if (!result.ok) return result;
  if (isObject(result.value)) return { ok: true, value: result.value };
  const message = `expected a JSON object, got ${describeValue(value)}`;
  return { ok: false, violations: [{ requirement, pointer: '', message }] };
}

/** Like checkJson, for any JSON value. */
export function checkJsonValue(value: unknown, requirement = 'ERR-03'): JsonCheck<JsonValue> {
  const check: Check = { path: [], violations: [], requirement };
  walkJson(value, 0, check);
  return check.violations.length === 0
    ? { ok: true, value: value as JsonValue }
    : { ok: false, violations: check.violations };
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The state of one walk; shared with the schema validators, which fall back to it for free-form objects. */
export interface Check {
  /** Tokens down to the value at hand; what lies beyond the current depth is left over. */
  readonly path: (string | number)[];
  readonly violations: Violation[];
  readonly requirement: string;
}

/** Reports every part of a value that is not JSON. `depth` counts the levels above it. */
export function walkJson(value: unknown, depth: number, check: Check): void {
  switch (typeof value) {
    case 'string':
      if (!isWellFormed(value)) report(check, depth, LONE_SURROGATE);
      return;
    case 'number':
      if (!Number.isFinite(value)) {
        report(check, depth, `${value} is not a JSON number; leave the field out or use a string`);
      }
      return;
    case 'boolean':
      return;
    case 'object':
      if (value === null) return;
      if (depth >= MAX_JSON_DEPTH) report(check, depth, TOO_DEEP);
      else if (Array.isArray(value)) walkArray(value, depth, check);
      else walkObject(value, depth, check);
      return;
    default:
      report(check, depth, `${describeValue(value)} has no place in JSON; leave the field out`);
  }
}

function walkArray(value: readonly unknown[], depth: number, check: Check): void {
  for (let i = 0; i < value.length; i++) {
    check.path[depth] = i;
    walkJson(value[i], depth + 1, check);
    if (check.violations.length > MAX_VIOLATIONS) return;
  }
}

function walkObject(value: object, depth: number, check: Check): void {
  if (!isPlain(value)) {
    report(check, depth, `${describeValue(value)} is not a plain object; convert it to JSON first`);
    return;
  }
  for (const key of Object.keys(value)) {
    check.path[depth] = key;
    if (!isWellFormed(key))
      report(check, depth + 1, `the key holds a lone surrogate, which UTF-8 cannot carry`);
    walkJson((value as Record<string, unknown>)[key], depth + 1, check);
    if (check.violations.length > MAX_VIOLATIONS) return;
  }
  if (Object.getOwnPropertySymbols(value).length > 0) {
    report(check, depth, 'a key is a symbol; JSON has string keys alone');
  }
}

export const LONE_SURROGATE =
  'the text holds a lone surrogate (half of a character), which UTF-8 cannot carry; send whole characters';
const TOO_DEEP = `nested deeper than ${MAX_JSON_DEPTH} levels, or it contains itself; flatten the data`;

/** Adds a violation at the place that the first `depth` tokens of the path lead to. */
export function report(check: Check, depth: number, message: string): void {
  const { violations, requirement } = check;
  if (violations.length < MAX_VIOLATIONS) {
    violations.push({ requirement, pointer: pointerOf(check.path, depth), message });
  } else if (violations.length === MAX_VIOLATIONS) {
    const rest = `more problems are not listed; correct these ${MAX_VIOLATIONS} first`;
    violations.push({ requirement, pointer: '', message: rest });
  }
}

/** True for object literals, also those without prototype or of another realm. */
export function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return (
    prototype === null ||
    prototype === Object.prototype ||
    Object.getPrototypeOf(prototype) === null
  );
}

/** A short name of what a value is, for "expected …, got …". Never quotes the value. */
export function describeValue(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return `an array of ${value.length}`;
  switch (typeof value) {
    case 'undefined':
      return 'undefined';
    case 'number':
      return Number.isFinite(value) ? 'a number' : String(value);
    case 'string':
      return value === '' ? 'an empty string' : 'a string';
    case 'boolean':
      return 'a boolean';
    case 'bigint':
      return 'a bigint';
    case 'function':
      return 'a function';
    case 'symbol':
      return 'a symbol';
    default: {
      const name: unknown = isPlain(value) ? '' : value.constructor?.name;
      return typeof name === 'string' && name !== '' ? `an object of class ${name}` : 'an object';
    }
  }
}
