import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { echo, fixture, killAll, printed, start, until } from '../fixtures/harness.js';

after(killAll);

test('what nobody reads is kept up to a limit, then dropped and counted', async () => {
  // Prints two megabytes before the host can read.
  const { plugin, output, end } = await start(fixture('early'));
  await until('the notice is read', () => printed(output, 'stdio', 'stderr').includes('dropped'));
  const kept = Buffer.byteLength(printed(output, 'stdio', 'stdout'));
  const notice = /\[(\d+) bytes of output were dropped/.exec(printed(output, 'stdio', 'stderr'));
  assert.ok(kept <= 1024 * 1024 && kept > 900 * 1024, String(kept));
  assert.ok(Number(notice?.[1]) + kept >= 2 * 1024 * 1024);
  assert.equal((await echo(plugin, 'unharmed')).text, 'unharmed');
  await end();
});
