// Streams that break the rules, from a real process (EVT-01..06, ERR-02, ERR-11, OUT-01, OUT-02).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorOf, openHarness, payloadOf, type Step } from '../fixtures/harness.js';

/** What the provider does, and the requirement that it breaks. */
const CASES: readonly [
  what: string,
  operation: string,
  script: readonly Step[],
  requirement: string,
][] = [
  ['two results', 'read', [{ result: {} }, { result: {} }], 'EVT-01'],
  [
    'a result and an error',
    'read',
    [{ result: {} }, { error: { category: 'not_found' } }],
    'EVT-01',
  ],
  ['a chunk after the result', 'read', [{ result: {} }, { chunk: 'x' }], 'EVT-01'],
  ['no terminal event', 'read', [{ chunk: 'x' }, { raw: '' }], 'EVT-06'],
  ['two exit_status', 'process', [{ exit_status: 0 }, { exit_status: 1 }], 'EVT-02'],
  ['a chunk from an operation that does not stream', 'plain', [{ chunk: 'x' }], 'EVT-04'],
  ['progress from an operation that does not stream', 'plain', [{ progress: 'x' }], 'EVT-04'],
  ['a fraction over 1', 'read', [{ progress: 'x', fraction: 1.5 }], 'EVT-06'],
  ['a negative fraction', 'read', [{ progress: 'x', fraction: -0.1 }], 'EVT-06'],
  ['process_crashed', 'read', [{ error: { category: 'process_crashed' } }], 'ERR-11'],
  [
    'an error without a message',
    'read',
    [{ error: { category: 'unknown', message: '' } }],
    'ERR-02',
  ],
  // InvokeResponse{event: ToolEvent{}}: the oneof is not set.
  ['an empty event', 'read', [{ raw: '0a00' }], 'EVT-06'],
  // …{output_chunk: {stream: 0}}
  ['a chunk of no stream', 'read', [{ raw: '0a020a00' }], 'EVT-06'],
  // …{error: {category: 0, message: "m"}}
  ['an error of no category', 'read', [{ raw: '0a05320312016d' }], 'ERR-11'],
  // …{result: {payload: {fields: {"text": NaN}}}}
  [
    'NaN in a result',
    'read',
    [{ raw: '0a172a150a130a110a0474657874120911000000000000f87f' }],
    'EVT-06',
  ],
  ['bytes that are no message', 'read', [{ raw: 'ffffffffff' }], 'EVT-06'],
];

test('EVT-01..06, ERR-11: each broken stream is unknown, with requirement and evidence', async (t) => {
  const harness = await openHarness(t);
  for (const [what, operation, script, requirement] of CASES) {
    const { outcome, recorded } = await harness.callRecorded(`p.${operation}`, script);
    const error = errorOf(outcome, 'unknown');
    assert.equal(error.details?.['requirement'], requirement, `${what}: ${error.message}`);
    assert.ok(Array.isArray(error.details?.['evidence']), what);
    const [end] = recorded.ends;
    assert.ok(end?.status === 'error' && end.violations.length > 0, `${what} is journaled`);
    assert.equal(recorded.ends.length, 1, 'and not tried again');
  }
  assert.equal(harness.pids().length, 1, 'the provider was not restarted for any of them');
  payloadOf(await harness.call('p.read', []));
});

test('EVT-01: a stream that ends with OK and without a terminal event', async (t) => {
  const harness = await openHarness(t);
  for (const script of [[], [{ chunk: 'x' }]]) {
    const outcome = await harness.call('p.read', [...script, { status: { code: 0, details: '' } }]);
    assert.equal(errorOf(outcome, 'unknown').details?.['requirement'], 'EVT-01');
  }
});

test('EVT-03: exit_status from an operation that has shown that it has no process', async (t) => {
  const harness = await openHarness(t);
  payloadOf(await harness.call('p.read', []));
  const outcome = await harness.call('p.read', [{ exit_status: 0 }]);
  assert.equal(errorOf(outcome, 'unknown').details?.['requirement'], 'EVT-03');
  const first = await harness.call('p.process', [{ exit_status: 3 }]);
  assert.deepEqual(first.exitStatus, { exitCode: 3 });
  payloadOf(await harness.call('p.process', [{ exit_status: 0 }]));
});

test('EVT-06: a terminal event that is followed by a failed status is no success', async (t) => {
  const harness = await openHarness(t);
  const outcome = await harness.call('p.read', [
    { result: {} },
    { status: { code: 13, details: 'after all' } },
  ]);
  assert.equal(errorOf(outcome, 'unknown').details?.['requirement'], 'EVT-01');
});

test('EVT-06: a stream that is left open after its result does not hold the call', async (t) => {
  const harness = await openHarness(t, { settings: { cancelGraceMs: 50 } });
  payloadOf(await harness.call('p.write', [{ result: { text: 'done' } }, { leave_open: true }]));
  payloadOf(await harness.call('p.exclusive', []));
});

test('OUT-01, OUT-02: a payload that does not fit is rejected, and does not reach the journal', async (t) => {
  const harness = await openHarness(t);
  const { outcome, recorded } = await harness.callRecorded('p.read', [
    { chunk: 'before' },
    { result: { text: 5, more: 'secret-value' } },
  ]);
  const error = errorOf(outcome, 'unknown');
  assert.equal(error.details?.['requirement'], 'OUT-02');
  assert.match(error.message, /\/text|\/more/);
  assert.deepEqual(
    recorded.events.map((event) => event.type),
    ['output_chunk'],
  );
  assert.ok(
    !JSON.stringify([{ ...outcome, arguments: {} }, recorded.ends]).includes('secret-value'),
  );
});

test('ERR-12, RPC-09: a bare gRPC status is taken to the nearest category', async (t) => {
  const harness = await openHarness(t);
  const status = async (code: number) => {
    const outcome = await harness.call('p.write', [{ status: { code, details: 'said so' } }]);
    return outcome.status === 'ok' ? 'ok' : outcome.error.category;
  };
  assert.equal(await status(5), 'not_found');
  assert.equal(await status(7), 'permission_denied');
  assert.equal(await status(13), 'unknown');
  assert.equal(await status(2), 'unknown');
});

test('ERR-10: UNAVAILABLE from a living provider is not a crash', async (t) => {
  const harness = await openHarness(t);
  const outcome = await harness.call('p.write', [{ status: { code: 14, details: 'busy' } }]);
  errorOf(outcome, 'unknown');
  assert.equal(harness.pids().length, 1);
});

test('a request that is too large for the provider is reported with its size and the limit', async (t) => {
  const harness = await openHarness(t, { flags: ['--max-request=1000'] });
  const outcome = await harness.call('p.write', [{ chunk: 'x'.repeat(2_000) }]);
  const error = errorOf(outcome, 'execution_failed');
  assert.match(error.message, /2\d\d\d bytes long.*at most 1000/);
  assert.equal(error.details?.['limit_bytes'], 1_000);
  payloadOf(await harness.call('p.write', []));
});
