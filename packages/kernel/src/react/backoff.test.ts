import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { backoffMs } from './backoff.js';

test('the delay grows by the factor, and jitter only ever shortens it', () => {
  const settings = { baseMs: 100, factor: 2, jitter: 0.5, maxTotalMs: 10_000 };
  assert.deepEqual(
    [1, 2, 3, 4].map((n) => backoffMs(n, settings, () => 0)),
    [100, 200, 400, 800],
  );
  assert.deepEqual(
    [1, 2, 3, 4].map((n) => backoffMs(n, settings, () => 1)),
    [50, 100, 200, 400],
  );
});

test('the delay stays between its bounds for any attempt, also where the power overflows', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 5_000 }),
      fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
      (attempt, random) => {
        const delay = backoffMs(
          attempt,
          { baseMs: 200, factor: 2, jitter: 0.5, maxTotalMs: 30_000 },
          () => random,
        );
        assert.ok(delay >= 100 && delay <= 30_000);
      },
    ),
  );
});
