// A provider that streams more than memory should hold, to an observer that is slow (EVT-05, EVT-07).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { openHarness, payloadOf } from '../fixtures/harness.js';

const CHUNK = 256 * 1024;
const CHUNKS = 600;

test('EVT-05, EVT-07: 150 MB to a slow observer arrive in order and in bounded memory, and others are not held up', async (t) => {
  const harness = await openHarness(t);
  const before = process.memoryUsage().rss;
  let peak = before;
  let next = 0;
  const flood = harness.call('p.read', [{ flood: { chunks: CHUNKS, size: CHUNK } }], {
    async observer(event) {
      if (event.type !== 'call_event' || event.event.type !== 'output_chunk') return;
      const { data } = event.event;
      assert.equal(new DataView(data.buffer, data.byteOffset).getUint32(0), next++);
      peak = Math.max(peak, process.memoryUsage().rss);
      await turn();
    },
  });
  let beside = 0;
  const outcome = await Promise.race([
    flood,
    (async () => {
      for (;;) {
        payloadOf(await harness.call('p.read', []));
        if (++beside >= 20) return flood;
      }
    })(),
  ]);
  payloadOf(outcome);
  assert.equal(next, CHUNKS);
  assert.ok(beside > 0);
  assert.ok(
    peak - before < 100 * 1024 * 1024,
    `grew by ${Math.round((peak - before) / 2 ** 20)} MB`,
  );
});

test('EVT-07: what is kept of a failed call is bounded, and is the newest of it', async (t) => {
  const harness = await openHarness(t, { settings: { journalChunkCapBytes: 10_000 } });
  const outcome = await harness.call('p.write', [
    { repeat: 3_000, steps: [{ chunk: 'x'.repeat(100) }] },
    { chunk: 'last' },
    { error: { category: 'execution_failed' } },
  ]);
  assert.equal(outcome.status, 'error');
  const bytes = outcome.partial.reduce(
    (sum, event) => sum + (event.type === 'output_chunk' ? event.data.length : 0),
    0,
  );
  assert.ok(bytes <= 10_000 && bytes > 9_000, `${bytes}`);
  const last = outcome.partial.at(-1);
  assert.equal(last?.type === 'output_chunk' && Buffer.from(last.data).toString(), 'last');
});

test('an observer that throws is not asked again, and the call does not notice', async (t) => {
  const harness = await openHarness(t);
  let asked = 0;
  const outcome = await harness.call('p.read', [{ chunk: 'a' }, { chunk: 'b' }], {
    observer() {
      asked++;
      throw new Error('broken observer');
    },
  });
  payloadOf(outcome);
  assert.equal(asked, 1);
});
