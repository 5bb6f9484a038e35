import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Ajv } from 'ajv';
import fc from 'fast-check';
import type { JsonValue } from '../domain/json.js';
import type { Operation } from '../domain/operation.js';
import type { ObjectSchema, Schema } from '../domain/schema.js';
import { describeValue } from '../json/check.js';
import { jsonObject, objectSchema } from '../testing/arbitrary.js';
import { checkOperation, type OperationDraft } from './check-operation.js';
import { checkProviderSchema } from './check-provider-schema.js';
import { compileValidator } from './compile.js';

/** A value that often fits: the schema is followed, now and then with something else instead. */
function valueOf(schema: Schema): fc.Arbitrary<unknown> {
  const other = fc.oneof(
    fc.constantFrom<unknown>(null, 'x', 0, true, [], {}),
    jsonObject as fc.Arbitrary<unknown>,
  );
  return fc.oneof({ weight: 12, arbitrary: fitting(schema) }, { weight: 1, arbitrary: other });
}

function fitting(schema: Schema): fc.Arbitrary<unknown> {
  switch (schema.type) {
    case 'string':
      return schema.enum === undefined ? fc.string() : fc.constantFrom(...schema.enum);
    case 'number':
      return fc.double({ noNaN: true, noDefaultInfinity: true });
    case 'boolean':
      return fc.boolean();
    case 'array':
      return fc.array(valueOf(schema.items), { maxLength: 3 });
    case 'object': {
      const values = Object.entries(schema.properties).map(([name, property]) =>
        fc
          .option(valueOf(property), {
            freq: schema.required.includes(name) ? 20 : 2,
            nil: undefined,
          })
          .map((value) => [name, value] as const),
      );
      const extra = fc.option(fc.constantFrom('path', 'valueOf', 'pth'), {
        freq: 1,
        nil: undefined,
      });
      return fc.tuple(fc.tuple(...values), fc.boolean(), extra).map(([entries, add, name]) => ({
        ...Object.fromEntries(entries.filter(([, value]) => value !== undefined)),
        ...(add && name !== undefined ? { [name]: 'x' } : {}),
      }));
    }
  }
}

function jsonSchema(schema: Schema, root = true): object {
  switch (schema.type) {
    case 'array':
      return { type: 'array', items: jsonSchema(schema.items, false) };
    case 'object': {
      const properties = Object.entries(schema.properties);
      if (properties.length === 0 && !root) return { type: 'object' };
      return {
        type: 'object',
        properties: Object.fromEntries(
          properties.map(([name, property]) => [name, jsonSchema(property, false)]),
        ),
        required: schema.required,
        additionalProperties: false,
      };
    }
    default:
      return schema;
  }
}

const places = (violations: readonly { pointer: string }[]) =>
  [...new Set(violations.map(({ pointer }) => pointer))].sort();

