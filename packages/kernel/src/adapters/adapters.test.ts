import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ObjectSchema, Operation } from '@tenon/protocol';
import type { OperationListing, TurnResult } from '../api.js';
import type { CallOutcome } from '../outcome.js';
import { toAnthropicToolResults, toMcpToolResults, toOpenAIToolMessages } from './results.js';
import { toAnthropicTools, toMcpTools, toOpenAITools } from './tools.js';

const input: ObjectSchema = {
  type: 'object',
  properties: Object.fromEntries([
    ['path', { type: 'string', description: 'which file' }],
    ['mode', { type: 'string', enum: ['a', 'b'] }],
    ['lines', { type: 'array', items: { type: 'number' } }],
    ['free', { type: 'object', properties: {}, required: [] }],
    ['__proto__', { type: 'boolean' }],
  ]),
  required: ['path', '__proto__'],
};
const output: ObjectSchema = { type: 'object', properties: {}, required: [] };
const operation = {
  name: 'edit',
  kind: 'resource',
  risk: 'moderate',
  description: 'Edits a file.',
  input,
  output,
  idempotent: true,
} as unknown as Operation;
const listing: OperationListing = {
  provider: 'files',
  name: 'files.edit',
  modelName: 'files__edit',
  operation,
};

test('operations are offered in the shapes of Anthropic, OpenAI and MCP', () => {
  const [anthropic] = toAnthropicTools([listing]);
  assert.equal(anthropic?.name, 'files__edit');
  assert.equal(
    JSON.stringify(anthropic?.input_schema),
    JSON.stringify({
      type: 'object',
      properties: Object.fromEntries([
        ['path', { type: 'string', description: 'which file' }],
        ['mode', { type: 'string', enum: ['a', 'b'] }],
        ['lines', { type: 'array', items: { type: 'number' } }],
        ['free', { type: 'object' }],
        ['__proto__', { type: 'boolean' }],
      ]),
      required: ['path', '__proto__'],
      additionalProperties: false,
    }),
  );
  const [openai] = toOpenAITools([listing]);
  assert.deepEqual(openai?.function.parameters, anthropic?.input_schema);
  assert.equal(openai?.function.description, 'Edits a file.');
  const [mcp] = toMcpTools([listing]);
  assert.deepEqual(mcp?.annotations, {
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: true,
  });
  assert.deepEqual(mcp?.outputSchema, {
    type: 'object',
    properties: {},
    additionalProperties: false,
  });
  const look = { ...operation, kind: 'data_source' } as Operation;
  assert.deepEqual(toMcpTools([{ ...listing, operation: look }])[0]?.annotations, {
    readOnlyHint: true,
  });
});

const base = {
  provider: 'files',
  operation: 'edit',
  arguments: {},
  attempts: 1,
  durationMs: 1,
  partial: [],
} as const;
const euro = Buffer.from('€');
const outcomes: CallOutcome[] = [
  { ...base, callId: 'c1', status: 'ok', payload: { done: true } },
  {
    ...base,
    callId: 'c2',
    status: 'error',
    error: {
      category: 'invalid_arguments',
      message: 'bad',
      retryable: false,
      details: { at: '/x' },
    },
  },
  {
    ...base,
    callId: 'c3',
    status: 'denied',
    reason: 'not today',
    decidedBy: 'user',
    error: { category: 'permission_denied', message: 'not today', retryable: false },
  },
  {
    ...base,
    callId: 'c4',
    status: 'cancelled',
    error: { category: 'cancelled', message: 'stopped', retryable: false },
    partial: [
      { type: 'output_chunk', stream: 'stdout', data: euro.subarray(0, 1) },
      { type: 'output_chunk', stream: 'stdout', data: euro.subarray(1) },
      { type: 'partial_result', payload: { written: 1 } },
    ],
  },
];
const calls = ['t1', 't2', 't3', undefined].map((id) => ({
  name: 'files.edit',
  arguments: {},
  ...(id === undefined ? {} : { id }),
}));
const turn: TurnResult = { turnId: 't', outcomes, end: { reason: 'continue' } };

test('results go back in declaration order, with the ids of the model', () => {
  assert.deepEqual(toAnthropicToolResults(calls, turn), [
    { type: 'tool_result', tool_use_id: 't1', content: '{"done":true}' },
    {
      type: 'tool_result',
      tool_use_id: 't2',
      content: 'invalid_arguments: bad\ndetails: {"at":"/x"}',
      is_error: true,
    },
    {
      type: 'tool_result',
      tool_use_id: 't3',
      content: 'files.edit was not allowed to run (decided by user): not today',
      is_error: true,
    },
    {
      type: 'tool_result',
      tool_use_id: 'c4',
      content:
        'cancelled: stopped\nreported before the end:\n{"written":1}\nstdout before the end:\n€',
    },
  ]);
  assert.deepEqual(
    toOpenAIToolMessages(calls, turn).map((message) => message.tool_call_id),
    ['t1', 't2', 't3', 'c4'],
  );
  const mcp = toMcpToolResults(calls, turn);
  assert.deepEqual(mcp[0]?.structuredContent, { done: true });
  assert.deepEqual(
    mcp.map(({ isError }) => isError),
    [undefined, true, true, undefined],
  );
  assert.throws(() => toMcpToolResults([], turn), RangeError);
});

test('RCT-07 a cancelled call is a failure to the model only where the turn was aborted', () => {
  const aborted: TurnResult = { ...turn, end: { reason: 'aborted' } };
  assert.equal(toAnthropicToolResults(calls, aborted)[3]?.is_error, true);
});

test('output of a failed call is cut to its end, between characters', () => {
  const data = Buffer.from('€'.repeat(10_000));
  const failed: CallOutcome = {
    ...base,
    callId: 'c',
    status: 'error',
    error: { category: 'timeout', message: 'late', retryable: true },
    partial: [{ type: 'output_chunk', stream: 'stderr', data }],
  };
  const [message] = toOpenAIToolMessages([{ name: 'x', arguments: {} }], {
    outcomes: [failed],
    end: { reason: 'continue' },
  });
  const [, head = '', text = ''] = (message?.content ?? '').split('\n');
  assert.match(head, /the last 8192 of 30000 bytes/);
  assert.match(text, /^€+$/);
});
