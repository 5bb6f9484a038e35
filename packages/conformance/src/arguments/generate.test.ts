// Generated arguments fit their schema; every mutation of valid arguments does not.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compileValidator, type JsonObject, type ObjectSchema, type Schema } from '@tenon/protocol';
import fc from 'fast-check';
import { random } from '../run/random.js';
import { generateArguments, mutations } from './generate.js';

const name = fc.constantFrom('path', 'text', 'url', 'folder', 'n', '__proto__', 'toString');

const { object } = fc.letrec<{ schema: Schema; object: ObjectSchema }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3 },
    fc.record({ type: fc.constant('string' as const) }),
    fc.record({ type: fc.constant('string' as const), enum: fc.constant(['a', 'b']) }),
    fc.record({ type: fc.constant('number' as const) }),
    fc.record({ type: fc.constant('boolean' as const) }),
    fc.record({ type: fc.constant('array' as const), items: tie('schema') }),
    tie('object'),
  ),
  object: fc
    .uniqueArray(fc.tuple(name, tie('schema'), fc.boolean()), {
      minLength: 1,
      selector: ([key]) => key,
    })
    .map((entries) => ({
      type: 'object' as const,
      properties: Object.fromEntries(entries.map(([key, one]) => [key, one])),
      required: entries.flatMap(([key, , required]) => (required ? [key] : [])),
    })),
}));
const make = (of: ObjectSchema, seed: number, full: boolean): JsonObject =>
  generateArguments(of, random(seed, 'test'), { files: ['f'] }, full);

describe('generated arguments', () => {
  it('fit the schema, and are the same for the same seed', () => {
    fc.assert(
      fc.property(object, fc.integer(), fc.boolean(), (of, seed, full) => {
        const args = make(of, seed, full);
        assert.deepEqual(compileValidator(of)(args), []);
        assert.deepEqual(make(of, seed, full), args);
      }),
    );
  });

  it('stop fitting by every mutation (ERR-03)', () => {
    fc.assert(
      fc.property(object, fc.integer(), fc.boolean(), (of, seed, full) => {
        for (const { what, arguments: broken } of mutations(of, make(of, seed, full))) {
          assert.notDeepEqual(compileValidator(of)(broken), [], what);
        }
      }),
    );
  });
});
