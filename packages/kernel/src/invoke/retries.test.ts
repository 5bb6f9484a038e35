// Auto-retry and the serialized retry, end to end (RTY-01..06, RCT-06).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorOf, openHarness, payloadOf, type Step, watchFor } from '../fixtures/harness.js';

const FAIL: Step = { error: { category: 'execution_failed', retryable: true, message: 'not yet' } };
const failing = (times: number, id: string): Step => ({ times, id, steps: [FAIL] });
/** Ends the script after a failure, as only one terminal event may come. */
const failThenWork = (times: number, id: string): readonly Step[] => [failing(times, id)];

test('RTY-03, RTY-06: a data_source is tried again; the model sees the success, the journal every attempt', async (t) => {
  const harness = await openHarness(t);
  const { outcome, recorded } = await harness.callRecorded('p.read', failThenWork(2, 'a'));
  payloadOf(outcome);
  assert.equal(outcome.attempts, 3);
  assert.deepEqual(outcome.partial, []);
  assert.ok(!JSON.stringify({ ...outcome, arguments: {} }).includes('not yet'));
  assert.deepEqual(
    recorded.starts.map(({ attempt }) => attempt),
    [1, 2, 3],
  );
  assert.deepEqual(
    recorded.ends.map((end) => (end.status === 'error' ? end.reaction.type : 'ok')),
    ['retry', 'retry', 'ok'],
  );
});

test('RTY-01: an idempotent resource is tried again, until the attempts are used up', async (t) => {
  const harness = await openHarness(t);
  const { outcome, recorded } = await harness.callRecorded('p.put', failThenWork(99, 'b'));
  errorOf(outcome, 'execution_failed');
  assert.equal(recorded.starts.length, 3);
});

test('RTY-02: a resource that is not idempotent is not', async (t) => {
  const harness = await openHarness(t);
  const { outcome, recorded } = await harness.callRecorded('p.write', failThenWork(1, 'c'));
  errorOf(outcome, 'execution_failed');
  assert.equal(recorded.starts.length, 1);
});

test('RCT-01, RCT-02, RCT-03, RCT-10: what is never tried again is not, even when it says retryable', async (t) => {
  const harness = await openHarness(t);
  for (const category of ['invalid_arguments', 'not_found', 'permission_denied', 'unknown']) {
    const { outcome, recorded } = await harness.callRecorded('p.read', [
      { error: { category, retryable: true, message: 'no' } },
    ]);
    assert.ok(outcome.status === 'error' && outcome.error.category === category);
    assert.equal(recorded.starts.length, 1, category);
  }
});

test('retries end with the deadline of the call', async (t) => {
  const harness = await openHarness(t, {
    settings: {
      retry: { baseMs: 400, factor: 1, jitter: 0, maxAttempts: 50, maxTotalMs: 60_000 },
    },
  });
  const { outcome, recorded } = await harness.callRecorded('p.read', failThenWork(99, 'd'), {
    timeoutMs: 700,
  });
  errorOf(outcome, 'execution_failed');
  assert.ok(recorded.starts.length <= 2);
  const last = recorded.ends.at(-1);
  assert.match(last?.status === 'error' ? last.reaction.why : '', /time/);
});

const CONFLICT: Step = { error: { category: 'concurrency_conflict', message: 'in the way' } };

test('RCT-06, RTY-05: a conflict is tried again with everything else out of the way, whatever idempotent says', async (t) => {
  const harness = await openHarness(t);
  const other = watchFor('call_event');
  const bystander = harness.call('p.read', [{ chunk: 'x' }, { wait: 100 }], {
    observer: other.observer,
  });
  await other.seen;
  const { outcome, recorded } = await harness.callRecorded('p.write', [
    { times: 1, id: 'e', steps: [CONFLICT] },
  ]);
  assert.equal(payloadOf(outcome)['active'], 1, 'nothing ran beside the second attempt');
  assert.deepEqual(
    recorded.ends.map((end) => (end.status === 'error' ? end.reaction.type : 'ok')),
    ['retry_serialized', 'ok'],
  );
  payloadOf(await bystander);
});

test('RCT-06, CON-08: a keyed call keeps its key for the second attempt, and calls of other keys go on', async (t) => {
  const harness = await openHarness(t);
  const running = new AbortController();
  const other = watchFor('call_event');
  const bystander = harness.call('p.keyed', [{ chunk: 'x' }, { until_cancelled: true }], {
    args: { key: 'other' },
    observer: other.observer,
    signal: running.signal,
  });
  await other.seen;
  const outcome = await harness.call('p.keyed', [{ times: 1, id: 'f', steps: [CONFLICT] }], {
    args: { key: 'mine' },
  });
  payloadOf(outcome);
  assert.equal(outcome.attempts, 2);
  running.abort();
  errorOf(await bystander, 'cancelled');
});
