// The locks around real calls (CON-02..08, OPEN-02).
import assert from 'node:assert/strict';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { tempDir } from '@tenon/test-support';
import { openHarness, payloadOf } from '../fixtures/harness.js';

test('CON-02, CON-04: an operation without a spec runs alone in its provider', async (t) => {
  const harness = await openHarness(t);
  const calls = Array.from({ length: 5 }, (_, index) =>
    harness.call(index % 2 === 0 ? 'p.exclusive' : 'p.read', [{ wait: 10 }]),
  );
  const active = (await Promise.all(calls)).map((outcome) => payloadOf(outcome)['active']);
  assert.deepEqual(active, [1, 1, 1, 1, 1]);
});

test('CON-05, CON-08: equal keys take turns, other keys run side by side', async (t) => {
  const harness = await openHarness(t);
  const same = await Promise.all(
    Array.from({ length: 4 }, () =>
      harness.call('p.keyed', [{ wait: 10 }], { args: { key: 'one' } }),
    ),
  );
  assert.deepEqual(
    same.map((outcome) => payloadOf(outcome)['active']),
    [1, 1, 1, 1],
  );
  const different = await Promise.all(
    Array.from({ length: 4 }, (_, index) =>
      harness.call('p.keyed', [{ wait: 200 }], { args: { key: `k${index}` } }),
    ),
  );
  assert.deepEqual(
    different.map((outcome) => payloadOf(outcome)['active']),
    [4, 4, 4, 4],
  );
});

test('CON-06: a thousand calls of a safe operation run at the same time', async (t) => {
  const harness = await openHarness(t);
  const outcomes = await Promise.all(
    Array.from({ length: 1_000 }, () => harness.call('p.read', [{ wait: 1_500 }])),
  );
  const most = Math.max(...outcomes.map((outcome) => Number(payloadOf(outcome)['active'])));
  assert.ok(most > 500, `${most} ran at once`);
});

test('OPEN-02: two operations on one file take turns by any spelling of its path', async (t) => {
  const harness = await openHarness(t);
  const root = tempDir(t);
  writeFileSync(join(root, 'f'), '');
  symlinkSync('.', join(root, 'link'));
  const spellings = ['f', './f', join(root, 'f'), 'link/f', 'link/../f'];
  const calls = spellings.map((path, index) =>
    harness.call(index % 2 === 0 ? 'p.file_write' : 'p.file_edit', [{ wait: 10 }], {
      args: { path },
      workingDirectory: root,
    }),
  );
  const together = await Promise.all([
    ...calls,
    harness.call('p.file_write', [{ wait: 100 }], { args: { path: 'g' }, workingDirectory: root }),
  ]);
  const active = together.map((outcome) => Number(payloadOf(outcome)['active']));
  assert.ok(
    active.slice(0, -1).every((most) => most <= 2),
    `only the other file ran beside: ${active.join()}`,
  );
  assert.equal(active.at(-1), 2);
});

test('the turn may queue the locks itself, and they are released with the call', async (t) => {
  const harness = await openHarness(t);
  const prepared = await harness.prepare('p.exclusive', []);
  assert.ok(prepared.ok);
  const { keys, mode, entry } = prepared.prepared;
  const lock = entry.provider.locks.request(keys, mode);
  payloadOf(await harness.call('p.exclusive', [], { lock }));
  assert.equal(lock.state(), 'released');
});
