import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { outputTail } from './output-tail.js';

test('the last 50 lines are kept, whatever the pieces', () => {
  fc.assert(
    fc.property(
      fc.array(fc.stringMatching(/^[a-zä€]{1,20}$/), { maxLength: 120 }),
      fc.integer({ min: 1, max: 30 }),
      (lines, size) => {
        const tail = outputTail();
        const all = Buffer.from(lines.map((line) => `${line}\n`).join(''));
        for (let at = 0; at < all.length; at += size) tail.write(all.subarray(at, at + size));
        assert.deepEqual(tail.lines(), lines.slice(-50));
      },
    ),
  );
});

test('an unfinished line is the last one', () => {
  const tail = outputTail();
  for (let line = 0; line < 60; line += 1) tail.write(Buffer.from(`${line}\r\n`));
  tail.write(Buffer.from('and'));
  assert.equal(tail.lines().length, 50);
  assert.deepEqual(tail.lines().slice(-2), ['59', 'and']);
});

test('a line without end takes no more room than 4,096 characters', () => {
  const tail = outputTail();
  for (let piece = 0; piece < 1000; piece += 1) tail.write(Buffer.alloc(10_000, 'x'));
  assert.deepEqual(tail.lines(), [`${'x'.repeat(4095)}…`]);
});
