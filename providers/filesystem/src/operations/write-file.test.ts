import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { JsonObject } from '@tenon/provider';
import { textOf, type Workspace, workspace } from '../testing/workspace.js';

const noRemains = (w: Workspace) => {
  assert.deepEqual(
    readdirSync(w.dir).filter((name) => name.startsWith('.tenon-')),
    [],
  );
};

test('write_file makes a file and its directories, and replaces it', async (t) => {
  const w = await workspace(t);
  const made = await w.call('write_file', { path: 'a/b/f', content: 'one' });
  assert.equal(made['created'], true);
  assert.equal(made['path'], w.path('a', 'b', 'f'));
  const again = await w.call('write_file', { path: 'a/b/f', content: 'zwei €' });
  assert.equal(again['created'], false);
  assert.equal(again['bytes'], 8);
  assert.equal(readFileSync(w.path('a', 'b', 'f'), 'utf8'), 'zwei €');
  assert.deepEqual(readdirSync(w.path('a', 'b')), ['f']);
});

test('write_file keeps the mode, and a link stays a link', async (t) => {
  const w = await workspace(t);
  writeFileSync(w.path('run.sh'), 'old', { mode: 0o750 });
  chmodSync(w.path('run.sh'), 0o750);
  symlinkSync('run.sh', w.path('link'));
  await w.call('write_file', { path: 'link', content: 'new' });
  assert.equal(statSync(w.path('run.sh')).mode & 0o777, 0o750);
  assert.equal(readFileSync(w.path('run.sh'), 'utf8'), 'new');
  assert.deepEqual(readdirSync(w.dir).sort(), ['link', 'run.sh']);
});

test('F7: with the hash that was read, a file that changed since is left as it is', async (t) => {
  const w = await workspace(t);
  writeFileSync(w.path('f'), 'as read');
  const { hash } = await w.call('read_file', { path: 'f' });
  writeFileSync(w.path('f'), 'changed by somebody');
  const args = { path: 'f', content: 'mine', expected_hash: textOf(hash) };
  const error = await w.error('write_file', args);
  assert.equal(error.category, 'execution_failed');
  assert.equal(error.retryable, false);
  assert.match(error.message, /has changed since it was read.*Read it again/);
  assert.equal(readFileSync(w.path('f'), 'utf8'), 'changed by somebody');
  await assert.rejects(w.preview('write_file', args), /has changed since/);
  const { hash: current } = await w.call('read_file', { path: 'f' });
  await w.call('write_file', { ...args, expected_hash: textOf(current) });
  assert.equal(readFileSync(w.path('f'), 'utf8'), 'mine');
});

test('F7: without a hash too, what this session read in another form is not overwritten', async (t) => {
  const w = await workspace(t);
  writeFileSync(w.path('f'), 'as read');
  await w.call('read_file', { path: 'f' });
  writeFileSync(w.path('f'), 'changed by somebody');
  const error = await w.error('write_file', { path: 'f', content: 'mine' });
  assert.match(error.message, /changed since it was read in this session/);
  // A session that never read it has nothing to be warned about; its own writes are known to it.
  await w.call('write_file', { path: 'f', content: 'other' }, { session: 'T' });
  await w.call('write_file', { path: 'f', content: 'other 2' }, { session: 'T' });
  writeFileSync(w.path('g'), 'x');
  const gone = { path: 'none', content: 'x', expected_hash: '0'.repeat(64) };
  assert.match((await w.error('write_file', gone)).message, /does not exist any more/);
});

test('RTY-01: the same write once more is no change, also with the hash of before', async (t) => {
  const w = await workspace(t);
  writeFileSync(w.path('f'), 'old');
  const { hash } = await w.call('read_file', { path: 'f' });
  const args = { path: 'f', content: 'new', expected_hash: textOf(hash) };
  const first = await w.call('write_file', args);
  const { mtimeMs } = statSync(w.path('f'));
  assert.deepEqual(await w.call('write_file', args), first);
  assert.equal(statSync(w.path('f')).mtimeMs, mtimeMs);
  await w.call('undo', { path: 'f' });
  assert.equal(readFileSync(w.path('f'), 'utf8'), 'old');
});

test('a preview of two files that have nothing in common is quick, and says so', async (t) => {
  const w = await workspace(t);
  const lines = (word: string) =>
    Array.from({ length: 60_000 }, (_, i) => `${word} ${i}\n`).join('');
  writeFileSync(w.path('f'), lines('old'));
  const tree = await w.preview('write_file', { path: 'f', content: lines('new') });
  assert.match(JSON.stringify(tree), /Too many changes to show: 60001 lines before/);
});

test('F10: a read-only file is left as it is', async (t) => {
  const w = await workspace(t);
  writeFileSync(w.path('f'), 'old');
  chmodSync(w.path('f'), 0o444);
  for (const [operation, args] of [
    ['write_file', { path: 'f', content: 'new' }],
    ['edit_file', { path: 'f', old: 'old', new: 'new' }],
  ] as const) {
    const error = await w.error(operation, args);
    assert.equal(error.category, 'permission_denied');
    assert.match(error.message, /read-only \(mode 0444\)/);
  }
  assert.equal(readFileSync(w.path('f'), 'utf8'), 'old');
  noRemains(w);
});

