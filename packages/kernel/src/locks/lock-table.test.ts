// The table against a reference model that is obviously right and slow: a list of all tickets in order, where a
// ticket may run when no earlier one that is still there conflicts with it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createLockTable, type LockKey, type LockMode, type LockTicket } from './lock-table.js';

const key = (text: string): LockKey => text as LockKey;

interface Live {
  readonly ticket: LockTicket;
  readonly mode: LockMode;
  readonly keys: ReadonlySet<string>;
}

function conflict(a: Live, b: Live): boolean {
  if (a.mode === 'exclusive' || b.mode === 'exclusive') return true;
  return [...a.keys].some((each) => b.keys.has(each));
}

function mayRun(live: readonly Live[], index: number): boolean {
  const own = live[index] as Live;
  return !live.slice(0, index).some((earlier) => conflict(earlier, own));
}

function agree(live: readonly Live[]): void {
  for (const [index, { ticket }] of live.entries()) {
    assert.equal(ticket.state(), mayRun(live, index) ? 'held' : 'waiting');
  }
}

const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('request' as const),
      mode: fc.constantFrom<LockMode>('shared', 'shared', 'shared', 'exclusive'),
      keys: fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { maxLength: 3 }),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('release' as const), pick: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('cancel' as const), pick: fc.nat() }) },
);

test('CON-04..08: at every moment exactly those run that no earlier conflicting call keeps out', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
      const table = createLockTable();
      const live: Live[] = [];
      for (const each of steps) {
        if (each.do === 'request') {
          const keys = each.mode === 'exclusive' ? [] : each.keys;
          const ticket = table.request(keys.map(key), each.mode);
          live.push({ ticket, mode: each.mode, keys: new Set(keys) });
        } else {
          const wanted = each.do === 'release' ? 'held' : 'waiting';
          const candidates = live.filter(({ ticket }) => ticket.state() === wanted);
          const chosen = candidates[each.pick % Math.max(candidates.length, 1)];
          if (chosen === undefined) continue;
          if (each.do === 'release') chosen.ticket.release();
          else chosen.ticket.cancel();
          live.splice(live.indexOf(chosen), 1);
        }
        agree(live);
        const { held, waiting } = table.size();
        assert.equal(held + waiting, live.length);
      }
      // Whoever waits gets its turn: releasing the holders in order ends with nothing left.
      while (live.length > 0) {
        const [first] = live.splice(0, 1);
        assert.equal(first?.ticket.state(), 'held', 'the oldest ticket always runs');
        first?.ticket.release();
        agree(live);
      }
      assert.deepEqual(table.size(), { keys: 0, held: 0, waiting: 0 });
    }),
    { numRuns: 300 },
  );
});

test('CON-08: a million keys leave nothing behind', () => {
  const table = createLockTable();
  for (let i = 0; i < 1_000_000; i++) table.request([key(`k${i}`)], 'shared').release();
  assert.deepEqual(table.size(), { keys: 0, held: 0, waiting: 0 });
});

test('10,000 calls queued on one key run in the order of their arrival', async () => {
  const table = createLockTable();
  const order: number[] = [];
  const calls = Array.from({ length: 10_000 }, async (_, index) => {
    const ticket = table.request([key('same')], 'shared');
    assert.equal(await ticket.granted, true);
    order.push(index);
    ticket.release();
  });
  await Promise.all(calls);
  assert.deepEqual(
    order,
    Array.from({ length: 10_000 }, (_, index) => index),
  );
});

test('a cancelled waiter resolves to false and lets those behind it go', async () => {
  const table = createLockTable();
  const holder = table.request([], 'shared');
  const exclusive = table.request([], 'exclusive');
  const behind = table.request([], 'shared');
  assert.equal(behind.state(), 'waiting');
  exclusive.cancel();
  assert.equal(await exclusive.granted, false);
  assert.equal(behind.state(), 'held');
  holder.release();
  holder.release();
  behind.release();
  assert.deepEqual(table.size(), { keys: 0, held: 0, waiting: 0 });
});

test('a key that is named twice is taken once', () => {
  const table = createLockTable();
  const ticket = table.request([key('a'), key('a')], 'shared');
  assert.equal(ticket.state(), 'held');
  ticket.release();
  assert.deepEqual(table.size(), { keys: 0, held: 0, waiting: 0 });
});
