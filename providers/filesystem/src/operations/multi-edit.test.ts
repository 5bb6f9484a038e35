import assert from 'node:assert/strict';
import { chmodSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { workspace } from '../testing/workspace.js';

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

test('multi_edit takes back what it has put in place when a later file was changed meanwhile', async (t) => {
  const { withStaged } = await import('../change/replace-file.js');
  const { lstat } = await import('node:fs/promises');
  const w = await workspace(t);
  writeFileSync(w.path('a'), 'one\n');
  const path = { given: 'a', real: w.path('a'), exists: true, problem: undefined };
  const stats = await lstat(path.real);
  await withStaged(path, Buffer.from('mine\n'), stats, async (staged) => {
    writeFileSync(w.path('a'), 'changed by somebody\n');
    await assert.rejects(staged.commit(), /changed by somebody else while this call ran/);
  });
  assert.equal(readFileSync(w.path('a'), 'utf8'), 'changed by somebody\n');
});

test('multi_edit takes one edit at least', async (t) => {
  const w = await workspace(t);
  assert.equal((await w.error('multi_edit', { edits: [] })).category, 'invalid_arguments');
});
