// Deadlines (TMO-01..03) and the field cases K1 to K3.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Operation } from '@tenon/protocol';
import { errorOf, openHarness, payloadOf, watchFor } from '../fixtures/harness.js';
import { deadlineMs, MAX_TIMER_MS } from './deadline.js';

const withTimeout = (defaultTimeoutMs?: number): Operation => ({
  name: 'op',
  kind: 'data_source',
  risk: 'read_only',
  description: '',
  input: { type: 'object', properties: {}, required: [] },
  output: { type: 'object', properties: {}, required: [] },
  streaming: false,
  idempotent: false,
  terminatesTurn: false,
  derivedKeys: [],
  ...(defaultTimeoutMs === undefined ? {} : { defaultTimeoutMs }),
});

test('TMO-02: the override, else the operator, else the operation, else the default', () => {
  const operator = { timeoutsMs: { op: 20 } };
  const none = { timeoutsMs: {} };
  assert.equal(deadlineMs(withTimeout(30), operator, 40, 10), 10);
  assert.equal(deadlineMs(withTimeout(30), operator, 40), 20);
  assert.equal(deadlineMs(withTimeout(30), none, 40), 30);
  assert.equal(deadlineMs(withTimeout(), none, 40), 40);
  assert.equal(deadlineMs(withTimeout(0), none, 40), 40, "zero is nobody's deadline");
  assert.equal(deadlineMs(withTimeout(1e15), none, 40), MAX_TIMER_MS);
  assert.equal(deadlineMs({ ...withTimeout(), name: 'toString' }, none, 40), 40);
});

test('TMO-03: at the deadline the call is cancelled and is a timeout; what was reported is kept', async (t) => {
  const harness = await openHarness(t);
  const outcome = await harness.call('p.quick', [
    { chunk: 'half' },
    { until_cancelled: true },
    { partial: { text: 'was at 7 of 10' } },
  ]);
  const error = errorOf(outcome, 'timeout');
  assert.match(error.message, /p\.quick did not end within 200 ms/);
  assert.equal(error.details?.['deadline_ms'], 200);
  assert.deepEqual(
    outcome.partial.map((event) => event.type),
    ['output_chunk', 'partial_result'],
  );
  assert.equal(harness.pids().length, 1);
  payloadOf(await harness.call('p.read', []));
});

test('CAN-04: a success that arrives after the deadline is not one', async (t) => {
  const harness = await openHarness(t);
  const outcome = await harness.call('p.quick', [
    { until_cancelled: true },
    { result: { text: 'late' } },
  ]);
  const error = errorOf(outcome, 'timeout');
  assert.deepEqual(error.details?.['late_result'], { text: 'late' });
});

test('TMO-03, K1: who ignores its cancellation is killed; others are told apart, and the next call works', async (t) => {
  const harness = await openHarness(t);
  const bystander = harness.call('p.write', [{ hang: true }]);
  const outcome = await harness.call('p.quick', [{ hang: true }]);
  const error = errorOf(outcome, 'timeout');
  assert.equal(error.details?.['ignored_cancellation'], true);
  const other = errorOf(await bystander, 'process_crashed');
  assert.match(other.message, /killed because operation quick ignored its cancellation/);
  assert.ok(harness.catalog.resolve('p.read') !== undefined, 'the operations stay listed');
  payloadOf(await harness.call('p.read', []));
  assert.equal(harness.pids().length, 2);
});

test('TMO-03: a provider that spins, so that it cannot even notice, is killed', async (t) => {
  const harness = await openHarness(t, { flags: ['--no-extension'] });
  const outcome = await harness.call('p.quick', [{ wait: 10 }, { spin: 60_000 }]);
  errorOf(outcome, 'timeout');
  payloadOf(await harness.call('p.read', []));
  assert.equal(harness.pids().length, 2);
});

test('TMO-03: a provider without our extension is cancelled and lives on when it answers', async (t) => {
  const harness = await openHarness(t, { flags: ['--no-extension'] });
  errorOf(await harness.call('p.quick', [{ until_cancelled: true }]), 'timeout');
  payloadOf(await harness.call('p.read', []));
  assert.equal(harness.pids().length, 1);
});

test('K2: progress does not extend the deadline, which is the ceiling', async (t) => {
  const harness = await openHarness(t);
  const outcome = await harness.call('p.quick', [
    { repeat: 200, steps: [{ progress: 'still at it' }, { wait: 10 }] },
  ]);
  errorOf(outcome, 'timeout');
});

test('K3: a non-idempotent resource is not run again after a timeout', async (t) => {
  const harness = await openHarness(t);
  const { outcome, recorded } = await harness.callRecorded('p.write', [{ until_cancelled: true }], {
    timeoutMs: 100,
  });
  errorOf(outcome, 'timeout');
  assert.equal(recorded.starts.length, 1);
});

test('EVT-07, TMO-03: an observer that never returns does not hold the call', async (t) => {
  const harness = await openHarness(t);
  const started = watchFor('call_event');
  const outcome = await harness.call('p.read', [{ chunk: 'x' }, { chunk: 'y' }], {
    timeoutMs: 200,
    observer(event) {
      void started.observer(event);
      return event.type === 'call_event' ? new Promise(() => undefined) : undefined;
    },
  });
  await started.seen;
  errorOf(outcome, 'timeout');
});
