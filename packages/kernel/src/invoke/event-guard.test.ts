import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ReceivedEvent, ToolEvent } from '@tenon/protocol';
import fc from 'fast-check';
import {
  guardEnd,
  guardEvent,
  NEW_STREAM,
  type StreamRules,
  violationError,
} from './event-guard.js';

const chunk: ToolEvent = { type: 'output_chunk', stream: 'stdout', data: new Uint8Array([1]) };
const progress: ToolEvent = { type: 'progress', message: 'm', fraction: 0.5 };
const partial: ToolEvent = { type: 'partial_result', payload: {} };
const exit: ToolEvent = { type: 'exit_status', exitCode: 0 };
const result: ToolEvent = { type: 'result', payload: {} };
const error: ToolEvent = {
  type: 'error',
  error: { category: 'not_found', message: 'm', retryable: false },
};
const streaming: StreamRules = { streaming: true, processBacked: undefined };
const plain: StreamRules = { streaming: false, processBacked: undefined };
const never: StreamRules = { streaming: true, processBacked: false };

/** 'ok', or the requirement that was broken. */
function run(events: readonly ToolEvent[], rules: StreamRules): string {
  let state = NEW_STREAM;
  for (const event of events) {
    const step = guardEvent(state, { ok: true, event }, rules);
    if (step.type === 'broken') return step.violations[0]?.requirement ?? '?';
    state = step.state;
  }
  const end = guardEnd(state);
  return end.type === 'terminal' ? 'ok' : (end.violations[0]?.requirement ?? '?');
}

test('streams that keep the rules pass', () => {
  assert.equal(run([result], plain), 'ok');
  assert.equal(run([error], plain), 'ok');
  assert.equal(run([chunk, progress, partial, exit, result], streaming), 'ok');
  assert.equal(run([exit, error], plain), 'ok');
});

test('EVT-01: no terminal event, two of them, and anything after it', () => {
  assert.equal(run([], streaming), 'EVT-01');
  assert.equal(run([chunk], streaming), 'EVT-01');
  for (const after of [result, error, chunk, progress, partial, exit]) {
    assert.equal(run([result, after], streaming), 'EVT-01');
    assert.equal(run([error, after], streaming), 'EVT-01');
  }
});

test('EVT-02: two exit_status', () => {
  assert.equal(run([exit, exit, result], streaming), 'EVT-02');
});

test('EVT-03: exit_status where earlier calls have shown that no process is behind it', () => {
  assert.equal(run([exit, result], never), 'EVT-03');
  assert.equal(run([exit, result], { streaming: true, processBacked: true }), 'ok');
});

test('EVT-04: what streams, from an operation that does not', () => {
  for (const event of [chunk, progress, partial])
    assert.equal(run([event, result], plain), 'EVT-04');
});

test('EVT-06: a bad fraction of a provider that passed no converter', () => {
  for (const fraction of [-0.1, 1.1, Number.NaN, Number.POSITIVE_INFINITY]) {
    assert.equal(run([{ type: 'progress', message: '', fraction }, result], streaming), 'EVT-06');
  }
});

test('ERR-11: process_crashed from a provider', () => {
  const crash: ToolEvent = {
    type: 'error',
    error: { category: 'process_crashed', message: 'm', retryable: true },
  };
  assert.equal(run([crash], plain), 'ERR-11');
});

test('EVT-06: the error of a broken stream is unknown and carries requirement and evidence', () => {
  let state = NEW_STREAM;
  for (let i = 0; i < 5_000; i++) {
    const step = guardEvent(state, { ok: true, event: chunk }, streaming);
    if (step.type !== 'pass') assert.fail();
    state = step.state;
  }
  const unread: ReceivedEvent = {
    ok: false,
    violations: [{ requirement: 'EVT-06', pointer: '', message: 'the oneof is not set' }],
  };
  const step = guardEvent(state, unread, streaming);
  if (step.type !== 'broken') assert.fail();
  const failure = violationError(step.violations, step.trail, 'p');
  assert.equal(failure.category, 'unknown');
  assert.equal(failure.details?.['requirement'], 'EVT-06');
  assert.deepEqual(failure.details?.['evidence'], ['output_chunk ×5000', 'an unreadable event']);
});

test('EVT-01..06: any stream passes exactly when it keeps the rules', () => {
  const event = fc.constantFrom(chunk, progress, partial, exit, result, error);
  const keepsRules = (events: readonly ToolEvent[], rules: StreamRules): boolean => {
    const types = events.map(({ type }) => type);
    const terminal = types.findIndex((type) => type === 'result' || type === 'error');
    const exits = types.filter((type) => type === 'exit_status').length;
    const streams = types.some((type) =>
      ['output_chunk', 'progress', 'partial_result'].includes(type),
    );
    return (
      terminal === types.length - 1 &&
      terminal !== -1 &&
      exits <= (rules.processBacked === false ? 0 : 1) &&
      (rules.streaming || !streams)
    );
  };
  fc.assert(
    fc.property(
      fc.array(event, { maxLength: 6 }),
      fc.boolean(),
      fc.constantFrom(true, false, undefined),
      (events, streams, processBacked) => {
        const rules = { streaming: streams, processBacked };
        assert.equal(run(events, rules) === 'ok', keepsRules(events, rules));
      },
    ),
    { numRuns: 2_000 },
  );
});
