// A JSON parser for text that decides what runs: it never rounds, drops or merges. JSON.parse does all three
// (9007199254740993 loses a unit, 1e400 becomes Infinity, of two equal keys the first is lost).
import type { Violation } from '../domain/event.js';
import type { JsonValue } from '../domain/json.js';
import type { JsonCheck } from './check.js';
import { MAX_JSON_DEPTH } from './limits.js';
import { exactNumber } from './number.js';
import { setOwn } from './own.js';
import { pointerOf } from './pointer.js';
import { isWellFormed } from './well-formed.js';

/**
 * Parses JSON text (RFC 8259). Every number that a double cannot hold, every repeated key, every lone
 * surrogate is a violation with its pointer; all are listed. A syntax error ends the parse, with line and
 * column. `__proto__` is a key like any other. Nesting over MAX_JSON_DEPTH is refused.
 *
 * @param requirement the id that the violations carry; default ERR-03.
 */
export function parseJsonExact(text: string, requirement = 'ERR-03'): JsonCheck<JsonValue> {
  const state: State = { text, at: 0, path: [], violations: [], requirement };
  try {
    skipSpace(state);
    const value = parseValue(state, 0);
    skipSpace(state);
    if (state.at < text.length) throw unexpected(state, 'the end of the text');
    return state.violations.length === 0
      ? { ok: true, value }
      : { ok: false, violations: state.violations };
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    state.violations.push({ requirement, pointer: error.pointer, message: error.message });
    return { ok: false, violations: state.violations };
  }
}

interface State {
  readonly text: string;
  at: number;
  readonly path: (string | number)[];
  readonly violations: Violation[];
  readonly requirement: string;
}

class JsonSyntaxError extends Error {
  readonly pointer: string;
  constructor(message: string, pointer: string) {
    super(message);
    this.pointer = pointer;
  }
}

const SPACE = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
// What may stand in a string up to the next quote or backslash: anything but control characters.
// oxlint-disable-next-line no-control-regex
const PLAIN_TEXT = /[^"\\\u0000-\u001F]*/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

function match(state: State, pattern: RegExp): boolean {
  pattern.lastIndex = state.at;
  if (!pattern.test(state.text)) return false;
  state.at = pattern.lastIndex;
  return true;
}

function skipSpace(state: State): void {
  match(state, SPACE);
}

function parseValue(state: State, depth: number): JsonValue {
  const { text, at } = state;
  switch (text[at]) {
    case '{':
      return parseObject(state, depth);
    case '[':
      return parseArray(state, depth);
    case '"':
      return parseString(state, depth);
    case 't':
      return literal(state, 'true', true);
    case 'f':
      return literal(state, 'false', false);
    case 'n':
      return literal(state, 'null', null);
    default:
      return parseNumber(state, depth);
  }
}

function literal<T extends JsonValue>(state: State, word: string, value: T): T {
  if (!state.text.startsWith(word, state.at)) throw unexpected(state, 'a value');
  state.at += word.length;
  return value;
}

function parseNumber(state: State, depth: number): number {
  const start = state.at;
  if (!match(state, NUMBER)) throw unexpected(state, 'a value');
  const literalText = state.text.slice(start, state.at);
  const read = exactNumber(literalText);
  if (read.ok) return read.value;
  report(state, depth, read.message);
  return 0;
}

function parseString(state: State, depth: number): string {
  const start = state.at;
  state.at++;
  let escaped = false;
  for (;;) {
    match(state, PLAIN_TEXT);
    const next = state.text[state.at];
    if (next === '"') break;
    if (next !== '\\') throw unexpected(state, 'the closing quote of the string');
    if (!match(state, ESCAPE)) throw unexpected(state, 'an escape such as \\n or \\u00e9');
    escaped = true;
  }
  state.at++;
  const value = escaped
    ? (JSON.parse(state.text.slice(start, state.at)) as string)
    : state.text.slice(start + 1, state.at - 1);
  if (!isWellFormed(value)) {
    report(
      state,
      depth,
      'the text holds a lone surrogate (half of a character), which UTF-8 cannot carry',
    );
  }
  return value;
}

function enter(state: State, depth: number): void {
  if (depth >= MAX_JSON_DEPTH) {
    throw new JsonSyntaxError(
      `nested deeper than ${MAX_JSON_DEPTH} levels at ${place(state)}; flatten the data`,
      pointerOf(state.path, depth),
    );
  }
  state.at++;
  skipSpace(state);
}

function parseArray(state: State, depth: number): JsonValue {
  enter(state, depth);
  const items: JsonValue[] = [];
  if (state.text[state.at] === ']') {
    state.at++;
    return items;
  }
  for (;;) {
    state.path[depth] = items.length;
    items.push(parseValue(state, depth + 1));
    skipSpace(state);
    const next = state.text[state.at];
    if (next === ']') break;
    if (next !== ',') throw unexpected(state, '"," or "]"');
    state.at++;
    skipSpace(state);
  }
  state.at++;
  return items;
}

function parseObject(state: State, depth: number): JsonValue {
  enter(state, depth);
  const object: Record<string, JsonValue> = {};
  if (state.text[state.at] === '}') {
    state.at++;
    return object;
  }
  for (;;) {
    if (state.text[state.at] !== '"') throw unexpected(state, 'a key in double quotes');
    const key = parseString(state, depth);
    state.path[depth] = key;
    skipSpace(state);
    if (state.text[state.at] !== ':') throw unexpected(state, '":"');
    state.at++;
    skipSpace(state);
    if (Object.hasOwn(object, key)) {
      report(state, depth + 1, `the key ${JSON.stringify(key)} stands twice; keep one`);
    }
    setOwn(object, key, parseValue(state, depth + 1));
    skipSpace(state);
    const next = state.text[state.at];
    if (next === '}') break;
    if (next !== ',') throw unexpected(state, '"," or "}"');
    state.at++;
    skipSpace(state);
  }
  state.at++;
  return object;
}

function report(state: State, depth: number, message: string): void {
  state.violations.push({
    requirement: state.requirement,
    pointer: pointerOf(state.path, depth),
    message: `${message} (${place(state)})`,
  });
}

function unexpected(state: State, expected: string): JsonSyntaxError {
  const found =
    state.at >= state.text.length
      ? 'the end of the text'
      : JSON.stringify(String.fromCodePoint(state.text.codePointAt(state.at) ?? 0));
  return new JsonSyntaxError(`not JSON: expected ${expected}, got ${found} at ${place(state)}`, '');
}

function place(state: State): string {
  const before = state.text.slice(0, state.at);
  const line = before.split('\n').length;
  const column = state.at - (before.lastIndexOf('\n') + 1) + 1;
  return `line ${line}, column ${column}`;
}