test('F10: a path whose parent is a file, and a path that is a directory', async (t) => {
  const w = await workspace(t);
  writeFileSync(w.path('f'), 'old');
  mkdirSync(w.path('d'));
  for (const path of ['f/x', 'f/x/y']) {
    const error = await w.error('write_file', { path, content: 'new' });
    assert.equal(error.category, 'not_found');
    assert.match(error.message, /a file, not a directory/);
  }
  assert.equal(
    (await w.error('write_file', { path: 'd', content: '' })).category,
    'execution_failed',
  );
  assert.equal(readFileSync(w.path('f'), 'utf8'), 'old');
});

test('F10: a full disk leaves the old content, and nothing beside it', async (t) => {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) {
    t.skip('a small file system can be mounted by root on Linux alone');
    return;
  }
  const w = await workspace(t);
  mkdirSync(w.path('small'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', w.path('small')], {
      stdio: 'pipe',
    });
  } catch (error) {
    t.skip(`nothing can be mounted here: ${String(error)}`);
    return;
  }
  try {
    await w.call('write_file', { path: 'small/f', content: 'old' });
    const content = 'x'.repeat(400_000);
    for (const path of ['small/f', 'small/new/deep/f']) {
      const error = await w.error('write_file', { path, content });
      assert.equal(error.category, 'execution_failed');
      assert.match(error.message, /no space left on device/);
      assert.ok(!error.message.includes('/proc/'));
    }
    assert.equal(readFileSync(w.path('small', 'f'), 'utf8'), 'old');
    assert.deepEqual(readdirSync(w.path('small')), ['f']);
  } finally {
    execFileSync('umount', [w.path('small')]);
  }
});

test('F10: a name that is too long, a directory without room for names', async (t) => {
  const w = await workspace(t);
  const error = await w.error('write_file', { path: 'n'.repeat(300), content: '' });
  assert.equal(error.category, 'execution_failed');
  noRemains(w);
});

test('S1: lone surrogates and 5 MB of text', async (t) => {
  const w = await workspace(t);
  const lone = await w.error('write_file', { path: 'f', content: 'x\ud800' });
  assert.equal(lone.category, 'invalid_arguments');
  assert.ok(!existsSync(w.path('f')));
  await w.call('write_file', { path: 'f', content: 'x'.repeat(5_000_000) });
  assert.equal(statSync(w.path('f')).size, 5_000_000);
});

test('S1: numbers that are none, missing values, odd names: refused exactly', async (t) => {
  const w = await workspace(t);
  writeFileSync(w.path('f'), 'x');
  const odd = JSON.parse('{"path":"f","__proto__":{"limit":1}}') as JsonObject;
  let deep: JsonObject = {};
  for (let i = 0; i < 60; i++) deep = { deep };
  for (const [args, pointer] of [
    [{ path: 'f', offset: Number.NaN }, '/offset'],
    [{ path: 'f', offset: undefined as never }, '/offset'],
    [{ path: 'f', limit: 9_007_199_254_740_993n as never }, '/limit'],
    [odd, '/__proto__'],
    [{ path: deep }, '/path'],
    [{}, '/path'],
  ] as const) {
    const error = await w.error('read_file', args);
    assert.equal(error.category, 'invalid_arguments');
    const problems = error.details?.['problems'] as { pointer: string }[];
    assert.equal(problems[0]?.pointer, pointer);
  }
  // Larger than a double holds exactly: no line has such a number.
  const rounded = await w.error('read_file', { path: 'f', offset: 2 ** 53 });
  assert.equal(rounded.category, 'invalid_arguments');
});

test('PRV-01/02: the preview is a diff, and changes nothing', async (t) => {
  const w = await workspace(t);
  writeFileSync(w.path('f'), 'one\ntwo\n');
  const before = readdirSync(w.dir);
  const tree = await w.preview('write_file', { path: 'f', content: 'one\n2\n' });
  assert.ok(tree?.root.type === 'group');
  const diff = tree.root.children[1];
  assert.deepEqual(diff?.type === 'diff' && diff.hunks[0]?.lines, [
    { op: 'context', text: 'one' },
    { op: 'remove', text: 'two' },
    { op: 'add', text: '2' },
  ]);
  await w.preview('write_file', { path: 'new/deep/f', content: 'x' });
  assert.deepEqual(readdirSync(w.dir), before);
  assert.ok(!existsSync(join(w.dir, '..', 'state')));
});

test('a write that is cancelled before its turn changes nothing', async (t) => {
  const w = await workspace(t);
  writeFileSync(w.path('f'), 'old');
  const signal = AbortSignal.abort();
  const [event] = await w.events('write_file', { path: 'f', content: 'new' }, { signal });
  assert.ok(event?.type === 'error' && event.error.category === 'cancelled');
  assert.equal(readFileSync(w.path('f'), 'utf8'), 'old');
});

test('two writes that make the same file do not mix', async (t) => {
  const w = await workspace(t);
  const contents = Array.from({ length: 8 }, (_, i) => String(i).repeat(100_000));
  await Promise.all(
    contents.map((content, i) =>
      w.call(
        'write_file',
        { path: i % 2 === 0 ? 'f' : './f', content },
        {
          session: `S${i}`,
        },
      ),
    ),
  );
  assert.ok(contents.includes(readFileSync(w.path('f'), 'utf8')));
  noRemains(w);
});
