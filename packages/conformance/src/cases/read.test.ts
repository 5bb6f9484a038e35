// Case files: what they mean, and every mistake in them with its line.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parseCases, readCaseFile } from './read.js';
import { CaseFileError } from './reader.js';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

const problems = (text: string): string[] => {
  try {
    parseCases(text, 'f');
    return [];
  } catch (error) {
    assert.ok(error instanceof CaseFileError);
    return error.message.split('\n');
  }
};

describe('a case file', () => {
  it('is YAML, or JSON', () => {
    const yaml = parseCases(
      'version: 1\ncases:\n  - operation: a\n    expect: { error: not_found }\n',
      'f',
    );
    const json = parseCases(
      '{"version":1,"cases":[{"operation":"a","expect":{"error":"not_found"}}]}',
      'f',
    );
    assert.deepEqual(yaml.cases[0]?.expect, { type: 'error', category: 'not_found' });
    assert.deepEqual(json.cases[0]?.expect, yaml.cases[0]?.expect);
    assert.equal(yaml.runResources, false, 'resources run only when the author says so');
  });

  it('has fixtures of every kind', () => {
    const { fixtures } = parseCases(
      'version: 1\nfixtures:\n  a.txt: "a"\n  b: { base64: "AAE=", mode: "0400" }\n  l: { link: a.txt }\n  d: { folder: true }\n',
      'f',
    );
    assert.deepEqual(
      fixtures.map(({ path, kind }) => [path, kind]),
      [
        ['a.txt', 'file'],
        ['b', 'file'],
        ['l', 'link'],
        ['d', 'folder'],
      ],
    );
    assert.deepEqual(fixtures[1], {
      path: 'b',
      kind: 'file',
      content: Buffer.from([0, 1]),
      mode: 0o400,
    });
  });

  it('tells every mistake at once, with line and column', () => {
    const found = problems(
      [
        'version: 2',
        'fixtures:',
        '  ../out: "x"',
        'cases:',
        '  - name: 5',
        '    expect: { error: process_crashed }',
        '    argumnets: {}',
        'not_applicable:',
        '  ABC-99: ""',
      ].join('\n'),
    );
    assert.deepEqual(
      found.map((line) => line.split(': ').slice(0, 2).join(': ')),
      [
        'f:1:10: version',
        'f:3:11: fixtures.../out',
        'f:5:5: cases[0]',
        'f:5:11: cases[0].name',
        'f:6:22: cases[0].expect.error',
        'f:7:5: cases[0]',
        'f:9:11: not_applicable.ABC-99',
        'f:9:11: not_applicable.ABC-99',
      ],
    );
    assert.match(found[5] ?? '', /argumnets is not known here; possible are name, operation/);
  });

  it('that is no YAML says where', () => {
    assert.match(problems('version: [1\ncases: }')[0] ?? '', /^f:\d+:\d+: YAML: /);
  });

  it('has a schema for editors that knows exactly the same fields', () => {
    const schema = JSON.parse(readFileSync(at('../../case-file.schema.json'), 'utf8')) as {
      properties: Record<string, unknown>;
      $defs: Record<string, { properties: Record<string, unknown> }>;
    };
    for (const name of Object.keys(schema.properties)) {
      const [problem = ''] = problems(`version: 1\n${name}: !!null null`);
      assert.doesNotMatch(problem, /is not known here/, name);
    }
    const [unknown = ''] = problems('version: 1\ncases: [{ operation: a, zzz: 1 }]');
    const known = /possible are (.*)$/.exec(unknown)?.[1]?.split(', ');
    assert.deepEqual(Object.keys(schema.$defs['case']?.properties ?? {}), known);
    const [top = ''] = problems('version: 1\nzzz: 1');
    assert.deepEqual(
      Object.keys(schema.properties),
      /possible are (.*)$/.exec(top)?.[1]?.split(', '),
    );
  });

  it('of the fixture can be read', () => {
    assert.ok(readCaseFile(at('../../fixtures/raw.cases.yaml')).cases.length > 10);
  });
});
