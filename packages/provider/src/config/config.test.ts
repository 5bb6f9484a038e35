import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ToolError } from '@tenon/protocol';
import { DefinitionError } from '../errors/definition-error.js';
import { attr, configSchema } from './attr.js';
import { readConfig } from './read-config.js';

const schema = configSchema({
  roots: attr.listString({ description: 'roots', required: true }),
  token: attr.string({ description: 'token', sensitive: true }),
  limit: attr.number({ description: 'limit', default: 10 }),
  strict: attr.bool({ description: 'strict', default: false }),
  ports: attr.listNumber({ description: 'ports' }),
  headers: attr.mapString({ description: 'headers', sensitive: true }),
  proxy: attr.object({
    description: 'proxy',
    attributes: {
      url: attr.string({ description: 'url', required: true }),
      password: attr.string({ description: 'password', sensitive: true }),
    },
  }),
});

test('CFG-01: defaults are filled in and secrets are found, nested ones too', () => {
  const read = readConfig(schema.attributes, {
    roots: ['/a'],
    token: 'tok',
    headers: { x: 'hdr' },
    proxy: { url: 'u', password: 'pw' },
  });
  assert.deepEqual(
    { ...read.values, proxy: { ...(read.values['proxy'] as object) } },
    {
      roots: ['/a'],
      token: 'tok',
      limit: 10,
      strict: false,
      headers: { x: 'hdr' },
      proxy: { url: 'u', password: 'pw' },
    },
  );
  assert.deepEqual(read.secrets, ['tok', 'hdr', 'pw']);
});

test('CFG-01: every problem at once, CFG-02: without the values', () => {
  assert.throws(
    () =>
      readConfig(schema.attributes, {
        token: ['s3cr3t'],
        limit: 'ten',
        extra: 's3cr3t',
        proxy: { password: 's3cr3t', odd: 1 },
      }),
    (error) => {
      assert.ok(error instanceof ToolError);
      assert.equal(error.category, 'invalid_arguments');
      const problems = error.details?.['problems'] as { pointer: string; requirement: string }[];
      assert.deepEqual(
        problems.map((problem) => problem.pointer),
        ['/roots', '/token', '/limit', '/proxy/url', '/proxy/odd', '/extra'],
      );
      assert.ok(problems.every((problem) => problem.requirement === 'CFG-01'));
      assert.ok(!JSON.stringify(error.toData()).includes('s3cr3t'));
      return true;
    },
  );
});

test('CFG-01: a null is an attribute that is not set; __proto__ is an unknown one', () => {
  assert.throws(() => readConfig(schema.attributes, { roots: null }), /\/roots is required/);
  const block = JSON.parse('{"roots":["/a"],"__proto__":{"token":"x"}}') as never;
  assert.throws(() => readConfig(schema.attributes, block), /\/__proto__ is not an attribute/);
});

test('a wrong attribute is a DefinitionError with all problems', () => {
  assert.throws(
    () =>
      configSchema({
        'a-b': attr.string({ description: '' }),
        both: attr.number({ description: 'x', required: true, default: 1 }),
        typed: attr.listString({ description: 'x', default: [1] as never }),
      }),
    (error) => error instanceof DefinitionError && error.problems.length === 4,
  );
});
