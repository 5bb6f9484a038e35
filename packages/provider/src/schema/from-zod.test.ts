import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as z from 'zod';
import type { DefinitionProblem } from '../errors/definition-error.js';
import { objectSchemaFromZod } from './from-zod.js';

function convert(schema: z.ZodType) {
  const problems: DefinitionProblem[] = [];
  return { schema: objectSchemaFromZod(schema, ['input'], problems), problems };
}

test('SCH-01: the five types, enums, optional properties and descriptions are converted', () => {
  const { schema, problems } = convert(
    z
      .object({
        name: z.string().describe('who'),
        count: z.number().optional().describe('how many'),
        inner: z.boolean().describe('inner one').optional(),
        mode: z.enum(['a', 'b']),
        only: z.literal('x'),
        list: z.array(z.strictObject({ deep: z.string() })).readonly(),
        free: z.record(z.string(), z.unknown()),
      })
      .describe('all of it'),
  );
  assert.deepEqual(problems, []);
  assert.deepEqual(schema, {
    type: 'object',
    description: 'all of it',
    properties: {
      name: { type: 'string', description: 'who' },
      count: { type: 'number', description: 'how many' },
      inner: { type: 'boolean', description: 'inner one' },
      mode: { type: 'string', enum: ['a', 'b'] },
      only: { type: 'string', enum: ['x'] },
      list: {
        type: 'array',
        items: { type: 'object', properties: { deep: { type: 'string' } }, required: ['deep'] },
      },
      free: { type: 'object', properties: {}, required: [] },
    },
    required: ['name', 'mode', 'only', 'list', 'free'],
  });
});

const OUTSIDE: readonly (readonly [keyword: string, schema: z.ZodType])[] = [
  ['minLength', z.string().min(1)],
  ['maxLength', z.string().max(1)],
  ['pattern', z.string().regex(/a/)],
  ['format: email', z.email()],
  ['format: email', z.string().email()],
  ['format: url', z.url()],
  ['transform', z.string().trim()],
  ['transform', z.string().transform((text) => text.length)],
  ['refine', z.string().refine(() => true)],
  ['coerce', z.coerce.string()],
  ['minimum', z.number().min(1)],
  ['exclusiveMaximum', z.number().lt(1)],
  ['integer', z.number().int()],
  ['integer', z.int()],
  ['multipleOf', z.number().multipleOf(2)],
  ['minItems', z.array(z.string()).min(1)],
  ['nullable', z.string().nullable()],
  ['nullable', z.string().nullable().optional()],
  ['default', z.string().default('x')],
  ['catch', z.string().catch('x')],
  ['anyOf', z.union([z.string(), z.number()])],
  ['allOf', z.intersection(z.object({}), z.object({}))],
  ['additionalProperties', z.looseObject({})],
  ['additionalProperties', z.record(z.string(), z.string())],
  ['prefixItems', z.tuple([z.string()])],
  ['enum', z.literal(1)],
  ['any', z.any()],
  ['unknown', z.unknown()],
  ['null', z.null()],
  ['date', z.date()],
  ['bigint', z.bigint()],
  ['title', z.string().meta({ title: 'T' })],
];

for (const [keyword, schema] of OUTSIDE) {
  test(`SCH-01: "${keyword}" is refused by name, at its place`, () => {
    const { problems } = convert(z.object({ 'a/b': z.array(z.object({ deep: schema })) }));
    assert.deepEqual(
      problems.map((problem) => [problem.keyword, problem.pointer, problem.requirement]),
      [[keyword, '/input/properties/a~1b/items/properties/deep', 'SCH-01']],
    );
  });
}

test('SCH-01: an optional item of an array, and a schema that contains itself, are refused', () => {
  const node: z.ZodType = z.object({
    get children() {
      return z.array(node);
    },
  });
  assert.deepEqual(convert(node).problems[0]?.keyword, 'recursive');
  const { problems } = convert(z.object({ a: z.array(z.string().optional()) }));
  assert.deepEqual(problems[0]?.keyword, 'optional');
});

test('SCH-03: the root must be an object', () => {
  assert.equal(convert(z.string()).problems[0]?.requirement, 'SCH-03');
});

test('S1: a property may be named __proto__ or toString', () => {
  const { schema, problems } = convert(
    z.object(
      Object.fromEntries([
        ['__proto__', z.string()],
        ['toString', z.string()],
      ]),
    ),
  );
  assert.deepEqual(problems, []);
  assert.deepEqual(Object.keys(schema.properties), ['__proto__', 'toString']);
  assert.deepEqual(schema.required, ['__proto__', 'toString']);
});
