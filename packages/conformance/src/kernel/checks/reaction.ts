// Group reaction: the reaction table, category by category (RCT, ERR, BRK).
import type { ToolErrorCategory } from '@tenon/protocol';
import type { Verdict } from '../../model/check.js';
import { type Bench, type Fact, verdictOf } from '../bench.js';
import type { KernelChecks, KernelRun } from './group.js';
import { call, failing, OK, resultOf, show, single, times } from './steps.js';

/** A call that fails and says that a retry may help; the second attempt would succeed. */
function surfaced(category: ToolErrorCategory, retryable: boolean): KernelRun {
  return async (bench) => {
    await bench.start();
    const result = await single(bench, call('read', [[failing(category, retryable)], [OK]]));
    const runs = bench.invocations('read').length;
    return verdictOf(`a read that fails with ${category}`, [
      { expected: 'run once', holds: runs === 1, saw: `run ${times(runs)}` },
      {
        expected: `an error result that says ${category}, with the message`,
        holds:
          result.isError &&
          result.error?.category === category &&
          result.modelSees.includes('the script says'),
        saw: `${show(result)}; the model sees ${JSON.stringify(result.modelSees)}`,
      },
    ]);
  };
}

async function executionFailed(bench: Bench): Promise<Verdict> {
  await bench.start();
  const result = await single(bench, call('change', [[failing('execution_failed', false)]]));
  const next = await single(bench, call('read', [[OK]], { token: 'next' }));
  return verdictOf('a resource that fails with execution_failed, and another call', [
    {
      expected: 'a result with the failure as its content',
      holds: result.status === 'error' && result.modelSees.includes('the script says'),
      saw: `${show(result)}; the model sees ${JSON.stringify(result.modelSees)}`,
    },
    { expected: 'the next call works', holds: next.status === 'ok', saw: show(next) },
  ]);
}

async function timeout(bench: Bench): Promise<Verdict> {
  await bench.start();
  const result = await single(bench, call('read_short', [[{ do: 'wait' }]]));
  const closed = bench.witnessed().some(({ type }) => type === 'cancelled');
  return verdictOf('a read that never ends, with a deadline of 400 ms', [
    {
      expected: 'the stream is closed',
      holds: closed,
      saw: closed ? 'closed' : `open; ${show(result)}`,
    },
  ]);
}

async function timeoutCategory(bench: Bench): Promise<Verdict> {
  await bench.start();
  const result = await single(bench, call('read_short', [[{ do: 'wait' }]]));
  return verdictOf('a read that never ends, with a deadline of 400 ms', [
    { expected: 'timeout', holds: result.error?.category === 'timeout', saw: show(result) },
  ]);
}

const CONFLICT = [[failing('concurrency_conflict', false)], [OK]];

async function conflict(bench: Bench): Promise<Verdict> {
  await bench.start();
  const result = await single(bench, call('change_keyed', CONFLICT, { key: 'a' }));
  const runs = bench.invocations('change_keyed').length;
  return verdictOf('a resource with a key that meets a conflict once', [
    { expected: 'run twice', holds: runs === 2, saw: `run ${times(runs)}` },
    { expected: 'ok', holds: result.status === 'ok', saw: show(result) },
  ]);
}

async function conflictGate(bench: Bench): Promise<Verdict> {
  await bench.start();
  const result = await single(bench, call('change', CONFLICT));
  const runs = bench.invocations('change').length;
  return verdictOf('a resource that is not idempotent and meets a conflict once', [
    {
      expected: 'run twice, and ok',
      holds: runs === 2 && result.status === 'ok',
      saw: `run ${times(runs)}, ${show(result)}`,
    },
  ]);
}

async function cancelled(bench: Bench): Promise<Verdict> {
  await bench.start();
  const result = await single(bench, call('read', [[failing('cancelled', false)]]));
  return verdictOf('a read that ends as cancelled, in a turn that goes on', [
    {
      expected: 'no error to the model',
      holds: !result.isError && result.status !== 'error',
      saw: `${show(result)}; the model sees ${result.isError ? 'an error' : 'none'}`,
    },
  ]);
}

async function cancelledCategory(bench: Bench): Promise<Verdict> {
  await bench.start();
  const result = await single(bench, call('read', [[{ do: 'chunk', text: 'x' }, { do: 'wait' }]]), {
    cancelAfterMs: 300,
  });
  return verdictOf('a turn that is cancelled while a read runs', [
    {
      expected: 'cancelled',
      holds: result.status === 'cancelled' && result.error?.category === 'cancelled',
      saw: show(result),
    },
  ]);
}

