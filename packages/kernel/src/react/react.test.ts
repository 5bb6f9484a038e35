// The whole space: 9 categories × 3 kinds × idempotent × retryable × attempts × aborting × time left, against
// the rules written out once more in their own words.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CATEGORIES, type OperationKind, type ToolErrorCategory } from '@tenon/protocol';
import { type Failure, react } from './react.js';
import type { Reaction } from './reaction.js';

const KINDS: readonly OperationKind[] = ['resource', 'data_source', 'interactive'];
const MAX_ATTEMPTS = 3;
const AMPLE = { maxAttempts: MAX_ATTEMPTS, delayMs: 100, remainingMs: 10_000 };
const NONE_LEFT = { maxAttempts: MAX_ATTEMPTS, delayMs: 100, remainingMs: 100 };

function* everyFailure(): Generator<Failure> {
  for (const category of Object.keys(CATEGORIES) as ToolErrorCategory[]) {
    for (const kind of KINDS) {
      for (const idempotent of [false, true]) {
        for (const retryable of [false, true]) {
          for (const turnAborting of [false, true]) {
            for (const attempt of [1, 2, 3, 4]) {
              yield { category, kind, idempotent, retryable, attempt, turnAborting };
            }
          }
        }
      }
    }
  }
}

function expected(failure: Failure): Reaction['type'] {
  const { category, kind, idempotent, retryable, attempt, turnAborting } = failure;
  if (category === 'cancelled') return turnAborting ? 'surface' : 'withhold';
  if (turnAborting || kind === 'interactive' || attempt >= MAX_ATTEMPTS) return 'surface';
  if (category === 'concurrency_conflict') return 'retry_serialized';
  if (category !== 'execution_failed' && category !== 'timeout') return 'surface';
  const safe = kind === 'data_source' || idempotent;
  return retryable && safe ? 'retry' : 'surface';
}

test('RCT-01..10, RTY-01..05: every combination has the reaction that the rules say', () => {
  let count = 0;
  for (const failure of everyFailure()) {
    const reaction = react(failure, AMPLE);
    assert.equal(reaction.type, expected(failure), JSON.stringify(failure));
    assert.notEqual(reaction.why, '');
    count++;
  }
  assert.equal(count, 9 * 3 * 2 * 2 * 2 * 4);
});

test('no failure is tried again when the time left does not last, nor changes otherwise', () => {
  for (const failure of everyFailure()) {
    const reaction = react(failure, NONE_LEFT);
    const ample = expected(failure);
    assert.equal(reaction.type, ample.startsWith('retry') ? 'surface' : ample);
  }
});

test('RTY-04: an interactive call is never tried again', () => {
  for (const failure of everyFailure()) {
    if (failure.kind !== 'interactive') continue;
    assert.ok(!react(failure, AMPLE).type.startsWith('retry'), JSON.stringify(failure));
  }
});

test('RTY-01, RTY-02: only order, never safety, lets a non-idempotent resource run twice', () => {
  for (const failure of everyFailure()) {
    if (failure.kind !== 'resource' || failure.idempotent) continue;
    const { type } = react(failure, AMPLE);
    assert.ok(type !== 'retry', JSON.stringify(failure));
    if (type === 'retry_serialized') assert.equal(failure.category, 'concurrency_conflict');
  }
});
