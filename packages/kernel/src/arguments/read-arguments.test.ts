import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileValidator, type Schema } from '@tenon/protocol';
import type { CatalogEntry } from '../catalog/model.js';
import { readArguments } from './read-arguments.js';
import { checkSizes, MAX_TEXT_BYTES } from './sizes.js';

const properties: Readonly<Record<string, Schema>> = {
  path: { type: 'string' },
  depth: { type: 'number' },
  toString: { type: 'string' as const },
  items: { type: 'array', items: { type: 'string' } },
};
const entry = {
  qualifiedName: 'p.op',
  validateInput: compileValidator({ type: 'object', properties, required: ['path'] }),
} as unknown as CatalogEntry;

/** Pointers of the problems; empty when the arguments were read. */
function problems(given: unknown): readonly string[] {
  const read = readArguments(entry, given);
  if (read.ok) return [];
  assert.equal(read.error.category, 'invalid_arguments');
  assert.equal(read.error.retryable, false);
  const listed = read.error.details?.['problems'] as readonly { pointer: string }[];
  return listed.map(({ pointer }) => pointer);
}

test('ERR-03: an object, JSON text, and nothing at all where nothing is required', () => {
  assert.deepEqual(problems({ path: 'x' }), []);
  assert.deepEqual(problems('{"path":"x"}'), []);
  for (const none of [undefined, null, '', ' ', {}]) assert.equal(problems(none).length, 1);
});

test('ERR-03: what is no JSON object is refused, whatever it is', () => {
  for (const given of ['[1]', '"text"', '{', '{"path":"x"} x', [1], 5, true, new Map(), () => 1]) {
    assert.equal(problems(given).length > 0, true, typeof given);
  }
});

test('ERR-03: every problem has its place', () => {
  assert.deepEqual([...problems({ depth: 'deep', items: ['a', 5], more: 1 })].sort(), [
    '/depth',
    '/items/1',
    '/more',
    '/path',
  ]);
});

test('S1: nothing is rounded, dropped or taken for something else', () => {
  for (const given of [
    '{"path":"x","depth":9007199254740993}',
    { path: 'x', depth: Number.NaN },
    { path: 'x', depth: undefined },
    '{"path":"x","__proto__":{}}',
    { path: 'x', toString: 5 },
    `{"path":"x","deep":${'['.repeat(60)}${']'.repeat(60)}}`,
    '{"path":"x","path":"y"}',
  ]) {
    assert.ok(problems(given).length > 0, JSON.stringify(given));
  }
  const cyclic: Record<string, unknown> = { path: 'x' };
  cyclic['self'] = cyclic;
  assert.ok(problems(cyclic).length > 0);
});

test('ERR-03: a text of 5 MB is refused, with its place', () => {
  const long = 'x'.repeat(5 * 1024 * 1024);
  assert.deepEqual(problems({ path: long }), ['/path']);
  assert.deepEqual(
    checkSizes({ a: { 'b/c': ['', long] } }).map(({ pointer }) => pointer),
    ['/a/b~1c/1'],
  );
  assert.equal(checkSizes({ a: 'x'.repeat(MAX_TEXT_BYTES) }).length, 0);
  assert.equal(checkSizes({ a: '€'.repeat(MAX_TEXT_BYTES / 2) }).length, 1, 'bytes, not letters');
  const many = Object.fromEntries(
    Array.from({ length: 5 }, (_, index) => [`k${index}`, 'x'.repeat(MAX_TEXT_BYTES)]),
  );
  assert.deepEqual(
    checkSizes(many).map(({ pointer }) => pointer),
    [''],
  );
});
