// Texts that nobody meant to write: cut, damaged, far too deep, far too long. Each is read as what it says, or is
// a ConfigError with a place; nothing else is ever thrown. And texts whose meaning HashiCorp's own parser told.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { ConfigError } from './error.js';
import { quoted } from './hcl/quote.js';
import { configFromObject } from './load.js';
import { readDocument } from './read-document.js';
import { plainOf } from './value.js';

const HCL = `provider "files" {
  command = ["node", "./p.js"] # why
  env     = { A = "x-\${path.module}", "B C" : "\\u00e9\\n" }
  config {
    text = <<-EOT
      some \${env("NOTHING", "there")}
    EOT
    deep = [[1.5e2, true], { none = null }]
  }
}
/* end */
`;
const JSON_TEXT = JSON.stringify(
  { provider: { files: { command: ['node'], config: { a: [1, { b: 'ü${x}' }], c: null } } } },
  undefined,
  1,
);

/** The problems of a text; none when it can be read. */
async function problemsOf(text: string, file: string): Promise<ConfigError['problems']> {
  try {
    await readDocument(text, file, {});
    return [];
  } catch (error) {
    assert.ok(
      error instanceof ConfigError,
      `${JSON.stringify(text.slice(0, 200))}: ${String(error)}`,
    );
    for (const { location } of error.problems.slice(0, 100)) {
      assert.ok(location !== undefined && location.line >= 1 && location.column >= 1);
    }
    return error.problems;
  }
}

test('a text that is cut anywhere is an error with a place, or is whole', async () => {
  for (const [text, file] of [
    [HCL, 'a.hcl'],
    [JSON_TEXT, 'a.json'],
  ] as const) {
    assert.deepEqual(await problemsOf(text, file), []);
    for (let length = 0; length < text.length; length += 1) {
      await problemsOf(text.slice(0, length), file);
    }
  }
});

test('a damaged text never breaks the reader', async () => {
  const damage = fc.array(
    fc.tuple(fc.nat(), fc.nat({ max: 4 }), fc.string({ unit: 'binary', maxLength: 4 })),
    { minLength: 1, maxLength: 4 },
  );
  await fc.assert(
    fc.asyncProperty(damage, fc.boolean(), async (changes, isHcl) => {
      let text = isHcl ? HCL : JSON_TEXT;
      for (const [at, length, fresh] of changes) {
        const from = at % text.length;
        text = text.slice(0, from) + fresh + text.slice(from + length);
      }
      await problemsOf(text, isHcl ? 'a.hcl' : 'a.json');
    }),
    { numRuns: 300 },
  );
});

test('far too deep and far too long texts are errors', async () => {
  const deep = [
    [`a = ${'['.repeat(20_000)}${']'.repeat(20_000)}`, 'a.hcl'],
    ['a {\n'.repeat(5_000) + '}\n'.repeat(5_000), 'a.hcl'],
    [`{"a":${'['.repeat(5_000)}${']'.repeat(5_000)}}`, 'a.json'],
  ] as const;
  for (const [text, file] of deep) {
    assert.match((await problemsOf(text, file))[0]?.message ?? '', /nested/);
  }
  const unclosed = await problemsOf(`a = ${'['.repeat(20_000)}`, 'a.hcl');
  assert.match(unclosed[0]?.message ?? '', /never closed/);
  const long = await problemsOf('a'.repeat(4_000_001), 'a.hcl');
  assert.match(long[0]?.message ?? '', /4000001 characters/);
});

test('of thousands of problems a hundred are listed, and of a long line the part that matters', async () => {
  const names = Array.from({ length: 2_000 }, (_, index) => `k${index} = no${index}\n`);
  const problems = await readDocument(names.join(''), 'a.hcl').then(
    () => assert.fail('it was read'),
    (error: ConfigError) => error,
  );
  assert.equal(problems.problems.length, 101);
  assert.match(problems.message, /and 1900 more problems$/);
  const wide = `a = [${'1, '.repeat(10_000)}what]`;
  await assert.rejects(readDocument(wide, 'a.hcl'), (error: ConfigError) => {
    assert.ok(error.message.length < 800, error.message.slice(0, 1000));
    const [, line = '', mark = ''] = error.message.split('\n');
    assert.equal(line.slice(mark.indexOf('^')).slice(0, 4), 'what');
    return true;
  });
});

