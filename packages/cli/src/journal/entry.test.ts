import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CallSummary, JournalEntry, StoredEntry } from '@tenon/kernel';
import { paint } from '../paint/paint.js';
import { fallbackEmit } from './emit.js';
import { entryJson, entryNode } from './entry.js';
import { callsTable } from './table.js';

const ids = { sessionId: '01SESSION', turnId: '01TURN', callId: '01CALL' };
const outcome = {
  callId: ids.callId,
  provider: 'p',
  operation: 'o',
  kind: 'resource',
  arguments: {},
  attempts: 1,
  durationMs: 12,
  partial: [],
} as const;
const error = { category: 'timeout', message: 'too slow', retryable: true } as const;

const entries: JournalEntry[] = [
  { type: 'session_started', ...ids, workingDirectory: '/w', profile: '', kernelPid: 7 },
  { type: 'session_ended', ...ids, status: 'completed' },
  { type: 'turn_started', ...ids, callIds: ['01CALL'] },
  { type: 'turn_ended', ...ids, reason: 'doom_loop', message: 'three times the same' },
  {
    type: 'call_requested',
    ...ids,
    index: 0,
    name: 'p.o',
    provider: 'p',
    operation: 'o',
    arguments: { path: 'x' },
  },
  {
    type: 'call_requested',
    ...ids,
    index: 0,
    name: 'p.o',
    provider: 'p',
    operation: 'o',
    arguments: '{oops',
  },
  {
    type: 'plan_item',
    ...ids,
    item: {
      id: '01ITEM',
      callId: ids.callId,
      provider: 'p',
      operation: 'o',
      input: {},
      decision: 'ask',
      decidedBy: 'policy:default',
      kind: 'resource',
      risk: 'high',
      description: '',
      preview: { root: { type: 'text', content: 'the preview' } },
    },
  },
  {
    type: 'decision',
    ...ids,
    action: 'allow',
    decidedBy: 'user',
    reason: 'fine',
    scope: 'once',
    downgraded: false,
    originalArguments: { path: 'x' },
    arguments: { path: 'corrected' },
  },
  { type: 'intent', ...ids, arguments: {}, idempotent: false },
  {
    type: 'attempt_started',
    ...ids,
    attempt: 1,
    pid: 5,
    providerVersion: '1.0.0',
    deadlineMs: 5_000,
    lockKeys: ['k'],
  },
  {
    type: 'event',
    ...ids,
    attempt: 1,
    event: { type: 'output_chunk', stream: 'stderr' },
    chunk: Buffer.from('chunk text'),
  },
  { type: 'event', ...ids, attempt: 1, event: { type: 'progress', message: 'half way' } },
  { type: 'chunks_dropped', ...ids, attempt: 1, count: 3, bytes: 99 },
  { type: 'attempt_ended', ...ids, attempt: 1, status: 'ok' },
  {
    type: 'attempt_ended',
    ...ids,
    attempt: 1,
    status: 'error',
    error,
    reaction: { type: 'surface', why: 'not idempotent' },
    violations: [{ requirement: 'EVT-06', pointer: '/x', message: 'bad fraction' }],
  },
  { type: 'outcome', ...ids, outcome: { ...outcome, status: 'ok', payload: { done: 'yes' } } },
  { type: 'outcome', ...ids, outcome: { ...outcome, status: 'error', error } },
  {
    type: 'outcome',
    ...ids,
    outcome: { ...outcome, status: 'denied', error, reason: 'no way', decidedBy: 'user' },
  },
  { type: 'outcome', ...ids, outcome: { ...outcome, status: 'cancelled', error } },
  {
    type: 'emit',
    ...ids,
    id: '01EMIT',
    provider: 'p',
    providerVersion: '1.0.0',
    kind: 'message',
    schemaVersion: '2',
    payload: Buffer.from('{"a":1}'),
  },
  {
    type: 'emit',
    ...ids,
    id: '01EMIT',
    provider: 'p',
    providerVersion: '1.0.0',
    kind: 'message',
    schemaVersion: '2',
    payload: Buffer.from([255, 254]),
  },
  {
    type: 'provider_log',
    ...ids,
    provider: 'p',
    level: 'info',
    message: 'hello',
    fields: { n: 1 },
  },
  { type: 'provider_fault', ...ids, provider: 'p', message: 'two ends', violations: [] },
  {
    type: 'hook_error',
    ...ids,
    point: 'plan_ready',
    subscriber: 'h',
    mode: 'veto',
    category: 'timeout',
    message: 'slow',
  },
  { type: 'breaker', ...ids, provider: 'p', state: 'open', reason: 'crashes' },
  { type: 'of_the_future', what: 'else' } as unknown as JournalEntry,
];

const expected = [
  /session 01SESSION\nin \/w, by process 7/,
  /completed/,
  /turn 01TURN: 1 calls/,
  /doom_loop: three times the same/,
  /p\.o[\s\S]*"path": "x"/,
  /not JSON\n│ \{oops/,
  /risk high, ask by policy:default\nthe preview/,
  /allowed by user \(once\): fine[\s\S]*corrected/,
  /before any effect/,
  /version 1\.0\.0, pid 5, deadline 5 s, locks k/,
  /stderr\n│ chunk text/,
  /half way/,
  /3 more pieces of output were not kept \(99 bytes\)/,
  /attempt 1 succeeded/,
  /timeout \(retryable\): too slow\nreaction: surface \(not idempotent\)\nEVT-06 \/x bad fraction/,
  /ok \(12 ms, 1 attempt\)\ndone: yes/,
  /failed[\s\S]*too slow/,
  /denied by user\nno way/,
  /cancelled[\s\S]*nothing had been reported/,
  /schema 2\n│ \{\n│ {3}"a": 1/,
  /\(2 bytes\)/,
  /p info: hello/,
  /broke the protocol: two ends/,
  /hook h at plan_ready \(veto\): timeout: slow/,
  /breaker of p: open \(crashes\)/,
  /of_the_future/,
];

test('every kind of entry is shown, also one of a newer version', () => {
  for (const [index, entry] of entries.entries()) {
    const stored: StoredEntry = { ...entry, sequence: index + 1, time: 0 };
    const text = paint({ root: entryNode(stored, fallbackEmit) }, { width: 100, color: false });
    assert.match(text, expected[index] ?? /$^/, entry.type);
  }
});

test('every kind of entry is exported as JSON that holds all of it', () => {
  for (const [index, entry] of entries.entries()) {
    const json = JSON.parse(
      JSON.stringify(entryJson({ ...entry, sequence: index, time: 0 })),
    ) as object;
    assert.deepEqual(
      Object.keys(json).toSorted(),
      [...Object.keys(entry), 'sequence', 'time'].toSorted(),
    );
    if (entry.type === 'emit') {
      const { base64 } = (json as { payload: { base64: string } }).payload;
      assert.deepEqual(Buffer.from(base64, 'base64'), Buffer.from(entry.payload));
    }
  }
});

test('the table of calls says how each ended, who decided and why it failed', () => {
  const call = {
    ...ids,
    sequence: 1,
    time: 0,
    provider: 'p',
    operation: 'o',
    attempts: 2,
    decidedBy: 'policy:default',
    durationMs: 1_500,
  };
  const rows: CallSummary[] = [
    { ...call, status: 'error', error },
    { ...call, status: 'outcome_unknown' },
  ];
  const root = callsTable(rows, { width: 140 });
  const text = paint({ root }, { width: 140, color: false });
  assert.match(text, /p\.o +timeout \(2 attempts\) +default +1\.5\u00a0s +too slow/);
  assert.match(text, /outcome unknown/);
});
