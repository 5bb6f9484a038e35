// move, delete and undo.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { textOf, workspace } from '../testing/workspace.js';

test('move renames a file and a directory, makes what is missing, and replaces nothing', async (t) => {
  const w = await workspace(t);
  mkdirSync(w.path('d'));
  writeFileSync(w.path('d', 'f'), 'x', { mode: 0o640 });
  await w.call('move', { from: 'd/f', to: 'new/deep/g' });
  assert.equal(readFileSync(w.path('new', 'deep', 'g'), 'utf8'), 'x');
  await w.call('move', { from: 'new', to: 'd/new' });
  assert.ok(existsSync(w.path('d', 'new', 'deep', 'g')));
  writeFileSync(w.path('a'), 'a');
  writeFileSync(w.path('b'), 'b');
  const error = await w.error('move', { from: 'a', to: 'b' });
  assert.equal(error.category, 'execution_failed');
  assert.match(error.message, /something at "b" already/);
  assert.equal(readFileSync(w.path('b'), 'utf8'), 'b');
  assert.equal((await w.error('move', { from: 'd', to: 'd/new/x' })).category, 'invalid_arguments');
  assert.equal((await w.error('move', { from: 'none', to: 'x' })).category, 'not_found');
});

test('move of a link moves the link', async (t) => {
  const w = await workspace(t);
  writeFileSync(w.path('f'), 'x');
  symlinkSync('f', w.path('l'));
  await w.call('move', { from: 'l', to: 'm' });
  assert.ok(lstatSync(w.path('m')).isSymbolicLink());
  assert.ok(existsSync(w.path('f')));
});

test('F8: move and delete stay inside, and never take a root', async (t) => {
  const w = await workspace(t, { allowed_roots: ['.', 'inner'] });
  mkdirSync(w.path('inner'));
  writeFileSync(join(w.beside, 'x'), 'secret');
  writeFileSync(w.path('f'), 'f');
  symlinkSync(w.beside, w.path('out'));
  for (const [operation, args] of [
    ['move', { from: '../app_secret/x', to: 'x' }],
    ['move', { from: 'out/x', to: 'x' }],
    ['move', { from: 'f', to: '../app_secret/f' }],
    ['move', { from: 'f', to: 'out/f' }],
    ['move', { from: 'f', to: 'out/new/f' }],
    ['delete', { path: 'out/x' }],
    ['delete', { path: '../app_secret/x' }],
    ['delete', { path: '.', recursive: true }],
    ['delete', { path: 'inner', recursive: true }],
    ['delete', { path: '..', recursive: true }],
    ['undo', { path: '../app_secret/x' }],
  ] as const) {
    const error = await w.error(operation, args);
    assert.equal(error.category, 'permission_denied', JSON.stringify([operation, args]));
  }
  assert.deepEqual(readdirSync(w.beside), ['x']);
  assert.ok(existsSync(w.path('f')));
  // The link itself is inside.
  await w.call('delete', { path: 'out' });
  assert.ok(!existsSync(w.path('out')));
  assert.ok(existsSync(join(w.beside, 'x')));
});

test('delete goes to the trash, and undo brings it back', async (t) => {
  const w = await workspace(t);
  mkdirSync(w.path('d', 'sub'), { recursive: true });
  writeFileSync(w.path('d', 'sub', 'f'), 'x');
  const refused = await w.error('delete', { path: 'd' });
  assert.match(refused.message, /directory with 1 entries; set recursive/);
  const gone = await w.call('delete', { path: 'd', recursive: true });
  assert.ok(!existsSync(w.path('d')));
  assert.ok(existsSync(join(textOf(gone['trashed']), 'sub', 'f')));
  assert.deepEqual((await w.call('undo', { path: 'd' }))['undone'], 'delete');
  assert.equal(readFileSync(w.path('d', 'sub', 'f'), 'utf8'), 'x');
  assert.equal((await w.error('undo', { path: 'd' })).category, 'not_found');
});

test('undo of a delete does not replace what is there now', async (t) => {
  const w = await workspace(t);
  writeFileSync(w.path('f'), 'old');
  await w.call('delete', { path: 'f' });
  writeFileSync(w.path('f'), 'new');
  assert.match((await w.error('undo', { path: 'f' })).message, /something at .* already/);
  assert.equal(readFileSync(w.path('f'), 'utf8'), 'new');
});

test('undo brings back content and mode, once', async (t) => {
  const w = await workspace(t);
  writeFileSync(w.path('f'), 'one\r\ntwo\r\n', { mode: 0o600 });
  await w.call('edit_file', { path: 'f', old: 'two', new: '2' });
  await w.call('edit_file', { path: 'f', old: 'one', new: '1' });
  const tree = await w.preview('undo', { path: 'f' });
  assert.ok(tree?.root.type === 'group' && tree.root.children[1]?.type === 'diff');
  await w.call('undo', { path: 'f' });
  assert.equal(readFileSync(w.path('f'), 'utf8'), 'one\r\n2\r\n');
  assert.equal(statSync(w.path('f')).mode & 0o777, 0o600);
  assert.equal((await w.error('undo', { path: 'f' })).category, 'not_found');
  // Its own change: writing again needs no new reading.
  await w.call('write_file', { path: 'f', content: 'x' });
});

