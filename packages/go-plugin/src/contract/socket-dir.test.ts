import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeSocketDir, MAX_SOCKET_PATH } from './socket-dir.js';

test('the directory is private and new', () => {
  const dir = makeSocketDir();
  try {
    assert.equal(statSync(dir).mode & 0o777, 0o700);
    assert.notEqual(dir, makeSocketDirAndRemoveIt());
  } finally {
    rmdirSync(dir);
  }
});

test('H2: a temporary directory that is too long is passed over', () => {
  const before = process.env.TMPDIR;
  const base = mkdtempSync(join(tmpdir(), 'long-'));
  const long = join(base, 'x'.repeat(150));
  mkdirSync(long);
  process.env.TMPDIR = long;
  try {
    const dir = makeSocketDirAndRemoveIt();
    assert.ok(!dir.startsWith(long));
    assert.ok(dir.length + '/plugin0123456789'.length <= MAX_SOCKET_PATH);
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
    rmSync(base, { recursive: true });
  }
});

function makeSocketDirAndRemoveIt(): string {
  const dir = makeSocketDir();
  rmdirSync(dir);
  return dir;
}
