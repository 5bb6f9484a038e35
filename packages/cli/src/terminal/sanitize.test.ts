import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createStreamSanitizer, sanitize, sanitizeLine } from './sanitize.js';

test('what could repaint a terminal becomes visible; newlines and tabs stay', () => {
  assert.equal(sanitize('a\u001b]0;title\u0007b\n\tc\r'), 'a␛]0;title␇b\n\tc␍');
  assert.equal(sanitize('abc\u202edef\u2066'), 'abc\\u{202e}def\\u{2066}');
  assert.equal(sanitize('x\ud800y'), 'x\\u{d800}y');
  assert.equal(sanitizeLine('a\nb\tc'), 'a␊b␉c');
  assert.equal(sanitize('日本語 👩‍🚀 é'), '日本語 👩‍🚀 é');
});

test('a stream keeps colours, also cut ones, and nothing else of escape sequences', () => {
  const stream = createStreamSanitizer();
  assert.equal(stream.write('a\u001b[3'), 'a');
  assert.equal(
    stream.write('1mred\u001b[0m\u001b[2J\r50%\r60%'),
    '\u001b[31mred\u001b[0m␛[2J\r50%\r60%',
  );
  assert.equal(stream.write('\u001b'), '');
  assert.equal(stream.end(), '␛');
});

test('how a stream is cut makes no difference, and only colours get through', () => {
  const unit = fc.constantFrom(
    '\u001b',
    '[',
    '3',
    '1',
    ';',
    'm',
    'J',
    'a',
    '\r',
    '\n',
    '\u009b',
    '漢',
  );
  fc.assert(
    fc.property(fc.array(unit, { maxLength: 80 }), fc.array(fc.nat(80)), (units, cuts) => {
      const input = units.join('');
      const whole = createStreamSanitizer();
      const expected = whole.write(input) + whole.end();
      const pieces = createStreamSanitizer();
      let actual = '';
      let from = 0;
      for (const cut of cuts.toSorted((a, b) => a - b)) {
        actual += pieces.write(input.slice(from, Math.max(from, cut)));
        from = Math.max(from, Math.min(cut, input.length));
      }
      actual += pieces.write(input.slice(from)) + pieces.end();
      assert.equal(actual, expected);
      assert.doesNotMatch(expected.replaceAll(/\u001b\[[0-9;:]*m/g, ''), /[\u001b\u009b]/);
    }),
  );
});
