// Every way in which a provider can die during a call, caused for real (ERR-10, RCT-08).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  errorOf,
  MISBEHAVING,
  openHarness,
  payloadOf,
  type Step,
  watchFor,
} from '../fixtures/harness.js';

const WAYS: readonly [
  what: string,
  steps: readonly Step[],
  details: Readonly<Record<string, unknown>>,
][] = [
  ['kill -9', [{ signal: 'SIGKILL' }], { signal: 'SIGKILL' }],
  ['a segmentation fault', [{ segfault: true }], { signal: 'SIGSEGV' }],
  ['exit(0) in the middle', [{ exit: 0 }], { exit_code: 0 }],
  ['exit(7)', [{ exit: 7 }], { exit_code: 7 }],
  ['a closed stdout', [{ close_stdout: true }, { hang: true }], {}],
  ['a reset connection', [{ drop_connection: true }, { hang: true }], {}],
];

test('ERR-10: each way to die is process_crashed with exit code or signal and the last words; the next call works', async (t) => {
  const harness = await openHarness(t);
  for (const [what, steps, expected] of WAYS) {
    const { outcome, recorded } = await harness.callRecorded(
      'p.write',
      [{ chunk: 'streamed before' }, { stderr: `dying by ${what}` }, { wait: 20 }, ...steps],
      { session: harness.newSession() },
    );
    const error = errorOf(outcome, 'process_crashed');
    for (const [key, value] of Object.entries(expected)) {
      assert.equal(error.details?.[key], value, `${what}: ${error.message}`);
    }
    assert.ok(JSON.stringify(error.details?.['stderr']).includes(`dying by ${what}`), what);
    assert.equal(error.message.includes(`dying by ${what}`), true, what);
    assert.equal(outcome.partial.length, 1, `${what}: data already streamed is kept`);
    assert.equal(recorded.ends.length, 1, `${what}: not tried again`);
    payloadOf(await harness.call('p.write', [], { session: harness.newSession() }));
  }
  assert.equal(harness.pids().length, WAYS.length + 1);
});

test('ERR-10: an out-of-memory end', async (t) => {
  const harness = await openHarness(t, {
    launch: { args: ['--max-old-space-size=40', MISBEHAVING] },
  });
  const outcome = await harness.call('p.write', [{ oom: true }]);
  const error = errorOf(outcome, 'process_crashed');
  assert.ok(error.details?.['signal'] !== undefined || error.details?.['exit_code'] !== 0);
  payloadOf(await harness.call('p.write', []));
});

test('ERR-10: a stopped process is noticed by health checks, also where its operation has a zero timeout', async (t) => {
  const harness = await openHarness(t, { settings: { pingIntervalMs: 50, pingTimeoutMs: 200 } });
  const started = watchFor('call_event');
  const running = harness.call('p.zero_timeout', [{ chunk: 'x' }, { hang: true }], {
    observer: started.observer,
  });
  await started.seen;
  process.kill(harness.pid(), 'SIGSTOP');
  const error = errorOf(await running, 'process_crashed');
  assert.match(error.message, /frozen.*health check/);
  payloadOf(await harness.call('p.read', []));
});

test('RCT-08, ERR-10: one death ends every call in flight, and counts once at the breaker', async (t) => {
  const harness = await openHarness(t);
  const running = Array.from({ length: 20 }, () => harness.call('p.write', [{ hang: true }]));
  errorOf(await harness.call('p.write', [{ wait: 50 }, { signal: 'SIGKILL' }]), 'process_crashed');
  for (const outcome of await Promise.all(running)) errorOf(outcome, 'process_crashed');
  payloadOf(await harness.call('p.read', []));
});

test('ERR-10: a result that came before the end of the process stands', async (t) => {
  const harness = await openHarness(t);
  const payload = payloadOf(
    await harness.call('p.write', [
      { result: { text: 'done' } },
      { wait: 50 },
      { signal: 'SIGKILL' },
    ]),
  );
  assert.deepEqual(payload, { text: 'done' });
});

test('a provider that crashes at start does not spin, and says why', async (t) => {
  const harness = await openHarness(t, { flags: ['--start-crash=9'] });
  const [provider] = harness.catalog.providers();
  assert.equal(provider?.status().state, 'failed');
  assert.match(provider?.status().problem ?? '', /code 9[^]*cannot start today/);
  const startedAt = performance.now();
  let tries = 0;
  for (; tries < 3; tries++) {
    const prepared = await harness.prepare('p.read', []);
    assert.ok(!prepared.ok);
    assert.equal(prepared.error.category, 'process_crashed');
  }
  // Pauses of at least 75 and 150 ms lie before the third and the fourth start.
  assert.ok(performance.now() - startedAt >= 200);
});

test('a crash is told to observers with its reason, an orderly end as expected', async (t) => {
  const harness = await openHarness(t);
  await harness.call('p.write', [{ exit: 3 }]);
  payloadOf(await harness.call('p.read', []));
  await harness.catalog.close();
  const exits = harness.events.filter((event) => event.type === 'provider_exited');
  assert.deepEqual(
    exits.map((event) => event.expected),
    [false, true],
  );
  assert.match(exits[0]?.reason ?? '', /code 3/);
});
