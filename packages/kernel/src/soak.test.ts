import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runSoak } from './fixtures/soak.js';

// scripts/soak.mjs runs it as long as you like.
test('random calls, kills and cancels: nothing is left, and the journal adds up', async () => {
  const report = await runSoak({ calls: 800, seed: 4 });
  assert.ok((report.outcomes.get('ok') ?? 0) > 100);
  assert.ok(report.kills > 0 && report.cancels > 0 && report.starts > 1);
});
