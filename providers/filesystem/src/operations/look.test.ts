// list_directory and stat.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { textOf, workspace } from '../testing/workspace.js';

test('list_directory is sorted, with types, sizes and link targets; hidden names too', async (t) => {
  const w = await workspace(t);
  mkdirSync(w.path('dir', 'sub'), { recursive: true });
  writeFileSync(w.path('b'), '12345');
  writeFileSync(w.path('.hidden'), '');
  writeFileSync(w.path('dir', 'sub', 'deep'), 'x');
  symlinkSync('/etc', w.path('link'));
  execFileSync('mkfifo', [w.path('pipe')]);
  const { entries } = await w.call('list_directory', {});
  assert.deepEqual(entries, [
    { name: '.hidden', type: 'file', size: 0 },
    { name: 'b', type: 'file', size: 5 },
    { name: 'dir', type: 'directory' },
    { name: 'link', type: 'symlink', link_target: '/etc' },
    { name: 'pipe', type: 'pipe' },
  ]);
  const deep = await w.call('list_directory', { depth: 3 });
  const names = (deep['entries'] as { name: string }[]).map((entry) => entry.name);
  assert.deepEqual(names, ['.hidden', 'b', 'dir', 'dir/sub', 'dir/sub/deep', 'link', 'pipe']);
});

test('list_directory says when there is more', async (t) => {
  const w = await workspace(t);
  for (let i = 0; i < 30; i++) writeFileSync(w.path(`f${String(i).padStart(2, '0')}`), '');
  const { entries, notice } = await w.call('list_directory', { limit: 5 });
  assert.deepEqual(
    (entries as { name: string }[]).map((entry) => entry.name),
    ['f00', 'f01', 'f02', 'f03', 'f04'],
  );
  assert.match(textOf(notice), /more than 5 entries/);
  assert.equal((await w.call('list_directory', { limit: 30 }))['notice'], undefined);
});

test('list_directory of a file, of nothing, with wrong limits', async (t) => {
  const w = await workspace(t);
  writeFileSync(w.path('f'), '');
  assert.match((await w.error('list_directory', { path: 'f' })).message, /is a file/);
  assert.equal((await w.error('list_directory', { path: 'no' })).category, 'not_found');
  assert.equal((await w.error('list_directory', { depth: 0 })).category, 'invalid_arguments');
});

test('stat says what a path leads to', async (t) => {
  const w = await workspace(t);
  writeFileSync(w.path('f'), 'abc', { mode: 0o640 });
  symlinkSync('f', w.path('l'));
  const stat = await w.call('stat', { path: 'l' });
  assert.equal(stat['path'], w.path('f'));
  assert.equal(stat['type'], 'file');
  assert.equal(stat['size'], 3);
  assert.match(textOf(stat['mode']), /^06[04]0$/);
  assert.equal(stat['link_target'], 'f');
  assert.equal((await w.call('stat', { path: '.' }))['type'], 'directory');
  assert.equal((await w.error('stat', { path: 'none' })).category, 'not_found');
});
