import assert from 'node:assert/strict';
import { linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { DerivedKey, JsonObject, Operation } from '@tenon/protocol';
import { tempDir } from '@tenon/test-support';
import { lockKeys, lockMode } from './keys.js';
import { type PathFacts, pathIdentities } from './path-key.js';

function operation(parts: Partial<Operation>): Operation {
  const object = { type: 'object', properties: {}, required: [] } as const;
  return {
    name: 'write_file',
    kind: 'resource',
    risk: 'low',
    description: 'for tests',
    input: object,
    output: object,
    streaming: false,
    idempotent: false,
    terminatesTurn: false,
    derivedKeys: [],
    ...parts,
  };
}

const keyed = (keyFields: readonly string[], derivedKeys: readonly DerivedKey[] = []): Operation =>
  operation({ concurrency: { safe: true, keyFields }, derivedKeys });

const pathKey: DerivedKey = { field: 'path', derivation: 'path', keySpace: 'files' };

const keysOf = (op: Operation, args: JsonObject, directory = '/w'): Promise<readonly string[]> =>
  lockKeys(op, args, directory);

async function share(
  op: Operation,
  a: JsonObject,
  b: JsonObject,
  directory = '/w',
): Promise<boolean> {
  const first = new Set(await keysOf(op, a, directory));
  return (await keysOf(op, b, directory)).some((key) => first.has(key));
}

test('CON-02, CON-04: an operation without a spec, or not safe, is exclusive and takes no key', async () => {
  for (const op of [operation({}), operation({ concurrency: { safe: false, keyFields: ['a'] } })]) {
    assert.equal(lockMode(op), 'exclusive');
    assert.deepEqual(await keysOf(op, { a: 'x' }), []);
  }
});

test('CON-03: what an interactive operation declares is ignored', () => {
  assert.equal(lockMode(operation({ kind: 'interactive' })), 'shared');
});

test('CON-05: calls share a key exactly when all key fields are equal', async () => {
  const op = keyed(['a', 'b']);
  assert.equal((await keysOf(op, { a: '1', b: '2' })).length, 1);
  assert.ok(await share(op, { a: '1', b: { x: 1, y: 2 } }, { b: { y: 2, x: 1 }, a: '1' }));
  const others: JsonObject[] = [
    { a: '1' },
    { a: '1', b: null },
    { a: 1, b: '2' },
    { a: '12', b: '' },
  ];
  for (const other of others) {
    assert.ok(!(await share(op, { a: '1', b: '2' }, other)), JSON.stringify(other));
  }
});

test('CON-05: equal values of two operations are two keys, also with names that look like more', async () => {
  const a = await keysOf(operation({ name: 'a', concurrency: { safe: true, keyFields: ['k'] } }), {
    k: 'x',
  });
  const b = await keysOf(operation({ name: 'b', concurrency: { safe: true, keyFields: ['k'] } }), {
    k: 'x',
  });
  assert.notDeepEqual(a, b);
});

test('CON-06: safe without key fields takes no key', async () => {
  assert.equal(lockMode(keyed([])), 'shared');
  assert.deepEqual(await keysOf(keyed([]), { path: 'x' }), []);
});

test('OPEN-02: the literal key stays beside the derived ones', async () => {
  const keys = await keysOf(keyed(['path'], [pathKey]), { path: 'a.txt' });
  assert.equal(keys.length, 2);
});

test('OPEN-02: two operations that share a key space share the lock of one file', async () => {
  const write = operation({
    name: 'write',
    concurrency: { safe: true, keyFields: [] },
    derivedKeys: [pathKey],
  });
  const edit = operation({
    name: 'edit',
    concurrency: { safe: true, keyFields: [] },
    derivedKeys: [pathKey],
  });
  assert.deepEqual(await keysOf(write, { path: './x' }), await keysOf(edit, { path: '/w/x' }));
});

test('OPEN-02: a key of every item of an array, and none for what is not there', async () => {
  const op = keyed([], [{ field: 'edits/*/path', derivation: 'path', keySpace: 'files' }]);
  const args: JsonObject = { edits: [{ path: 'a' }, { path: './a' }, { path: 'b' }, {}, 'text'] };
  assert.equal((await keysOf(op, args)).length, 2);
  assert.deepEqual(await keysOf(op, {}), []);
  assert.deepEqual(await keysOf(op, JSON.parse('{"edits":{"__proto__":1}}') as JsonObject), []);
});

test('OPEN-02: every spelling of a file is one key: relative, "..", links, not yet there', async (t) => {
  const root = tempDir(t);
  mkdirSync(join(root, 'real/sub'), { recursive: true });
  writeFileSync(join(root, 'real/f'), '');
  symlinkSync('real', join(root, 'link'));
  symlinkSync('real/f', join(root, 'flink'));
  symlinkSync('real/missing', join(root, 'dangling'));
  const op = keyed([], [pathKey]);
  const same = async (a: string, b: string) => share(op, { path: a }, { path: b }, root);
  for (const path of [
    './real/f',
    'link/f',
    'flink',
    join(root, 'link/../real/f'),
    'link/sub/../f',
  ]) {
    assert.ok(await same('real/f', path), path);
  }
  for (const path of ['link/new/x', join(root, 'real/./new/../new/x')]) {
    assert.ok(await same('real/new/x', path), path);
  }
  assert.ok(!(await same('real/f', 'real/g')));
  assert.ok(!(await same('link', 'real/f')));
});

test('OPEN-02: ".." behind a link is locked in both of its meanings', async (t) => {
  const root = tempDir(t);
  mkdirSync(join(root, 'a/b'), { recursive: true });
  symlinkSync('a/b', join(root, 'link'));
  const op = keyed([], [pathKey]);
  const twoWays = { path: 'link/../f' };
  assert.ok(await share(op, twoWays, { path: 'a/f' }, root));
  assert.ok(await share(op, twoWays, { path: 'f' }, root));
});

test('OPEN-02: hard links of one file share a key', async (t) => {
  const root = tempDir(t);
  writeFileSync(join(root, 'one'), '');
  linkSync(join(root, 'one'), join(root, 'two'));
  writeFileSync(join(root, 'three'), '');
  const op = keyed([], [pathKey]);
  assert.ok(await share(op, { path: 'one' }, { path: 'two' }, root));
  assert.ok(!(await share(op, { path: 'one' }, { path: 'three' }, root)));
});

test('OPEN-02: on a volume that ignores case, other spellings are one key; elsewhere they are not', async () => {
  const volume = (ignoresCase: boolean): PathFacts => {
    const files = new Map([
      ['/v/dir', 1],
      ['/v', 2],
      ['/v/dir/file', 3],
      ['/', 4],
    ]);
    const find = (path: string) => files.get(ignoresCase ? path.toLowerCase() : path);
    return {
      realpath: async (path) => {
        if (find(path) === undefined) throw new Error('ENOENT');
        return path;
      },
      stat: async (path) => {
        const ino = find(path);
        if (ino === undefined) throw new Error('ENOENT');
        return { dev: 7, ino, nlink: 1, isFile: () => true };
      },
      caseInsensitiveByDefault: false,
    };
  };
  const text = async (path: string, ignores: boolean) =>
    (await pathIdentities(path, '/v', volume(ignores))).map((identity) => identity.text);
  assert.deepEqual(await text('DIR/File', true), await text('dir/file', true));
  assert.deepEqual(await text('dir/NEW\u00e9', true), await text('Dir/newe\u0301', true));
  assert.notDeepEqual(await text('dir/NEW', false), await text('dir/new', false));
});

test('OPEN-02: a path that no system can hold is still a key', async () => {
  assert.equal((await pathIdentities('a\0b', '/w')).length, 1);
  assert.equal((await pathIdentities('', '/w')).length, 1);
});
