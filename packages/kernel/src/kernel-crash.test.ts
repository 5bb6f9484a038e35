import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tempDir } from '@tenon/test-support';
import { crashRounds } from './fixtures/crash-rounds.js';
import { seeded } from './fixtures/random.js';

// scripts/crash.mjs kills as many as you like.
test('a kernel that is killed at any moment leaves a journal that is true, and no provider', async (t) => {
  const random = seeded(7);
  const report = await crashRounds({
    folder: tempDir(t),
    rounds: 24,
    together: 6,
    random: () => random.next(),
  });
  assert.ok((report.calls['ok'] ?? 0) > 20, JSON.stringify(report));
  assert.ok((report.calls['outcome_unknown'] ?? 0) > 0, JSON.stringify(report));
});