async function crash(bench: Bench): Promise<Verdict> {
  await bench.start();
  const result = await single(bench, call('change', [[{ do: 'exit', code: 3 }]]));
  const next = await single(bench, call('read', [[OK]], { token: 'next' }));
  return verdictOf('a provider that exits during a call, and another call', [
    {
      expected: 'an error result',
      holds: result.isError && result.status === 'error',
      saw: show(result),
    },
    { expected: 'the next call works', holds: next.status === 'ok', saw: show(next) },
  ]);
}

function crashing(how: 'exit' | 'disconnect'): KernelRun {
  return async (bench) => {
    await bench.start();
    const step =
      how === 'exit' ? ({ do: 'exit', code: 3 } as const) : ({ do: 'disconnect' } as const);
    const result = await single(bench, call('change', [[step]]));
    return verdictOf(
      how === 'exit'
        ? 'a provider that exits during a call'
        : 'a provider that drops its connections',
      [
        {
          expected: 'process_crashed',
          holds: result.error?.category === 'process_crashed',
          saw: show(result),
        },
      ],
    );
  };
}

const LIMIT = 3;

async function crashLoop(bench: Bench): Promise<Verdict> {
  await bench.start({ breakerConsecutive: LIMIT });
  for (let round = 0; round < LIMIT; round++) {
    await single(bench, call('change', [[{ do: 'exit', code: 3 }]], { token: `crash ${round}` }));
  }
  return refusedNow(bench, `${LIMIT} crashes in a row`, LIMIT);
}

async function denials(bench: Bench): Promise<Verdict> {
  await bench.start({ breakerConsecutive: LIMIT, policies: [] });
  for (let round = 0; round < LIMIT; round++) {
    const token = `denied ${round}`;
    await bench.turn([call('change', [[OK]], { token })], {
      decisions: { [token]: { action: 'deny', reason: 'no' } },
    });
  }
  return refusedNow(bench, `${LIMIT} denials in a row`, 0);
}

async function refusedNow(bench: Bench, did: string, ran: number): Promise<Verdict> {
  const result = await single(bench, call('read', [[OK]], { token: 'after' }));
  const runs = bench.invocations('after').length;
  const facts: Fact[] = [
    {
      expected: 'the next call is refused, with a reason',
      holds: result.status === 'denied' && result.modelSees !== '',
      saw: show(result),
    },
    {
      expected: 'it does not reach the provider',
      holds: runs === 0,
      saw: `run ${times(runs)} (after ${ran} others)`,
    },
  ];
  return verdictOf(did, facts);
}

async function details(bench: Bench): Promise<Verdict> {
  await bench.start();
  const result = await single(bench, call('read', [[failing('unknown', false)]]));
  return verdictOf('a read that fails with unknown', [
    {
      expected: 'the details that the provider gave',
      holds: JSON.stringify(result.error?.details ?? {}).includes('the script'),
      saw: `${show(result)} ${JSON.stringify(result.error?.details ?? {})}`,
    },
  ]);
}

async function claimedCrash(bench: Bench): Promise<Verdict> {
  await bench.start();
  const turn = await bench.turn([call('read', [[failing('process_crashed')]])]);
  const result = resultOf(turn, 'read');
  const report = await bench.report();
  const recorded = report.calls.find(({ callId }) => callId === 'read')?.violations ?? [];
  return verdictOf('a provider that sends process_crashed', [
    { expected: 'unknown', holds: result.error?.category === 'unknown', saw: show(result) },
    {
      expected: 'a recorded violation',
      holds: recorded.length > 0,
      saw: recorded.join(', ') || 'none',
    },
  ]);
}

export const reaction: KernelChecks<'reaction'> = {
  invalid_arguments: surfaced('invalid_arguments', true),
  not_found: surfaced('not_found', true),
  permission_denied: surfaced('permission_denied', true),
  execution_failed: executionFailed,
  timeout,
  timeout_category: timeoutCategory,
  conflict,
  conflict_gate: conflictGate,
  cancelled,
  cancelled_category: cancelledCategory,
  crash,
  crash_category: crashing('exit'),
  broken_connection: crashing('disconnect'),
  crash_loop: crashLoop,
  denials,
  unknown: surfaced('unknown', false),
  details,
  claimed_crash: claimedCrash,
};
