// Cancellation (CAN-01..05, ERR-09, RCT-07).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorOf, openHarness, payloadOf, watchFor } from '../fixtures/harness.js';

test('CAN-01, CAN-03, CAN-05: the report that follows a cancellation is kept, and a late success is none', async (t) => {
  const harness = await openHarness(t);
  const controller = new AbortController();
  const started = watchFor('call_event');
  const running = harness.callRecorded(
    'p.write',
    [
      { chunk: 'one' },
      { until_cancelled: true },
      { partial: { text: 'wrote 3 of 5' } },
      { result: { text: 'all done' } },
    ],
    { signal: controller.signal, observer: started.observer },
  );
  await started.seen;
  controller.abort();
  const { outcome, recorded } = await running;
  assert.equal(outcome.status, 'cancelled');
  const error = errorOf(outcome, 'cancelled');
  assert.deepEqual(error.details?.['late_result'], { text: 'all done' });
  assert.deepEqual(outcome.partial.at(-1), {
    type: 'partial_result',
    payload: { text: 'wrote 3 of 5' },
  });
  assert.ok(
    recorded.events.some((event) => event.type === 'partial_result'),
    'and is journaled',
  );
  assert.equal(recorded.ends[0]?.status === 'error' && recorded.ends[0].reaction.type, 'withhold');
  payloadOf(await harness.call('p.read', []));
  assert.equal(harness.pids().length, 1);
});

test('RCT-07: while the turn is being aborted, a cancelled call is surfaced', async (t) => {
  const harness = await openHarness(t);
  const controller = new AbortController();
  const started = watchFor('call_event');
  const running = harness.callRecorded('p.write', [{ chunk: 'x' }, { until_cancelled: true }], {
    signal: controller.signal,
    observer: started.observer,
    turnAborting: () => true,
  });
  await started.seen;
  controller.abort();
  const { recorded } = await running;
  assert.equal(recorded.ends[0]?.status === 'error' && recorded.ends[0].reaction.type, 'surface');
});

test('ERR-09: a cancelled call that ends with OK and no terminal event is cancelled, no violation', async (t) => {
  const harness = await openHarness(t, { flags: ['--no-extension'] });
  const controller = new AbortController();
  const started = watchFor('call_event');
  const running = harness.callRecorded('p.write', [{ chunk: 'x' }, { until_cancelled: true }], {
    signal: controller.signal,
    observer: started.observer,
  });
  await started.seen;
  controller.abort();
  const { outcome, recorded } = await running;
  errorOf(outcome, 'cancelled');
  assert.deepEqual(recorded.ends[0]?.status === 'error' && recorded.ends[0].violations, []);
});

test('a call that is cancelled before it starts, or while it waits, has done nothing', async (t) => {
  const harness = await openHarness(t);
  const before = await harness.callRecorded('p.write', [], { signal: AbortSignal.abort() });
  errorOf(before.outcome, 'cancelled');
  assert.equal(before.recorded.starts.length, 0);

  const holder = new AbortController();
  const holding = watchFor('call_event');
  const held = harness.call('p.exclusive', [{ chunk: 'x' }, { until_cancelled: true }], {
    signal: holder.signal,
    observer: holding.observer,
  });
  await holding.seen;
  const queued = new AbortController();
  const waiting = watchFor('call_waiting');
  const behind = harness.callRecorded('p.exclusive', [], {
    signal: queued.signal,
    observer: waiting.observer,
  });
  await waiting.seen;
  queued.abort();
  const { outcome, recorded } = await behind;
  assert.equal(outcome.attempts, 0);
  assert.equal(recorded.starts.length, 0);
  errorOf(outcome, 'cancelled');
  holder.abort();
  errorOf(await held, 'cancelled');
});

test('cancelling a whole turn ends queued calls at once and running ones side by side', async (t) => {
  const harness = await openHarness(t, { settings: { cancelGraceMs: 5_000 } });
  const controller = new AbortController();
  const { signal } = controller;
  let started = 0;
  let allStarted: () => void = () => undefined;
  const ready = new Promise<void>((resolve) => {
    allStarted = resolve;
  });
  const running = Array.from({ length: 8 }, () =>
    harness.call('p.write', [{ chunk: 'x' }, { until_cancelled: true }, { wait: 100 }], {
      signal,
      observer(event) {
        if (event.type === 'call_event' && ++started === 8) allStarted();
      },
    }),
  );
  const queued = Array.from({ length: 8 }, () => harness.call('p.exclusive', [], { signal }));
  await ready;
  const order: string[] = [];
  const note = (name: string) => () => void order.push(name);
  const ends = [
    ...running.map((call) => call.then(note('running'))),
    ...queued.map((call) => call.then(note('queued'))),
  ];
  controller.abort();
  await Promise.all(ends);
  assert.deepEqual(
    order.slice(0, 8),
    Array.from({ length: 8 }, () => 'queued'),
  );
  for (const outcome of await Promise.all([...running, ...queued])) errorOf(outcome, 'cancelled');
  assert.equal(harness.pids().length, 1);
});

test('a call that was cancelled while it pauses between attempts is not tried again', async (t) => {
  const harness = await openHarness(t, {
    settings: {
      retry: { baseMs: 60_000, factor: 2, jitter: 0, maxAttempts: 3, maxTotalMs: 300_000 },
      defaultTimeoutMs: 300_000,
    },
  });
  const controller = new AbortController();
  const retrying = watchFor('call_retrying');
  const running = harness.callRecorded(
    'p.read',
    [{ error: { category: 'execution_failed', retryable: true, message: 'try me again' } }],
    { signal: controller.signal, observer: retrying.observer },
  );
  await retrying.seen;
  controller.abort();
  const { outcome, recorded } = await running;
  const error = errorOf(outcome, 'cancelled');
  assert.match(JSON.stringify(error.details), /try me again/);
  assert.equal(recorded.starts.length, 1);
});