describe('ERR-03: compileValidator', () => {
  it('agrees with ajv on which values fit and on where they do not', () => {
    let fits = 0;
    fc.assert(
      fc.property(
        objectSchema.chain((schema) => fc.tuple(fc.constant(schema), valueOf(schema))),
        ([schema, value]) => {
          const ajv = new Ajv({ strict: true, allErrors: true, ownProperties: true });
          const validate = ajv.compile(jsonSchema(schema));
          const violations = compileValidator(schema)(value);
          const expected = validate(value)
            ? []
            : (validate.errors ?? []).map((error) => {
                const name = error.params as {
                  missingProperty?: string;
                  additionalProperty?: string;
                };
                const extra = name.missingProperty ?? name.additionalProperty;
                const token = extra?.replaceAll('~', '~0').replaceAll('/', '~1');
                return { pointer: error.instancePath + (token === undefined ? '' : `/${token}`) };
              });
          if (expected.length === 0) fits++;
          assert.deepEqual(places(violations), places(expected));
        },
      ),
      { numRuns: 200, seed: 5 },
    );
    assert.ok(fits > 20 && fits < 180, `${fits} of 200 fit; both sides need cases`);
  });

  const schema: ObjectSchema = {
    type: 'object',
    properties: {
      path: { type: 'string' },
      count: { type: 'number' },
      mode: { type: 'string', enum: ['read', 'write'] },
      edits: {
        type: 'array',
        items: { type: 'object', properties: { old: { type: 'string' } }, required: ['old'] },
      },
      headers: { type: 'object', properties: {}, required: [] },
    },
    required: ['path'],
  };
  const validate = compileValidator(schema);
  const list = (value: unknown) =>
    validate(value).map(({ pointer, message }) => `${pointer} ${message}`);

  it('lists every problem with its place, what was expected, what came, and what to do', () => {
    assert.deepEqual(
      list({
        pth: 'x',
        count: '3',
        mode: 'reed',
        edits: [{ old: 1 }, {}],
        headers: { a: Number.NaN },
      }),
      [
        '/path "path" (string) is required and missing; add it',
        '/pth "pth" is not a property; did you mean "path"?',
        '/count expected a finite number, got a string; write the number without quotes',
        '/mode expected one of "read", "write", got "reed"; did you mean "read"?',
        '/edits/0/old expected a string, got a number',
        '/edits/1/old "old" (string) is required and missing; add it',
        '/headers/a NaN is not a JSON number; leave the field out or use a string',
      ],
    );
  });

  it('refuses what is not JSON', () => {
    for (const value of [
      undefined,
      null,
      1n,
      () => 1,
      Symbol('s'),
      [],
      'text',
      new Date(0),
      new Map(),
    ]) {
      assert.equal(list(value).length, 1, describeValue(value));
    }
    for (const value of [undefined, null, 1n, Number.NaN, Number.POSITIVE_INFINITY, {}, '\uD800']) {
      assert.equal(list({ path: value }).length, 1, describeValue(value));
    }
    assert.equal(list({ path: 'x', [Symbol('s')]: 1 }).length, 1);
  });

  it('S1: looks at own properties alone, whatever their names', () => {
    const names = ['toString', '__proto__', 'constructor'];
    const odd: ObjectSchema = {
      type: 'object',
      properties: JSON.parse(
        '{"toString":{"type":"string"},"__proto__":{"type":"number"},"constructor":{"type":"boolean"}}',
      ) as ObjectSchema['properties'],
      required: names,
    };
    assert.deepEqual(places(compileValidator(odd)({})), names.map((name) => `/${name}`).sort());
    const right: unknown = JSON.parse('{"toString":"x","__proto__":1,"constructor":true}');
    assert.deepEqual(compileValidator(odd)(right), []);
    assert.deepEqual(
      places(
        compileValidator(odd)(JSON.parse('{"toString":"x","__proto__":"1","constructor":true}')),
      ),
      ['/__proto__'],
    );
    assert.deepEqual(places(validate(JSON.parse('{"path":"x","__proto__":{"count":1}}'))), [
      '/__proto__',
    ]);
    assert.deepEqual(places(validate(Object.create({ path: 'inherited' }) as object)), ['']);
  });

  it('S1: checks 60 levels, and refuses far more with a clear message', () => {
    const nest = (levels: number) => {
      let inner: Schema = { type: 'string' };
      let value: JsonValue = 'x';
      for (let i = 0; i < levels; i++) {
        inner = { type: 'array', items: inner };
        value = [value];
      }
      return {
        schema: { type: 'object', properties: { a: inner }, required: [] } as const,
        value: { a: value },
      };
    };
    const sixty = nest(60);
    assert.deepEqual(compileValidator(sixty.schema)(sixty.value), []);
    assert.throws(
      () => compileValidator(nest(10_000).schema),
      /nested deeper than 256 levels; flatten it/,
    );
    const free: Record<string, unknown> = {};
    free['self'] = free;
    assert.match(list({ path: 'x', headers: free }).join(), /nested deeper than 256/);
  });

  it('takes a text of five million characters, and does not repeat it in a message', () => {
    assert.deepEqual(list({ path: 'é'.repeat(5_000_000) }), []);
    assert.ok((list({ path: 'x', mode: 'y'.repeat(5_000_000) })[0]?.length ?? 0) < 300);
    assert.ok((list({ path: 'x', ['z'.repeat(5_000_000)]: 1 })[0]?.length ?? 0) > 0);
  });

  it('OUT-01: carries the requirement that it was asked to', () => {
    assert.equal(compileValidator(schema, { requirement: 'OUT-01' })({})[0]?.requirement, 'OUT-01');
  });
});

const good: Operation = {
  name: 'edit_file',
  kind: 'resource',
  risk: 'moderate',
  description: 'Replaces text.',
  input: {
    type: 'object',
    properties: {
      path: { type: 'string' },
      edits: {
        type: 'array',
        items: {
          type: 'object',
          properties: { path: { type: 'string' }, n: { type: 'number' } },
          required: [],
        },
      },
    },
    required: ['path'],
  },
  output: { type: 'object', properties: {}, required: [] },
  streaming: false,
  concurrency: { safe: true, keyFields: ['path'] },
  defaultTimeoutMs: 1000,
  idempotent: false,
  terminatesTurn: false,
  derivedKeys: [{ field: 'edits/*/path', derivation: 'path', keySpace: 'files' }],
};

