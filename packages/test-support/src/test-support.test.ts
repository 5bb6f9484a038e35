import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { childrenOf, openFds, processAlive, requireTool, tempDir, waitUntil } from './index.js';

test('children are seen while they run, and not afterwards', async () => {
  const child = spawn(process.execPath, ['-e', 'process.stdin.resume()']);
  const pid = child.pid ?? 0;
  assert.equal(processAlive(pid), true);
  assert.ok(childrenOf(process.pid).includes(pid));
  const exit = once(child, 'exit');
  child.stdin.end();
  await exit;
  assert.equal(processAlive(pid), false);
  assert.ok(!childrenOf(process.pid).includes(pid));
});

test('waitUntil gives the value, or says what did not happen and why', async () => {
  let left = 3;
  assert.equal(await waitUntil(() => (left-- > 0 ? undefined : 'there')), 'there');
  const fails = (): never => {
    throw new Error('inner');
  };
  await assert.rejects(waitUntil(fails, { deadlineMs: 20, what: 'a miracle' }), (error: Error) => {
    assert.match(error.message, /a miracle/);
    assert.equal((error.cause as Error).message, 'inner');
    return true;
  });
});

test('a temp dir is removed when its test ends', async (t) => {
  let path = '';
  await t.test('inner', (inner) => {
    path = tempDir(inner);
    assert.ok(existsSync(path));
  });
  assert.ok(!existsSync(path));
});

test('a missing tool skips, and fails in CI', () => {
  const reasons: unknown[] = [];
  const t = { skip: (reason?: string) => void reasons.push(reason) };
  const before = process.env['CI'];
  try {
    delete process.env['CI'];
    assert.equal(requireTool(t, 'no-such-tool-tenon'), false);
    assert.deepEqual(reasons, ['no-such-tool-tenon is not on PATH']);
    process.env['CI'] = 'true';
    assert.throws(() => requireTool(t, 'no-such-tool-tenon'), /not on PATH/);
    assert.equal(requireTool(t, 'node'), true);
  } finally {
    if (before === undefined) delete process.env['CI'];
    else process.env['CI'] = before;
  }
});

test('open descriptors are listed where the system tells', () => {
  if (process.platform === 'linux') assert.ok(openFds().length > 2);
});
