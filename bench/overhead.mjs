// What locks and reactions cost beside a warm call, and whether ten thousand calls queued on one key stay cheap.
//   node bench/overhead.mjs
import { createLockTable } from '../packages/kernel/dist/locks/lock-table.js';
import { lockKeys } from '../packages/kernel/dist/locks/keys.js';
import { react } from '../packages/kernel/dist/react/react.js';
import { backoffMs } from '../packages/kernel/dist/react/backoff.js';
import { DEFAULT_SETTINGS } from '@tenon/kernel';
import { MISBEHAVING, openKernel, provider, row, throughput } from './lib/setup.mjs';

const CALLS = 50_000;
const operation = {
  name: 'op',
  kind: 'data_source',
  concurrency: { safe: true, keyFields: ['key'] },
  derivedKeys: [],
};

/** Microseconds per round. */
async function each(rounds, one) {
  for (let i = 0; i < rounds / 10; i++) await one(i);
  const started = performance.now();
  for (let i = 0; i < rounds; i++) await one(i);
  return ((performance.now() - started) * 1000) / rounds;
}

const table = createLockTable();
const lockUs = await each(CALLS, async (i) => {
  const keys = await lockKeys(operation, { key: `k${i}` }, '/');
  const ticket = table.request(keys, 'shared');
  await ticket.granted;
  ticket.release();
});
const reactUs = await each(CALLS, (i) =>
  react(
    {
      category: 'execution_failed',
      retryable: true,
      kind: 'data_source',
      idempotent: false,
      attempt: 1 + (i % 3),
      turnAborting: false,
    },
    { maxAttempts: 3, delayMs: backoffMs(1, DEFAULT_SETTINGS.retry), remainingMs: 1e6 },
  ),
);

const kernel = await openKernel([provider('p', MISBEHAVING)]);
const session = await kernel.openSession();
let count = 0;
const rate = await throughput(
  () => session.call({ name: 'p.read', arguments: { key: String(count++) } }),
  { calls: 3_000, inFlight: 1 },
);
await session.end();
await kernel.close();
const callUs = 1e6 / rate;

row('locks of one call', lockUs, 'µs');
row('reaction to one failure', reactUs, 'µs');
row('a warm call', callUs, 'µs');
row('locks and reaction / call', ((lockUs + reactUs) / callUs) * 100, '%', 'wanted: under 5');

for (const queued of [1_000, 10_000, 100_000]) {
  const key = ['call "op" same'];
  const locks = createLockTable();
  const started = performance.now();
  const tickets = Array.from({ length: queued }, () => locks.request(key, 'shared'));
  for (const ticket of tickets) ticket.release();
  const us = ((performance.now() - started) * 1000) / queued;
  row(`${queued.toLocaleString('en')} calls queued on one key: each`, us, 'µs', 'wanted: the same');
}