describe('checkOperation', () => {
  const without = (...names: (keyof Operation)[]): OperationDraft => {
    const copy: Partial<Record<keyof Operation, unknown>> = { ...good };
    for (const name of names) delete copy[name];
    return copy as unknown as OperationDraft;
  };
  const interactive = { kind: 'interactive', risk: 'read_only' } as const;
  const cases: [string, OperationDraft, string[]][] = [
    ['a good one', good, []],
    ['a good data source', { ...good, kind: 'data_source', risk: 'read_only' }, []],
    ['a good interactive', { ...without('concurrency', 'defaultTimeoutMs'), ...interactive }, []],
    ['no name', { ...good, name: ' ' }, ['SCH-02 /name']],
    ['no description', { ...good, description: '' }, ['SCH-02 /description']],
    ['no kind', without('kind'), ['KND-01 /kind']],
    ['no risk', without('risk'), ['KND-02 /risk']],
    ['a read-only resource', { ...good, risk: 'read_only' }, ['KND-02 /risk']],
    ['a risky data source', { ...good, kind: 'data_source', risk: 'low' }, ['KND-02 /risk']],
    [
      'a data source that ends the turn',
      { ...good, kind: 'data_source', risk: 'read_only', terminatesTurn: true },
      ['TRM-01 /terminates_turn'],
    ],
    ['no input schema', without('input'), ['SCH-03 /input_schema']],
    [
      'an output schema that is no object',
      { ...good, output: { type: 'string' } },
      ['SCH-03 /output_schema/type'],
    ],
    [
      'a required name that is not declared',
      { ...good, output: { type: 'object', properties: {}, required: ['toString'] } },
      ['SCH-03 /output_schema/required/0'],
    ],
    [
      'an empty enum',
      {
        ...good,
        output: { type: 'object', properties: { a: { type: 'string', enum: [] } }, required: [] },
      },
      ['SCH-01 /output_schema/properties/a/enum_values'],
    ],
    ['no concurrency', without('concurrency'), ['CON-01 /concurrency']],
    ['an interactive with concurrency', { ...good, ...interactive }, ['CON-03 /concurrency']],
    [
      'a key that is no property',
      { ...good, concurrency: { safe: true, keyFields: ['path', 'pth'] } },
      ['CON-07 /concurrency/key_fields/1'],
    ],
    [
      'keys without safe',
      { ...good, concurrency: { safe: false, keyFields: ['path'] } },
      ['CON-07 /concurrency/key_fields'],
    ],
    ['no timeout', without('defaultTimeoutMs'), ['TMO-01 /default_timeout']],
    ['a timeout of zero', { ...good, defaultTimeoutMs: 0 }, ['TMO-01 /default_timeout']],
    [
      'a derived key that leads nowhere',
      { ...good, derivedKeys: [{ field: 'edits/path', derivation: 'path', keySpace: 'f' }] },
      ['OPEN-02 /keys/0/field'],
    ],
    [
      'a path key that is a number',
      { ...good, derivedKeys: [{ field: 'edits/*/n', derivation: 'path', keySpace: 'f' }] },
      ['OPEN-02 /keys/0/field'],
    ],
    [
      'everything at once',
      { ...without('kind', 'risk', 'input'), name: '' },
      ['KND-01 /kind', 'KND-02 /risk', 'SCH-02 /name', 'SCH-03 /input_schema'],
    ],
  ];
  for (const [name, operation, expected] of cases) {
    it(`${name}: ${expected.join(', ') || 'no violation'}`, () => {
      const found = checkOperation(operation).map(
        ({ requirement, pointer }) => `${requirement} ${pointer}`,
      );
      assert.deepEqual(found.sort(), expected);
    });
  }
});

describe('checkProviderSchema', () => {
  it('SCH-02, SCH-04, CFG-01: finds what is wrong between operations, and in commands and attributes', () => {
    const attribute = {
      type: 'string',
      required: false,
      sensitive: false,
      description: '',
      attributes: [],
    } as const;
    const found = checkProviderSchema({
      operations: [good, { ...good, name: 'other', risk: 'read_only' }, good],
      slashCommands: [
        { name: 'a', description: 'x', template: 'x' },
        { name: 'a', description: '', template: 'x' },
      ],
      config: [
        { ...attribute, name: 'a', default: 3 },
        { ...attribute, name: 'a' },
        { ...attribute, name: 'l', type: 'list_string', default: ['x'] },
      ],
      supportedHookPoints: [],
    });
    assert.deepEqual(found.map(({ requirement, pointer }) => `${requirement} ${pointer}`).sort(), [
      'CFG-01 /config_schema/attributes/0/default_json',
      'CFG-01 /config_schema/attributes/1/name',
      'KND-02 /tools/1/risk',
      'SCH-02 /tools/2/name',
      'SCH-04 /slash_commands/1/description',
      'SCH-04 /slash_commands/1/name',
    ]);
  });
});
