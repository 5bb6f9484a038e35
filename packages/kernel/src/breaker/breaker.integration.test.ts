// The breaker around real calls (BRK-01, RCT-09).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSessionBreakers } from './session-breakers.js';
import { errorOf, openHarness, payloadOf } from '../fixtures/harness.js';

test('BRK-01, RCT-09: crashes open it; calls are refused at once until one has gone well again', async (t) => {
  const harness = await openHarness(t);
  const changes: string[] = [];
  let now = 0;
  const session = {
    id: 's',
    breakers: createSessionBreakers({
      settings: { consecutive: 2, windowBad: 9, windowSize: 9, cooldownMs: 60_000 },
      now: () => now,
      onChange: (provider, state) => changes.push(`${provider} ${state}`),
    }),
  };
  for (let i = 0; i < 2; i++) {
    errorOf(await harness.call('p.write', [{ signal: 'SIGKILL' }], { session }), 'process_crashed');
  }
  const starts = harness.pids().length;
  const { outcome, recorded } = await harness.callRecorded('p.write', [], { session });
  assert.equal(outcome.status, 'denied');
  assert.equal(outcome.status === 'denied' && outcome.decidedBy, 'breaker');
  assert.match(outcome.status === 'denied' ? outcome.reason : '', /suspended.*60 s/);
  assert.equal(recorded.starts.length, 0);
  assert.equal(harness.pids().length, starts, 'nothing was started for it');
  payloadOf(await harness.call('p.read', [], { session: harness.newSession() }));
  now = 60_000;
  payloadOf(await harness.call('p.read', [], { session }));
  payloadOf(await harness.call('p.read', [], { session }));
  assert.deepEqual(changes, ['p open', 'p half_open', 'p closed']);
});

test('an error of the operation is a provider that works; a timeout says nothing', async (t) => {
  const harness = await openHarness(t);
  const session = {
    id: 's',
    breakers: createSessionBreakers({
      settings: { consecutive: 2, windowBad: 9, windowSize: 9, cooldownMs: 60_000 },
    }),
  };
  const crash = async (): Promise<void> => {
    const outcome = await harness.call('p.write', [{ exit: 1 }], { session });
    errorOf(outcome, 'process_crashed');
  };
  await crash();
  errorOf(
    await harness.call('p.write', [{ error: { category: 'execution_failed' } }], { session }),
    'execution_failed',
  );
  await crash();
  errorOf(await harness.call('p.quick', [{ until_cancelled: true }], { session }), 'timeout');
  assert.equal(session.breakers.of('p').state(), 'closed');
  await crash();
  assert.equal(session.breakers.of('p').state(), 'open');
});
