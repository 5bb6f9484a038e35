import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonValue } from '@tenon/protocol';
import { readCalls } from './calls.js';

const expected = {
  ok: true,
  calls: [{ name: 'a.b', arguments: { x: 1 }, id: 'c1' }],
};

test('calls are read from a plain list and from the messages of model APIs', () => {
  const text = { type: 'text', text: 'let me look' };
  const messages: unknown[] = [
    [{ id: 'c1', name: 'a.b', arguments: { x: 1 } }],
    { calls: [{ id: 'c1', name: 'a.b', arguments: { x: 1 } }] },
    { id: 'c1', name: 'a.b', arguments: { x: 1 } },
    {
      role: 'assistant',
      content: [text, { type: 'tool_use', id: 'c1', name: 'a.b', input: { x: 1 } }],
    },
    [text, { type: 'tool_use', id: 'c1', name: 'a.b', input: { x: 1 } }],
    {
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'a.b', arguments: '{"x":1}' } }],
    },
    {
      choices: [
        {
          message: { tool_calls: [{ id: 'c1', function: { name: 'a.b', arguments: '{"x":1}' } }] },
        },
      ],
    },
    {
      output: [
        { type: 'reasoning' },
        { type: 'function_call', call_id: 'c1', name: 'a.b', arguments: '{"x":1}' },
      ],
    },
    {
      jsonrpc: '2.0',
      id: 'c1',
      method: 'tools/call',
      params: { name: 'a.b', arguments: { x: 1 } },
    },
  ];
  for (const value of messages) {
    assert.deepEqual(readCalls(value as JsonValue), expected, JSON.stringify(value));
  }
});

test('arguments that are not JSON stay as they are, for the kernel to refuse', () => {
  const read = readCalls([{ name: 'a.b', arguments: '{oops' }]);
  assert.deepEqual(read, { ok: true, calls: [{ name: 'a.b', arguments: '{oops' }] });
});

test('what holds no calls is refused, with the place of each problem', () => {
  assert.deepEqual(readCalls([{ name: 'a.b' }, { nam: 'c' }, 5]), {
    ok: false,
    problems: [
      '/1: expected { "name": …, "arguments": {…} }',
      '/2: expected { "name": …, "arguments": {…} }',
    ],
  });
  const nothing: JsonValue[] = ['x', {}, [], { content: [{ type: 'text', text: 'no' }] }];
  for (const value of nothing) {
    assert.equal(readCalls(value).ok, false, JSON.stringify(value));
  }
});