test('mistakes of syntax are told where they were made', async () => {
  const cases: [string, string][] = [
    ['a = "x\nb = 2\n', '1:5 the closing quote of a text is missing'],
    ['a = "x\ny"', '1:5 this text goes on in the next line'],
    ['x = 1\na = <<EOT\nx\n', '2:5 the end of a heredoc is missing'],
    ['a = \nb = 2', '1:3 "=": after "=" a value is expected'],
    ['a = "\\UFFFFFFFF"', '1:5 \\UFFFFFFFF is no character'],
    ['a = "x ${[1]}"', '1:8 a text can only hold texts'],
    ['a = "x ${null}"', '1:8 a text can only hold texts'],
    ['a = [1,2][0]', '1:5 "[1,2][0]" is not understood'],
    ['a = "ü😀" \nb = what', '2:5 what is not known'],
    ['/* ü */ a = what', '1:13 what is not known'],
  ];
  for (const [text, expected] of cases) {
    const [first] = await problemsOf(text, 'a.hcl');
    const told = `${first?.location?.line}:${first?.location?.column} ${first?.message}`;
    assert.ok(told.startsWith(expected), `${JSON.stringify(text)}: ${told}`);
  }
});

test('an object of a program holds what JSON can hold, and nothing else', () => {
  const cycle: Record<string, unknown> = {};
  cycle['again'] = cycle;
  const cases: [unknown, RegExp][] = [
    [Number.NaN, /\/provider\/x\/config\/it is NaN/],
    [Number.POSITIVE_INFINITY, /is Infinity/],
    [9_007_199_254_740_993n, /a bigint/],
    [() => 1, /a function/],
    [new Date(), /an instance of a class/],
    [[undefined], /\/it\/0 is a undefined/],
    [cycle, /\/it\/again is inside of itself/],
  ];
  for (const [it, expected] of cases) {
    const object = { provider: { x: { command: 'x', config: { it } } } };
    assert.throws(() => configFromObject(object), expected);
  }
  const same = { a: 1 };
  const [provider] = configFromObject({
    provider: { x: { command: 'x', config: { one: same, two: same, none: undefined } } },
  }).providers;
  assert.deepEqual(provider?.settings, { one: same, two: same });
});

test('a text that is written in quotes is read as it was', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(fc.string(), fc.constantFrom('${x}', '$${x}', '%{if}', '%%{', '"\\', '$$', '\n')),
      async (text) => {
        const document = await readDocument(`a = ${quoted(text)}\n`, 'a.hcl', {});
        assert.deepEqual(plainOf(document), { a: text });
      },
    ),
    { numRuns: 200 },
  );
});

test('JSON is read as JSON is, all of it', async () => {
  const written = ['{"a":1e3,"b":[-1E-2,1.5e+3,0,-0.5],"":{"e\\u0031":"1e3 ${x}"},"c d":[]}'];
  const generated = fc.sample(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 })), 300);
  for (const text of [
    ...written,
    ...generated.map((value) => JSON.stringify(value, undefined, 1)),
  ]) {
    const read = plainOf(await readDocument(text, 'a.json', {}));
    assert.equal(JSON.stringify(read), JSON.stringify(JSON.parse(text)), text);
  }
});

/**
 * Generated documents, with the values that HashiCorp's parser (the Go code, as @cdktn/hcl2json 0.24.0) gave for them.
 */
test('values are those of the reference parser', async () => {
  const file = new URL('../../fixtures/hcl-recorded.json', import.meta.url);
  const cases = JSON.parse(readFileSync(file, 'utf8')) as { text: string; value: unknown }[];
  assert.ok(cases.length > 100);
  for (const { text, value } of cases) {
    const read: unknown = JSON.parse(
      JSON.stringify(plainOf(await readDocument(text, 'a.hcl', {}))),
    );
    assert.deepEqual(read, value, text);
  }
});
