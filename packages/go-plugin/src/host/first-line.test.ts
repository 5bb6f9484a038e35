import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { firstLineReader } from './first-line.js';

test('the pieces in which a line arrives make no difference', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: 'binary', maxLength: 200 }).map((text) => text.replaceAll('\n', '')),
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.integer({ min: 1, max: 50 }),
      async (line, after, size) => {
        const rest: Buffer[] = [];
        const reader = firstLineReader((data) => rest.push(data));
        const all = Buffer.from(`${line}\n${after}`);
        for (let at = 0; at < all.length; at += size) reader.write(all.subarray(at, at + size));
        reader.end();
        const text = Buffer.from(line).toString();
        assert.deepEqual(await reader.result, { kind: 'line', text });
        assert.equal(Buffer.concat(rest).toString(), Buffer.from(after).toString());
      },
    ),
  );
});

test('a stream without a line end is given up early', async () => {
  const reader = firstLineReader(() => {});
  for (let piece = 0; piece < 65; piece += 1) reader.write(Buffer.alloc(1024, 'x'));
  assert.deepEqual(await reader.result, { kind: 'endless', text: 'x'.repeat(256) });
});

test('a stream that ends first says how far it came', async () => {
  const reader = firstLineReader(() => {});
  reader.write(Buffer.from('1|1|un'));
  reader.end();
  assert.deepEqual(await reader.result, { kind: 'closed', text: '1|1|un' });
});
