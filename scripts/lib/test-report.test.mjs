import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const fixtures = join(dirname(fileURLToPath(import.meta.url)), 'fixtures');

function report(...names) {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const files = names.map((name) => join(fixtures, name));
  return spawnSync(process.execPath, [join(fixtures, 'report.mjs'), ...files], {
    encoding: 'utf8',
    env,
  });
}

test('the last line counts leaves, failures are shown in full, skips say why', () => {
  const { status, stdout } = report('mixed.mjs');
  assert.equal(status, 1);
  assert.equal(stdout.trimEnd().split('\n').at(-1), '2 passed, 2 failed, 1 skipped');
  assert.match(stdout, /✖ suite › has a failing step › step/);
  assert.match(stdout, /Error: boom/);
  assert.match(stdout, /printed by the failing file/);
  assert.match(stdout, /is skipped: no compiler here/);
});

test('a file that dies, and one without a test, are failures', () => {
  const { status, stdout } = report('dies.mjs', 'report.mjs');
  assert.equal(status, 1);
  assert.match(stdout, /ended with exit code 3/);
  assert.equal(stdout.trimEnd().split('\n').at(-1), '0 passed, 2 failed');
});