test('undo of a file that was made removes it; F7: not when it was changed since', async (t) => {
  const w = await workspace(t);
  await w.call('write_file', { path: 'new', content: 'x' });
  await w.call('undo', { path: 'new' });
  assert.ok(!existsSync(w.path('new')));
  await w.call('write_file', { path: 'new', content: 'x' });
  writeFileSync(w.path('new'), 'by somebody');
  assert.match((await w.error('undo', { path: 'new' })).message, /has been changed since/);
  assert.equal(readFileSync(w.path('new'), 'utf8'), 'by somebody');
});

test('undo of a move works by both names', async (t) => {
  for (const path of ['a', 'sub/b']) {
    const w = await workspace(t);
    writeFileSync(w.path('a'), 'x');
    await w.call('move', { from: 'a', to: 'sub/b' });
    await w.call('undo', { path });
    assert.equal(readFileSync(w.path('a'), 'utf8'), 'x');
    assert.equal((await w.error('undo', { path: 'a' })).category, 'not_found');
    assert.equal((await w.error('undo', { path: 'sub/b' })).category, 'not_found');
  }
});

test('undo of one file of a multi_edit leaves the other', async (t) => {
  const w = await workspace(t);
  writeFileSync(w.path('a'), 'one');
  writeFileSync(w.path('b'), 'two');
  const edits = [
    { path: 'a', old: 'one', new: '1' },
    { path: 'b', old: 'two', new: '2' },
  ];
  await w.call('multi_edit', { edits });
  await w.call('undo', { path: 'a' });
  assert.equal(readFileSync(w.path('a'), 'utf8'), 'one');
  assert.equal(readFileSync(w.path('b'), 'utf8'), '2');
});

test('without a writable state directory a change is made, and says that it cannot be undone', async (t) => {
  const w = await workspace(t, { state_directory: '/proc/none' });
  writeFileSync(w.path('f'), 'one');
  const done = await w.call('edit_file', { path: 'f', old: 'one', new: '1' });
  assert.equal(done['undo_available'], false);
  assert.equal(readFileSync(w.path('f'), 'utf8'), '1');
  // What cannot go to a trash is not deleted.
  const error = await w.error('delete', { path: 'f' });
  assert.ok(['not_found', 'permission_denied', 'execution_failed'].includes(error.category));
  assert.ok(existsSync(w.path('f')));
});

test('F8: a record that was forged inside of a root leads nowhere else', async (t) => {
  const w = await workspace(t);
  await w.reconfigure({ state_directory: w.path('state') });
  writeFileSync(join(w.beside, 'secret'), 'secret');
  writeFileSync(w.path('f'), 'one');
  await w.call('edit_file', { path: 'f', old: 'one', new: 'two' });
  const [name = ''] = readdirSync(w.path('state', 'undo')).filter((one) => one.endsWith('.json'));
  const file = w.path('state', 'undo', name);
  const record = JSON.parse(readFileSync(file, 'utf8')) as { change: { blob: string } };
  const outside = join(w.beside, 'secret');
  const { blob } = record.change;
  for (const forged of [outside, `${w.path('state', 'undo')}/../../../app_secret/secret`, 'link']) {
    const own = forged === 'link' ? blob : forged;
    if (forged === 'link') {
      rmSync(blob);
      symlinkSync(outside, blob);
    }
    writeFileSync(file, JSON.stringify({ ...record, change: { ...record.change, blob: own } }));
    assert.equal((await w.error('undo', { path: 'f' })).category, 'not_found');
  }
  const deleted = { type: 'deleted', trashed: outside };
  writeFileSync(file, JSON.stringify({ ...record, change: deleted }));
  rmSync(w.path('f'));
  assert.equal((await w.error('undo', { path: 'f' })).category, 'permission_denied');
  assert.equal(readFileSync(outside, 'utf8'), 'secret');
});

test('delete and undo across file systems', async (t) => {
  const w = await workspace(t);
  mkdirSync(w.path('other'));
  if (!mountSmall(t, w.path('other'))) return;
  try {
    mkdirSync(w.path('other', 'd'));
    writeFileSync(w.path('other', 'd', 'f'), 'x', { mode: 0o640 });
    symlinkSync('../f', w.path('other', 'd', 'l'));
    await w.call('delete', { path: 'other/d', recursive: true });
    assert.deepEqual(readdirSync(w.path('other')), []);
    await w.call('undo', { path: 'other/d' });
    assert.equal(readFileSync(w.path('other', 'd', 'f'), 'utf8'), 'x');
    assert.ok(lstatSync(w.path('other', 'd', 'l')).isSymbolicLink());
    await w.call('move', { from: 'other/d/f', to: 'f' });
    assert.equal(statSync(w.path('f')).mode & 0o777, 0o640);
  } finally {
    execFileSync('umount', [w.path('other')]);
  }
});

function mountSmall(t: TestContext, at: string): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) {
    t.skip('a small file system can be mounted by root on Linux alone');
    return false;
  }
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', at], { stdio: 'pipe' });
    return true;
  } catch (error) {
    t.skip(`nothing can be mounted here: ${String(error)}`);
    return false;
  }
}

test('PRV-02: previews of move, delete and undo change nothing', async (t) => {
  const w = await workspace(t);
  mkdirSync(w.path('d'));
  writeFileSync(w.path('d', 'f'), 'x');
  const shown = await w.preview('delete', { path: 'd', recursive: true });
  assert.match(JSON.stringify(shown), /Delete the directory .*"content":"f"/);
  assert.ok(await w.preview('move', { from: 'd/f', to: 'new/g' }));
  await assert.rejects(w.preview('undo', { path: 'd/f' }), { category: 'not_found' });
  assert.deepEqual(readdirSync(w.dir), ['d']);
  assert.ok(!existsSync(join(w.dir, '..', 'state')));
});
