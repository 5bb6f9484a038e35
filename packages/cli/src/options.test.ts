import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { tempDir } from '@tenon/test-support';
import { UsageError } from './errors.js';
import { findConfig } from './kernel/find-config.js';
import { parseCount, parseDuration, parseWhen, splitCommand } from './options.js';
import { durationText } from './output/format.js';

test('durations, dates and counts are read, and anything else is a usage error', () => {
  assert.equal(parseDuration('1.5s', '-x'), 1_500);
  assert.equal(parseDuration('2m', '-x'), 120_000);
  assert.equal(parseDuration('7d', '-x'), 604_800_000);
  assert.equal(parseWhen('10m', '-x', 1_000_000), 400_000);
  assert.equal(parseWhen('2026-01-01T00:00:00Z', '-x', 0), Date.UTC(2026, 0, 1));
  assert.equal(parseCount('3', '-x'), 3);
  for (const wrong of ['', '5', '-1s', 'soon', '1e3s']) {
    assert.throws(() => parseDuration(wrong, '--timeout'), UsageError, wrong);
  }
  assert.throws(() => parseWhen('tomorrow?', '--since', 0), /--since/);
  for (const wrong of ['0', '-1', '1.5', 'x', '']) {
    assert.throws(() => parseCount(wrong, '--limit'), UsageError, wrong);
  }
});

test('durations are shown in the unit that a person would choose', () => {
  assert.deepEqual([1.4, 850, 1_000, 1_550, 120_000, 7_200_000].map(durationText), [
    '1 ms',
    '850 ms',
    '1 s',
    '1.6 s',
    '2 min',
    '2 h',
  ]);
});

test('a command line is split like a shell does it, and any words survive quoting', () => {
  assert.deepEqual(splitCommand(`node  'a b.mjs' --x="c \\" d" e\\ f ''`), [
    'node',
    'a b.mjs',
    '--x=c " d',
    'e f',
    '',
  ]);
  fc.assert(
    fc.property(fc.array(fc.string()), (words) => {
      const quoted = words.map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`).join(' ');
      assert.deepEqual(splitCommand(quoted), words);
    }),
  );
});

test('the configuration is searched upwards; one that is named has to be there', (t) => {
  const root = tempDir(t);
  const deep = join(root, 'a', 'b');
  mkdirSync(deep, { recursive: true });
  mkdirSync(join(root, '.agent'));
  const inAgent = join(root, '.agent', 'agent.hcl');
  writeFileSync(inAgent, '');
  assert.equal(findConfig(undefined, deep, {}), inAgent);
  const json = join(root, 'a', 'agent.json');
  writeFileSync(json, '{}');
  assert.equal(findConfig(undefined, deep, {}), json);
  assert.equal(findConfig('../agent.json', deep, {}), json);
  assert.equal(findConfig(undefined, deep, { TENON_CONFIG: inAgent }), inAgent);
  assert.throws(() => findConfig('nope.hcl', deep, {}), /no configuration at .*nope\.hcl/);
});
