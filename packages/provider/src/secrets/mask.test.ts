import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createSecretMask, MASK } from './mask.js';

test('CFG-02: a secret is masked in texts, in JSON, in its quoted forms', () => {
  const mask = createSecretMask();
  assert.ok(mask.isEmpty);
  mask.add(['hun"ter22', 'a/b c?d']);
  assert.equal(mask.text('say hun"ter22!'), `say ${MASK}!`);
  assert.equal(mask.text(JSON.stringify({ p: 'hun"ter22' })), `{"p":"${MASK}"}`);
  assert.equal(mask.text('?q=a%2Fb%20c%3Fd'), `?q=${MASK}`);
  assert.equal(mask.text(`Basic ${Buffer.from('hun"ter22').toString('base64')}`), `Basic ${MASK}`);
  assert.deepEqual(mask.json({ 'hun"ter22': [1, { x: 'a/b c?d' }] }), { [MASK]: [1, { x: MASK }] });
});

test('CFG-02: a short secret is masked as a whole text, and does not eat others', () => {
  const mask = createSecretMask();
  mask.add(['1', '']);
  assert.equal(mask.text('1'), MASK);
  assert.equal(mask.text('line 1 of 10'), 'line 1 of 10');
});

test('CFG-02: a secret inside of another leaves nothing behind', () => {
  const mask = createSecretMask();
  mask.add(['secret', 'secret-and-more']);
  assert.equal(mask.text('secret-and-more secret'), `${MASK} ${MASK}`);
});

test('CFG-02: output is masked wherever it is cut into pieces, and the rest is untouched', () => {
  const text = fc.array(fc.constantFrom('s3cr3t', 's3c', 'r3t', 's', 'x', 's3cr3s3cr3t', '\n'), {
    maxLength: 12,
  });
  fc.assert(
    fc.property(text, fc.array(fc.nat({ max: 60 })), (parts, cuts) => {
      const mask = createSecretMask();
      mask.add(['s3cr3t']);
      const whole = Buffer.from(parts.join(''));
      const stream = mask.stream();
      const pieces: Uint8Array[] = [];
      let from = 0;
      for (const cut of [...cuts].sort((a, b) => a - b)) {
        if (cut < from || cut > whole.length) continue;
        pieces.push(stream.push(whole.subarray(from, cut)));
        from = cut;
      }
      pieces.push(stream.push(whole.subarray(from)), stream.flush());
      assert.equal(Buffer.concat(pieces).toString(), mask.text(parts.join('')));
    }),
  );
});
