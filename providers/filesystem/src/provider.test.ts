import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { provider } from './index.js';

test('the provider says what it is, and every operation how it may be called', () => {
  assert.equal(provider.identity.name, 'filesystem');
  const table = provider.schema.operations.map((one) => [one.name, one.kind, one.risk]);
  assert.deepEqual(table, [
    ['read_file', 'data_source', 'read_only'],
    ['list_directory', 'data_source', 'read_only'],
    ['stat', 'data_source', 'read_only'],
    ['write_file', 'resource', 'moderate'],
    ['edit_file', 'resource', 'moderate'],
    ['multi_edit', 'resource', 'moderate'],
    ['move', 'resource', 'moderate'],
    ['delete', 'resource', 'high'],
    ['undo', 'resource', 'moderate'],
  ]);
});

test('OPEN-02: all operations that change files share one key space of paths', () => {
  const changing = provider.schema.operations.filter((one) => one.kind === 'resource');
  assert.ok(changing.every((one) => one.derivedKeys.length > 0));
  for (const { derivedKeys } of changing) {
    assert.ok(derivedKeys.every((key) => key.keySpace === 'files' && key.derivation === 'path'));
  }
});

test('RPC-08: run by hand it says that a kernel starts it', () => {
  const bin = fileURLToPath(new URL('../bin/provider.js', import.meta.url));
  const { status, stderr, stdout } = spawnSync(process.execPath, [bin], { encoding: 'utf8' });
  assert.equal(status, 1);
  assert.match(stderr, /filesystem/);
  assert.equal(stdout, '');
});
