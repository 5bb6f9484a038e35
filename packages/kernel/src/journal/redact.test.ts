// Secrets in texts, bytes and streams.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { JournalEntry } from './journal.js';
import { createCallRecorder } from './recorder.js';
import { createRedactor } from './redact.js';
import { openMemoryJournal } from './sqlite.js';

const SECRET = 'pa"ss\\wörd/+&1';

test('CFG-02 a secret is found as it is, in JSON text, in a URL and in base64', () => {
  const redactor = createRedactor();
  redactor.add([SECRET]);
  for (const text of [
    SECRET,
    JSON.stringify({ header: SECRET }),
    `https://u:${encodeURIComponent(SECRET)}@example.invalid/`,
    Buffer.from(SECRET).toString('base64'),
    Buffer.from(SECRET).toString('base64url'),
  ]) {
    const clean = redactor.text(`before ${text} after`);
    assert.match(clean, /^before .*\[redacted\].* after$/, text);
    assert.equal(redactor.text(clean), clean);
  }
});

test('CFG-02 nothing of a secret is left at any depth, and everything else is as it was', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.string({ minLength: 8, maxLength: 20 }), (value, secret) => {
      const redactor = createRedactor();
      redactor.add([secret]);
      const given = { value, [`k${secret}`]: [{ deep: `x${secret}y` }] };
      const clean = redactor.deep(given);
      assert.ok(
        !JSON.stringify(Object.values(clean)).includes(JSON.stringify(secret).slice(1, -1)),
      );
      if (!JSON.stringify(value).includes(JSON.stringify(secret).slice(1, -1))) {
        assert.deepEqual(clean.value, value);
      }
    }),
  );
});

/** The output of a call as the journal has it after these chunks. */
async function journaled(chunks: readonly Uint8Array[], secrets: string[], capBytes = 1e6) {
  const journal = openMemoryJournal();
  journal.redactor.add(secrets);
  const recorder = createCallRecorder({
    journal,
    redactor: journal.redactor,
    sessionId: 's',
    callId: 'c',
    provider: 'p',
    capBytes,
    onError: (error) => assert.fail(String(error)),
  });
  recorder.attemptStarted({ attempt: 1, providerVersion: '1', deadlineMs: 1, lockKeys: [] });
  for (const data of chunks) recorder.event(1, { type: 'output_chunk', stream: 'stdout', data });
  recorder.attemptEnded({ attempt: 1, status: 'ok' });
  await journal.flush();
  const entries = journal.call('c');
  await journal.close();
  const kept = entries.flatMap((entry) =>
    entry.type === 'event' && entry.chunk !== undefined ? [entry.chunk] : [],
  );
  const dropped = entries.find(
    (entry): entry is Extract<JournalEntry, { type: 'chunks_dropped' }> & typeof entry =>
      entry.type === 'chunks_dropped',
  );
  return { text: Buffer.concat(kept).toString('latin1'), dropped };
}

test('CFG-02 a secret that is cut anywhere between chunks is still found', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(fc.constant('top-secret-1'), fc.string({ maxLength: 6 })), {
        maxLength: 12,
      }),
      fc.array(fc.nat(60), { maxLength: 8 }),
      async (parts, cuts) => {
        const whole = Buffer.from(parts.join(''), 'utf8');
        const places = [0, ...[...cuts].sort((a, b) => a - b), whole.length];
        const chunks = places.slice(1).map((end, n) => whole.subarray(places[n], end));
        const { text } = await journaled(chunks, ['top-secret-1']);
        assert.ok(!text.includes('top-secret-1'));
        assert.equal(text, whole.toString('latin1').replaceAll('top-secret-1', '[redacted]'));
      },
    ),
    { numRuns: 60 },
  );
});

test('chunks over the cap are counted, not kept, and the count is exact', async () => {
  const chunks = [Buffer.alloc(60, 'a'), Buffer.alloc(60, 'b'), Buffer.alloc(60, 'c')];
  const { text, dropped } = await journaled(chunks, [], 100);
  assert.equal(text, 'a'.repeat(60) + 'b'.repeat(40));
  assert.deepEqual([dropped?.count, dropped?.bytes], [2, 80]);
});
