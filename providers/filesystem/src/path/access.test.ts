import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  unlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { workspace } from '../testing/workspace.js';

test('F8: a path beside the root whose name begins like it is outside', async (t) => {
  const w = await workspace(t);
  writeFileSync(join(w.beside, 'x'), 'secret');
  for (const path of [
    '../app_secret/x',
    join(w.beside, 'x'),
    '../app_secret/none',
    '..',
    '/etc/hostname',
  ]) {
    const error = await w.error('read_file', { path });
    assert.equal(error.category, 'permission_denied', path);
    assert.match(error.message, /outside of the directories/);
    assert.equal(
      (await w.error('write_file', { path, content: '' })).category,
      'permission_denied',
    );
  }
  assert.equal(readFileSync(join(w.beside, 'x'), 'utf8'), 'secret');
});

test('F8: a link inside of the root that leads outside is outside, for reading and writing', async (t) => {
  const w = await workspace(t);
  writeFileSync(join(w.beside, 'x'), 'secret');
  symlinkSync(join(w.beside, 'x'), w.path('link'));
  symlinkSync('../app_secret', w.path('dir'));
  symlinkSync('/etc/hostname', w.path('etc'));
  symlinkSync(join(w.beside, 'new'), w.path('dangling'));
  for (const path of ['link', 'dir/x', 'etc', 'dangling', 'dir/../app_secret/x']) {
    assert.equal((await w.error('read_file', { path })).category, 'permission_denied', path);
    assert.equal(
      (await w.error('write_file', { path, content: 'y' })).category,
      'permission_denied',
    );
    const edit = await w.error('edit_file', { path, old: 's', new: 'y' });
    assert.equal(edit.category, 'permission_denied');
  }
  assert.equal(readFileSync(join(w.beside, 'x'), 'utf8'), 'secret');
  assert.ok(!existsSync(join(w.beside, 'new')));
});

test('F8: ".." after a link goes up from where the link leads', async (t) => {
  const w = await workspace(t);
  mkdirSync(w.path('deep', 'er'), { recursive: true });
  symlinkSync('deep/er', w.path('l'));
  writeFileSync(w.path('deep', 'f'), 'in deep');
  writeFileSync(w.path('f'), 'at the top');
  const read = await w.call('read_file', { path: 'l/../f', numbered: false });
  assert.equal(read['content'], 'in deep');
});

test('F8: a root that is a link works in both spellings', async (t) => {
  const w = await workspace(t, { allowed_roots: ['../alias'] });
  const alias = join(w.dir, '..', 'alias');
  symlinkSync(w.dir, alias);
  for (const base of [alias, w.dir]) {
    const path = join(base, 'f');
    await w.call('write_file', { path, content: base });
    assert.equal((await w.call('read_file', { path, numbered: false }))['content'], base);
  }
});

test('F8: below a linked directory that leads outside, nothing is made', async (t) => {
  const w = await workspace(t);
  symlinkSync(w.beside, w.path('out'));
  const error = await w.error('write_file', { path: 'out/new/deep/f', content: 'x' });
  assert.equal(error.category, 'permission_denied');
  assert.ok(!existsSync(join(w.beside, 'new')));
});

test('F8: links in a circle are an error, not a hang', async (t) => {
  const w = await workspace(t);
  symlinkSync('b', w.path('a'));
  symlinkSync('a', w.path('b'));
  const error = await w.error('read_file', { path: 'a' });
  assert.equal(error.category, 'execution_failed');
  assert.match(error.message, /symbolic links/);
});

test('F8: whether something outside exists is not told', async (t) => {
  const w = await workspace(t);
  writeFileSync(join(w.beside, 'there'), '');
  const messages = await Promise.all(
    ['there', 'none', 'there/below'].map(async (name) => {
      const error = await w.error('stat', { path: `../app_secret/${name}` });
      return error.message.replaceAll(name, 'NAME');
    }),
  );
  assert.equal(new Set(messages).size, 1);
});

test('CFG-03: read-only roots are read and not changed', async (t) => {
  const w = await workspace(t, { read_only_roots: ['../app_secret'] });
  writeFileSync(join(w.beside, 'x'), 'secret');
  const read = await w.call('read_file', { path: '../app_secret/x', numbered: false });
  assert.equal(read['content'], 'secret');
  const error = await w.error('write_file', { path: '../app_secret/x', content: '' });
  assert.equal(error.category, 'permission_denied');
});

test('RPC-06: a relative path needs a working directory', async (t) => {
  const w = await workspace(t);
  const error = await w.error('stat', { path: 'f' }, { cwd: '' });
  assert.equal(error.category, 'invalid_arguments');
  for (const path of ['', 'a\0b']) {
    assert.equal((await w.error('stat', { path })).category, 'invalid_arguments');
  }
});

test('F8: a directory that is swapped for a link again and again never leads outside', async (t) => {
  const w = await workspace(t);
  const inside = w.path('d');
  const parked = w.path('parked');
  mkdirSync(inside);
  writeFileSync(join(inside, 'f'), 'inside');
  writeFileSync(join(w.beside, 'f'), 'outside');
  const swapping = { on: true };
  const swapper = (async () => {
    while (swapping.on) {
      renameSync(inside, parked);
      insist(inside, () => symlinkSync(w.beside, inside));
      await new Promise(setImmediate);
      unlinkSync(inside);
      insist(inside, () => renameSync(parked, inside));
      for (let i = 0; i < 12; i++) await new Promise(setImmediate);
    }
  })();
  let read = 0;
  for (let i = 0; i < 300; i++) {
    const last = (await w.events('read_file', { path: 'd/f', numbered: false })).at(-1);
    if (last?.type === 'result') {
      assert.equal(last.payload['content'], 'inside');
      read += 1;
    }
    await w.events('write_file', { path: `d/new${i}`, content: 'x' });
    await w.events('write_file', { path: 'd/f', content: 'inside' });
  }
  swapping.on = false;
  await swapper;
  assert.equal(readFileSync(join(w.beside, 'f'), 'utf8'), 'outside');
  assert.deepEqual(readdirSync(w.beside), ['f'], 'nothing was made outside');
  assert.ok(read > 0);
});

/** A write may just have made the directory that was away: it is removed until there is room. */
function insist(path: string, work: () => void): void {
  for (;;) {
    try {
      work();
      return;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'EEXIST' && code !== 'ENOTEMPTY') throw error;
      rmSync(path, { recursive: true, force: true });
    }
  }
}
