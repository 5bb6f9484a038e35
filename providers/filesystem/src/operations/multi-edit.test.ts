import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { test } from 'node:test';
import { makeChanges } from '../change/make-changes.js';
import type { PlannedChange } from '../change/planned.js';
import { readWhole } from '../change/read-whole.js';
import type { Config } from '../config.js';
import { workspace } from '../testing/workspace.js';

const never = new AbortController().signal;

test('multi_edit changes several files, and edits of one file build upon each other', async (t) => {
  const w = await workspace(t);
  writeFileSync(w.path('a'), 'one\n');
  writeFileSync(w.path('b'), 'two\r\n');
  symlinkSync('a', w.path('link'));
  const { files } = await w.call('multi_edit', {
    edits: [
      { path: 'a', old: 'one', new: 'ONE' },
      { path: 'b', old: 'two', new: 'TWO\nmore' },
      { path: 'link', old: 'ONE', new: 'uno' },
    ],
  });
  assert.equal((files as unknown[]).length, 2);
  assert.equal(readFileSync(w.path('a'), 'utf8'), 'uno\n');
  assert.equal(readFileSync(w.path('b'), 'utf8'), 'TWO\r\nmore\r\n');
});

test('multi_edit changes nothing when one edit cannot be done, and names each of them', async (t) => {
  const w = await workspace(t);
  writeFileSync(w.path('a'), 'one\n');
  writeFileSync(w.path('b'), 'x x\n');
  const error = await w.error('multi_edit', {
    edits: [
      { path: 'a', old: 'one', new: 'ONE' },
      { path: 'b', old: 'x', new: 'y' },
      { path: 'none', old: 'x', new: 'y' },
    ],
  });
  assert.equal(error.category, 'execution_failed');
  assert.match(
    error.message,
    /2 of 3 edits cannot be done. edit 2: .*lines 1, 1.*edit 3: .*does not exist/,
  );
  assert.equal(readFileSync(w.path('a'), 'utf8'), 'one\n');
});

test('multi_edit changes nothing when the last file cannot be written', async (t) => {
  const w = await workspace(t);
  writeFileSync(w.path('a'), 'one\n');
  writeFileSync(w.path('b'), 'two\n');
  chmodSync(w.path('b'), 0o400);
  chmodSync(w.path('b'), 0o444);
  const error = await w.error('multi_edit', {
    edits: [
      { path: 'a', old: 'one', new: 'ONE' },
      { path: 'b', old: 'two', new: 'TWO' },
    ],
  });
  assert.equal(error.category, 'permission_denied');
  assert.equal(readFileSync(w.path('a'), 'utf8'), 'one\n');
  assert.equal(readFileSync(w.path('b'), 'utf8'), 'two\n');
});

test('what was put in place is taken back when a later file was changed meanwhile', async (t) => {
  const w = await workspace(t);
  writeFileSync(w.path('a'), 'one\n', { mode: 0o640 });
  writeFileSync(w.path('c'), 'three\n');
  const planned = async (name: string, text: string): Promise<PlannedChange> => {
    const path = { given: name, real: w.path(name), exists: true, problem: undefined };
    const exists = existsSync(path.real);
    const before = exists ? await readWhole(path, 100, never) : undefined;
    return { path, before, bytes: Buffer.from(text) };
  };
  const changes = [
    await planned('a', 'mine\n'),
    await planned('b', 'made\n'),
    await planned('c', 'mine\n'),
  ];
  writeFileSync(w.path('c'), 'changed by somebody\n');
  const config = { state_directory: w.path('..', 'state'), max_undo_bytes: 100 } as Config;
  const info = {
    id: '',
    toolName: '',
    context: { sessionId: '', turnId: '', workingDirectory: '' },
  };
  const roots = { purpose: 'change', real: [], contains: () => true } as const;
  const context = { call: info, config, roots, signal: never };
  await assert.rejects(
    makeChanges(changes, 'multi_edit', context),
    /somebody else while this call/,
  );
  assert.equal(readFileSync(w.path('a'), 'utf8'), 'one\n');
  assert.equal(statSync(w.path('a')).mode & 0o777, 0o640);
  assert.equal(readFileSync(w.path('c'), 'utf8'), 'changed by somebody\n');
  assert.deepEqual(readdirSync(w.dir).sort(), ['a', 'c']);
  assert.deepEqual(readdirSync(w.path('..', 'state', 'undo')), []);
});

test('multi_edit takes one edit at least', async (t) => {
  const w = await workspace(t);
  assert.equal((await w.error('multi_edit', { edits: [] })).category, 'invalid_arguments');
});
