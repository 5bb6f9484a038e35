// A provider that is killed itself leaves no command behind.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { waitUntil } from '@tenon/test-support';
import { processTable } from './processes/table.js';

const sleeping = (): number[] =>
  processTable().flatMap(({ pid, zombie }) => {
    if (zombie) return [];
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes('sleep\x0066.5') ? [pid] : [];
    } catch {
      // It ended while we looked.
      return [];
    }
  });

test('CAN-02 kill -9 of the provider ends its commands, sessions and their jobs', async (t) => {
  if (process.platform !== 'linux') {
    t.skip('needs /proc');
    return;
  }
  const runner = fileURLToPath(new URL('../fixtures/runs-commands.mjs', import.meta.url));
  const child = spawn(process.execPath, [runner], { stdio: ['ignore', 'pipe', 'inherit'] });
  await waitUntil(() => sleeping().length === 4);
  child.kill('SIGKILL');
  await once(child, 'exit');
  await waitUntil(() => sleeping().length === 0);
  assert.deepEqual(sleeping(), []);
});
