import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { JsonValue } from '../domain/json.js';
import { jsonObject } from '../testing/arbitrary.js';
import { canonicalJson } from './canonical.js';
import { checkJson, checkJsonValue } from './check.js';
import { MAX_JSON_DEPTH } from './limits.js';
import { parseJsonExact } from './parse.js';
import { setOwn } from './own.js';

function problems(result: ReturnType<typeof parseJsonExact>): string[] {
  return result.ok ? [] : result.violations.map(({ pointer, message }) => `${pointer} ${message}`);
}

describe('S1: parseJsonExact', () => {
  it('reads what JSON.stringify writes, exactly', () => {
    fc.assert(
      fc.property(jsonObject, fc.constantFrom(undefined, 2), (value, indent) => {
        const parsed = parseJsonExact(JSON.stringify(value, null, indent));
        // JSON.stringify writes -0 as 0; canonicalJson does the same.
        assert.ok(parsed.ok);
        assert.equal(canonicalJson(parsed.value), canonicalJson(value));
      }),
      { numRuns: 300, seed: 3 },
    );
  });

  it('takes and refuses the texts that JSON.parse does, but for what it refuses on purpose', () => {
    const pieces = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '"\\u00e9"',
      '1',
      '-0',
      '01',
      '1.',
      '1e5',
      'true',
      'nul',
      ' ',
      '\n',
      '"\t"',
      "'a'",
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 8 }), (parts) => {
        const text = parts.join('');
        const parsed = parseJsonExact(text);
        let expected: { value: unknown } | undefined;
        try {
          expected = { value: JSON.parse(text) };
        } catch {
          // Not JSON; then it must be refused here too.
        }
        if (expected === undefined) assert.equal(parsed.ok, false, text);
        else if (parsed.ok) assert.deepEqual(parsed.value, expected.value);
        else assert.match(problems(parsed).join(), /stands twice|larger than a double/);
      }),
      { numRuns: 3_000, seed: 3 },
    );
  });

  for (const text of [
    '9007199254740993',
    '-9007199254740993',
    '9007199254740993.0',
    '9.007199254740993e15',
    '90071992547409930e-1',
    '1e400',
    '-1e400',
    '1e-400',
    '123456789012345678901234567890',
  ]) {
    it(`refuses ${text}, with the number and its place`, () => {
      const [problem] = problems(parseJsonExact(`{"ids": [1, ${text}]}`));
      assert.ok(problem?.startsWith(`/ids/1 the number ${text} `), problem);
      assert.match(problem ?? '', /send it as a string \(line 1, column \d+\)/);
    });
  }

  for (const [text, value] of [
    ['9007199254740992', 2 ** 53],
    ['9007199254740994', 2 ** 53 + 2],
    ['1e308', 1e308],
    ['1e23', 1e23],
    ['0.1', 0.1],
    ['5e-324', 5e-324],
    ['0e999', 0],
    ['18014398509481984', 2 ** 54],
  ] as const) {
    it(`reads ${text}`, () => assert.deepEqual(parseJsonExact(text), { ok: true, value }));
  }

  it('reads back every number that JavaScript prints', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        const parsed = parseJsonExact(Object.is(number, -0) ? '-0' : String(number));
        assert.ok(parsed.ok && Object.is(parsed.value, number), String(number));
      }),
      { numRuns: 2_000, seed: 3 },
    );
  });

  it('keeps __proto__ as a key', () => {
    const parsed = parseJsonExact('{"__proto__": {"x": 1}, "toString": 2}');
    assert.ok(parsed.ok);
    assert.deepEqual(Object.keys(parsed.value as object), ['__proto__', 'toString']);
    assert.equal(Object.getPrototypeOf(parsed.value), Object.prototype);
  });

  it('refuses a key that stands twice, and a lone surrogate', () => {
    assert.match(
      problems(parseJsonExact('{"a":1,"b":{"c":1,"c":2}}')).join(),
      /^\/b\/c the key "c" stands twice/,
    );
    assert.match(
      problems(parseJsonExact('{"a":"\\ud800"}')).join(),
      /^\/a the text holds a lone surrogate/,
    );
  });

  it('says line and column of a syntax error', () => {
    assert.deepEqual(problems(parseJsonExact('{\n  "a": 1,\n  "b": ?\n}')), [
      ' not JSON: expected a value, got "?" at line 3, column 8',
    ]);
    assert.match(
      problems(parseJsonExact('{"a": "x')).join(),
      /closing quote .* the end of the text/,
    );
    assert.match(problems(parseJsonExact('')).join(), /expected a value, got the end of the text/);
  });

  it('lists every number at once', () => {
    assert.equal(problems(parseJsonExact('[1e400, 9007199254740993, 1]')).length, 2);
  });

  it(`takes ${MAX_JSON_DEPTH} levels and refuses a million without exhausting the stack`, () => {
    assert.ok(parseJsonExact('['.repeat(MAX_JSON_DEPTH) + ']'.repeat(MAX_JSON_DEPTH)).ok);
    assert.match(
      problems(parseJsonExact('['.repeat(1_000_000))).join(),
      /nested deeper than 256 levels/,
    );
    assert.match(
      problems(parseJsonExact('{"a":'.repeat(1_000_000))).join(),
      /nested deeper than 256/,
    );
  });

  it('reads a text of five million characters', () => {
    const long = 'é'.repeat(5_000_000);
    assert.deepEqual(parseJsonExact(JSON.stringify({ long })), { ok: true, value: { long } });
  });
});

