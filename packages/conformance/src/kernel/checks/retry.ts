// Group retry: what is run again, and what is not (RTY).
import type { ToolErrorCategory } from '@tenon/protocol';
import type { Verdict } from '../../model/check.js';
import { type Bench, verdictOf } from '../bench.js';
import type { KernelChecks, KernelRun } from './group.js';
import { call, failing, OK, show, single, times } from './steps.js';

function unsafe(category: ToolErrorCategory): KernelRun {
  return async (bench) => {
    await bench.start();
    const result = await single(bench, call('change', [[failing(category)], [OK]]));
    const runs = bench.invocations('change').length;
    return verdictOf(`a resource that is not idempotent and fails with a retryable ${category}`, [
      { expected: 'run once', holds: runs === 1, saw: `run ${times(runs)}` },
      {
        expected: `an error that says ${category}`,
        holds: result.error?.category === category,
        saw: show(result),
      },
    ]);
  };
}

async function reads(bench: Bench): Promise<Verdict> {
  await bench.start();
  const result = await single(bench, call('read', [[failing('execution_failed')], [OK]]));
  const runs = bench.invocations('read').length;
  return verdictOf('a read that fails once with a retryable execution_failed', [
    {
      expected: 'run again, and ok',
      holds: runs === 2 && result.status === 'ok',
      saw: `run ${times(runs)}, ${show(result)}`,
    },
  ]);
}

async function interactive(bench: Bench): Promise<Verdict> {
  await bench.start();
  const result = await single(bench, call('ask', [[failing('timeout')], [OK]]), {
    answers: { ask: { n: 7 } },
  });
  const runs = bench.invocations('ask').length;
  return verdictOf('a question with an answer', [
    { expected: 'never a call of the provider', holds: runs === 0, saw: `run ${times(runs)}` },
    { expected: 'the answer', holds: result.payload?.['n'] === 7, saw: show(result) },
  ]);
}

async function hidden(bench: Bench): Promise<Verdict> {
  await bench.start();
  const failed = { ...failing('execution_failed'), message: 'MUST-NOT-BE-SEEN' } as const;
  const result = await single(bench, call('change_again', [[failed], [OK]]));
  const runs = bench.invocations('change_again').length;
  const report = await bench.report();
  const attempts = report.calls.find(({ callId }) => callId === 'change_again')?.attempts ?? 0;
  return verdictOf('an idempotent resource that fails once with a retryable error', [
    {
      expected: 'nothing of the failed attempt to the model, if it was run again',
      holds: runs === 1 || !JSON.stringify(result).includes('MUST-NOT-BE-SEEN'),
      saw: `run ${times(runs)}; the model sees ${JSON.stringify(result.modelSees)}`,
    },
    {
      expected: 'every attempt recorded',
      holds: attempts === runs,
      saw: `${attempts} recorded of ${runs}`,
    },
  ]);
}

export const retry: KernelChecks<'retry'> = {
  unsafe: unsafe('execution_failed'),
  unsafe_timeout: unsafe('timeout'),
  reads,
  interactive,
  hidden,
};
