import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { matchesName } from './choose.js';
import { parseAnswer } from './answer.js';

const once = { type: 'allow', scope: 'once' } as const;

test('GATE-02 letters decide for all open items, numbers for one', () => {
  assert.deepEqual(parseAnswer('y', [0, 2]), {
    type: 'choices',
    choices: new Map([
      [0, once],
      [2, once],
    ]),
  });
  assert.deepEqual(parseAnswer('1y, 2 n no: 3y', [0, 1, 2]), {
    type: 'choices',
    choices: new Map<number, object>([
      [0, once],
      [1, { type: 'deny', reason: 'no: 3y' }],
    ]),
  });
  assert.deepEqual(parseAnswer('Yes', [0]), { type: 'choices', choices: new Map([[0, once]]) });
  assert.equal(parseAnswer('4y', [0, 1]).type, 'problem');
  assert.equal(parseAnswer('v', [0]).type, 'view');
});

test('nothing but a plain y, s or a allows, whatever is typed', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 12 }), (line) => {
      const answer = parseAnswer(line, [0]);
      const allowed =
        answer.type === 'choices' &&
        [...answer.choices.values()].some((choice) => choice.type === 'allow');
      if (allowed)
        assert.match(line.trim(), /^(1?\s*(y|s|a|yes|once|session|always|e|edit)[\s,]*)+(n|$)/i);
    }),
    { numRuns: 2_000 },
  );
});

test('--allow takes a provider, a name, or a pattern with stars, and nothing more', () => {
  assert.ok(matchesName('files', 'files.write'));
  assert.ok(matchesName('files.*', 'files.write'));
  assert.ok(matchesName('*', 'files.write'));
  assert.ok(matchesName('*.write*', 'files.write_all'));
  assert.ok(!matchesName('files', 'files2.write'));
  assert.ok(!matchesName('files.write', 'files.write_all'));
  assert.ok(!matchesName('files.w.ite', 'files.write'));
});