describe('S1: checkJson', () => {
  it('takes every JSON object as it is', () => {
    fc.assert(
      fc.property(jsonObject, (value) => assert.deepEqual(checkJson(value), { ok: true, value })),
    );
  });

  it('lists everything that is not JSON, with its place', () => {
    const value = {
      ok: [1, null, 'x', -0, 1e308, 2 ** 53],
      'a/b~': [undefined, Number.NaN, 1n, () => 1],
      date: new Date(0),
      map: new Map(),
      text: '\uDC00',
      [Symbol('s')]: 1,
      infinite: Number.NEGATIVE_INFINITY,
      hole: Array.from({ length: 1 }),
    };
    const checked = checkJson(value);
    assert.ok(!checked.ok);
    assert.deepEqual(
      checked.violations.map(({ pointer }) => pointer),
      [
        '/a~1b~0/0',
        '/a~1b~0/1',
        '/a~1b~0/2',
        '/a~1b~0/3',
        '/date',
        '/map',
        '/text',
        '/infinite',
        '/hole/0',
        '',
      ],
    );
    assert.ok(checked.violations.every(({ requirement }) => requirement === 'ERR-03'));
  });

  it('refuses what contains itself', () => {
    const loop: Record<string, unknown> = {};
    loop['self'] = [loop];
    const checked = checkJson(loop);
    assert.ok(!checked.ok);
    assert.match(
      checked.violations[0]?.message ?? '',
      /nested deeper than 256 levels, or it contains itself/,
    );
  });

  it('ends its list after a hundred problems', () => {
    const checked = checkJson({ a: Array.from({ length: 100_000 }) });
    assert.ok(!checked.ok);
    assert.equal(checked.violations.length, 101);
    assert.match(checked.violations.at(-1)?.message ?? '', /not listed/);
  });

  it('refuses a root that is no object', () => {
    assert.match(JSON.stringify(checkJson([1])), /expected a JSON object, got an array of 1/);
    assert.ok(checkJsonValue([1]).ok);
  });
});

describe('canonicalJson', () => {
  it('does not see the order of keys', () => {
    fc.assert(
      fc.property(jsonObject, (value) => {
        assert.equal(canonicalJson(reversed(value)), canonicalJson(value));
      }),
      { seed: 3 },
    );
  });

  it('spells a number one way, and tells other values apart', () => {
    const texts = [
      '{"a":1.0}',
      '{"a":1}',
      '{"a":10e-1}',
      '{"a":-0}',
      '{"a":"1"}',
      '{"__proto__":1}',
    ];
    const canonical = texts.map((text) => {
      const parsed = parseJsonExact(text);
      assert.ok(parsed.ok);
      return canonicalJson(parsed.value);
    });
    assert.deepEqual(canonical, [
      '{"a":1}',
      '{"a":1}',
      '{"a":1}',
      '{"a":0}',
      '{"a":"1"}',
      '{"__proto__":1}',
    ]);
  });
});

function reversed(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(reversed);
  const result: Record<string, JsonValue> = {};
  for (const [key, item] of Object.entries(value).toReversed()) setOwn(result, key, reversed(item));
  return result;
}
