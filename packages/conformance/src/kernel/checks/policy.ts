// Group policy: which rule decides (POL).
import type { Verdict } from '../../model/check.js';
import { AdapterRefusal } from '../adapter-process.js';
import { type Bench, verdictOf } from '../bench.js';
import type { AdapterPolicy } from '../protocol.js';
import type { KernelChecks } from './group.js';
import { call, OK, resultOf, show, single, times } from './steps.js';

const rule = (
  name: string,
  action: AdapterPolicy['action'],
  match: AdapterPolicy['match'],
): AdapterPolicy => ({ name, action, match });

async function allMatch(bench: Bench): Promise<Verdict> {
  await bench.start({ policies: [rule('high', 'allow', { provider: 'adversary', risk: 'high' })] });
  const turn = await bench.turn([call('change_high', [[OK]]), call('change', [[OK]])]);
  const statuses = turn.results.map(({ status }) => status).join(', ');
  return verdictOf('a rule for provider and risk high, and calls of high and moderate risk', [
    { expected: 'ok, denied', holds: statuses === 'ok, denied', saw: statuses },
  ]);
}

async function specific(bench: Bench): Promise<Verdict> {
  await bench.start({
    policies: [
      rule('by kind', 'deny', { kind: 'resource' }),
      rule('by risk', 'allow', { risk: 'moderate' }),
      rule('by provider', 'deny', { provider: 'adversary' }),
      rule('by name', 'allow', { tool_name: 'change' }),
    ],
  });
  const turn = await bench.turn([call('change', [[OK]]), call('change_again', [[OK]])]);
  await bench.stop();
  await bench.start({
    policies: [
      rule('by kind', 'deny', { kind: 'resource' }),
      rule('by risk', 'allow', { risk: 'moderate' }),
    ],
  });
  const risk = await single(bench, call('change', [[OK]], { token: 'third' }));
  const statuses = [...turn.results, risk].map(({ status }) => status).join(', ');
  return verdictOf('rules by kind, risk, provider and name that disagree', [
    {
      expected: 'ok by name, denied by provider, ok by risk',
      holds: statuses === 'ok, denied, ok',
      saw: statuses,
    },
  ]);
}

async function conflict(bench: Bench): Promise<Verdict> {
  const policies = [
    rule('one', 'allow', { provider: 'adversary' }),
    rule('two', 'deny', { provider: 'adversary' }),
  ];
  let saw: string | undefined;
  try {
    await bench.start({ policies });
  } catch (error) {
    if (!(error instanceof AdapterRefusal) || error.unsupported) throw error;
    saw = error.message;
  }
  return verdictOf('two rules for the same provider', [
    { expected: 'an error at load', holds: saw !== undefined, saw: saw ?? 'it was started' },
  ]);
}

async function defaults(bench: Bench): Promise<Verdict> {
  await bench.start({ policies: [] });
  const turn = await bench.turn(
    [call('read', [[OK]]), call('change', [[OK]]), call('ask', [[OK]])],
    {
      answers: { ask: { n: 1 } },
      decisions: { change: { action: 'allow' } },
    },
  );
  const statuses = turn.results.map(({ status }) => status).join(', ');
  return verdictOf('a read, a resource and a question without any rule', [
    {
      expected: 'the resource alone is asked for',
      holds: turn.asked.join() === 'change',
      saw: turn.asked.join() || 'none',
    },
    { expected: 'all run', holds: statuses === 'ok, ok, ok', saw: statuses },
  ]);
}

async function downgrade(bench: Bench): Promise<Verdict> {
  await bench.start({ policies: [rule('ask', 'ask', { tool_name: 'read' })] });
  const turn = await bench.turn([call('read', [[OK]])], {
    decisions: { read: { action: 'allow' } },
  });
  const runs = bench.invocations('read').length;
  const { calls } = await bench.report();
  const recorded = calls.find(({ callId }) => callId === 'read')?.downgraded === true;
  const result = resultOf(turn, 'read');
  return verdictOf('a rule that asks about a read', [
    {
      expected: 'denied, and not run',
      holds: result.status === 'denied' && runs === 0,
      saw: `run ${times(runs)}, ${show(result)}`,
    },
    {
      expected: 'recorded as downgraded',
      holds: recorded,
      saw: recorded ? 'recorded' : 'not recorded',
    },
  ]);
}

async function empty(bench: Bench): Promise<Verdict> {
  const { warnings } = await bench.start({ policies: [rule('everything', 'allow', {})] });
  return verdictOf('a rule with an empty match', [
    {
      expected: 'a warning that names it',
      holds: warnings.some((warning) => warning.includes('everything')),
      saw: warnings.join('; ') || 'none',
    },
  ]);
}

export const policy: KernelChecks<'policy'> = {
  all_match: allMatch,
  specific,
  conflict,
  defaults,
  downgrade,
  empty,
};
