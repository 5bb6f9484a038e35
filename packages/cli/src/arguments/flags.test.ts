import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import type { ObjectSchema } from '@tenon/protocol';
import { UsageError } from '../errors.js';
import { parseFlags } from './flags.js';
import { mergeArguments } from './sources.js';

const input: ObjectSchema = {
  type: 'object',
  required: ['path'],
  properties: {
    path: { type: 'string' },
    old_text: { type: 'string' },
    replaceAll: { type: 'boolean' },
    limit: { type: 'number' },
    globs: { type: 'array', items: { type: 'string' } },
    sizes: { type: 'array', items: { type: 'number' } },
    timeout: { type: 'number' },
    options: {
      type: 'object',
      required: [],
      properties: {
        depth: { type: 'number' },
        deep: { type: 'object', required: [], properties: { on: { type: 'boolean' } } },
      },
    },
  },
};
const own = new Map([
  ['--yes', false],
  ['--json', false],
  ['--timeout', true],
  ['--cwd', true],
  ['-y', false],
]);
const parse = (...words: string[]): ReturnType<typeof parseFlags> => parseFlags(words, input, own);

test('flags follow the schema: text, numbers, booleans, lists, nested objects', () => {
  const parsed = parse(
    '--path',
    'a b',
    '--old-text=x=y',
    '--replace-all',
    '--limit',
    '-3',
    '--globs',
    '*.ts',
    '--globs=*.js',
    '--sizes',
    '1',
    '--sizes',
    '[2, 3]',
    '--options.depth',
    '2',
    '--options.deep.on=false',
  );
  assert.deepEqual(parsed.problems, []);
  assert.deepEqual(parsed.args, {
    path: 'a b',
    old_text: 'x=y',
    replaceAll: true,
    limit: -3,
    globs: ['*.ts', '*.js'],
    sizes: [1, 2, 3],
    options: { depth: 2, deep: { on: false } },
  });
});

test('property names work as they are, as kebab case, and negated for booleans', () => {
  assert.deepEqual(parse('--old_text', 'x', '--no-replace-all').args, {
    old_text: 'x',
    replaceAll: false,
  });
  assert.deepEqual(parse('--replaceAll', 'false').args, { replaceAll: false });
});

test('a value that looks like a flag is a value', () => {
  assert.deepEqual(parse('--path', '--path').args, { path: '--path' });
});

test("an operation's flag wins over tenon's own of the same name; the others are left to tenon", () => {
  const parsed = parse('--timeout', '5', '--yes', '--cwd', '/x', '-y', '--cwd=/z');
  assert.deepEqual(parsed.args, { timeout: 5 });
  assert.deepEqual(parsed.own, ['--yes', '--cwd', '/x', '-y', '--cwd=/z']);
});

test('whole arguments come from JSON, a file or standard input; bare --json is an option', () => {
  assert.deepEqual(parse('{"path":"a"}', '@f.json', '-').sources, ['{"path":"a"}', '@f.json', '-']);
  const json = parse('--json', '{"path":"a"}');
  assert.deepEqual([json.sources, json.own], [['{"path":"a"}'], []]);
  const bare = parse('--json', '--path', 'a');
  assert.deepEqual([bare.sources, bare.own], [[], ['--json']]);
  assert.deepEqual(parse('--args', '{}').sources, ['{}']);
});

test('every problem is listed, with a guess for a mistyped flag', () => {
  const { problems } = parse('--pth', 'x', '--limit', 'many', 'stray', '--path');
  assert.equal(problems.length, 4, problems.join('\n'));
  assert.match(problems[0] ?? '', /--pth; did you mean --path\?/);
  assert.match(problems[1] ?? '', /--limit takes a number/);
  assert.match(problems[2] ?? '', /unexpected "stray"/);
  assert.match(problems[3] ?? '', /--path needs a value/);
});

test('S1 numbers that a double cannot hold are refused, not rounded', () => {
  assert.match(parse('--limit', '9007199254740993').problems.join(), /9007199254740993/);
  assert.match(parse('--limit', 'NaN').problems.join(), /takes a number/);
});

test('S1 a property named __proto__ or toString is a property', () => {
  const odd = JSON.parse(
    '{"type":"object","required":[],"properties":{"__proto__":{"type":"string"},"toString":{"type":"string"}}}',
  ) as ObjectSchema;
  const { args, problems } = parseFlags(['--__proto__', 'a', '--toString', 'b'], odd, own);
  assert.deepEqual(problems, []);
  assert.equal(JSON.stringify(args), '{"__proto__":"a","toString":"b"}');
  assert.match(parse('--constructor', 'x').problems.join(), /unknown flag/);
});

test('flags win over sources; what is not JSON or not an object is a usage error', async () => {
  const stdin = Readable.from(['{"path":"from stdin","limit":1}']);
  assert.deepEqual(await mergeArguments(['-'], { limit: 2 }, stdin), {
    path: 'from stdin',
    limit: 2,
  });
  await assert.rejects(mergeArguments(['[1]'], {}, stdin), UsageError);
  await assert.rejects(mergeArguments(['{"a":1,}'], {}, stdin), /line 1, column/);
  await assert.rejects(mergeArguments(['@/no/such/file'], {}, stdin), /ENOENT/);
});
