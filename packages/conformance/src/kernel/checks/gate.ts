// Group gate: plan, decisions, previews, hooks, and the end of a turn (GATE, PRV, KND-05, TRM-02).
import type { Verdict } from '../../model/check.js';
import { type Bench, verdictOf } from '../bench.js';
import type { KernelChecks, KernelRun } from './group.js';
import { call, OK, resultOf, show, single, times } from './steps.js';

const ASK = [] as const;

async function noAllow(bench: Bench): Promise<Verdict> {
  await bench.start({ policies: ASK });
  const result = await single(bench, call('change', [[OK]]));
  const runs = bench.invocations('change').length;
  return verdictOf('a resource that nobody has allowed', [
    { expected: 'not run', holds: runs === 0, saw: `run ${times(runs)}` },
    { expected: 'denied', holds: result.status === 'denied', saw: show(result) },
  ]);
}

async function perItem(bench: Bench): Promise<Verdict> {
  await bench.start({
    policies: [
      { name: 'a', match: { tool_name: 'change' }, action: 'allow' },
      { name: 'd', match: { tool_name: 'change_high' }, action: 'deny', reason: 'too high' },
    ],
  });
  const turn = await bench.turn(
    [call('change', [[OK]]), call('change_high', [[OK]]), call('change_again', [[OK]])],
    { decisions: { change_again: { action: 'allow' } } },
  );
  const statuses = turn.results.map(({ status }) => status).join(', ');
  return verdictOf('three resources of one turn: allowed, denied, and allowed by a person', [
    { expected: 'ok, denied, ok', holds: statuses === 'ok, denied, ok', saw: statuses },
    {
      expected: 'one of them is asked for',
      holds: turn.asked.join() === 'change_again',
      saw: turn.asked.join() || 'none',
    },
  ]);
}

async function snapshot(bench: Bench): Promise<Verdict> {
  await bench.start();
  const turn = await bench.turn([call('change_high', [[OK]])]);
  const [item] = turn.plan;
  return verdictOf('a resource of high risk', [
    {
      expected: 'a plan item with resource, high, its description and a preview',
      holds:
        item?.kind === 'resource' &&
        item.risk === 'high' &&
        item.description.includes('change_high') &&
        item.hasPreview,
      saw: JSON.stringify(item ?? 'no plan item'),
    },
  ]);
}

async function notBlocked(bench: Bench): Promise<Verdict> {
  await bench.start({ policies: [{ name: 'a', match: { tool_name: 'change' }, action: 'allow' }] });
  const started = Date.now();
  await bench.turn([call('change_again', [[OK]]), call('change', [[OK]])], {
    decisions: { change_again: { action: 'allow', afterMs: 1_000 } },
  });
  const ended = bench.interval('change')?.[1];
  const after = ended === undefined ? undefined : ended - started;
  return verdictOf('a person who takes a second for one call, while another is allowed', [
    {
      expected: 'the allowed one ends meanwhile',
      holds: after !== undefined && after < 1_000,
      saw: after === undefined ? 'it did not run' : `after ${after} ms`,
    },
  ]);
}

async function reason(bench: Bench): Promise<Verdict> {
  await bench.start({ policies: ASK });
  const result = await single(bench, call('change', [[OK]]), {
    decisions: { change: { action: 'deny', reason: 'BECAUSE-IT-IS-FRIDAY' } },
  });
  return verdictOf('a call that a person denies with a reason', [
    {
      expected: 'an error to the model with the reason',
      holds: result.isError && result.modelSees.includes('BECAUSE-IT-IS-FRIDAY'),
      saw: `${show(result)}; the model sees ${JSON.stringify(result.modelSees)}`,
    },
  ]);
}

async function corrected(bench: Bench): Promise<Verdict> {
  await bench.start({ policies: ASK });
  const script = JSON.stringify([[OK]]);
  const result = await single(bench, call('change', [[OK]], { key: 'original' }), {
    decisions: {
      change: { action: 'allow', arguments: { script, token: 'change', key: 'corrected' } },
    },
  });
  const ran = bench.invocations('change')[0]?.arguments;
  const wrong = await single(bench, call('change', [[OK]], { token: 'wrong' }), {
    decisions: { wrong: { action: 'allow', arguments: { script, token: 'wrong', key: 5 } } },
  });
  const runs = bench.invocations('wrong').length;
  return verdictOf('decisions that correct the arguments, once well and once against the schema', [
    {
      expected: 'the corrected ones run',
      holds: ran?.['key'] === 'corrected' && result.status === 'ok',
      saw: `${JSON.stringify(ran ?? null)}, ${show(result)}`,
    },
    {
      expected: 'wrong ones do not run',
      holds: runs === 0 && wrong.status !== 'ok',
      saw: `run ${times(runs)}, ${show(wrong)}`,
    },
  ]);
}

async function sessionScope(bench: Bench): Promise<Verdict> {
  // Its decision would be remembered for the checks that follow.
  await bench.start({ policies: ASK, own: 'session_scope' });
  await bench.turn([call('change', [[OK]], { token: 'first' })], {
    decisions: { first: { action: 'allow', scope: 'session' } },
  });
  const second = await bench.turn([call('change', [[OK]], { token: 'second' })]);
  const other = await bench.turn([call('change_again', [[OK]], { token: 'other' })]);
  return verdictOf('an allow for the session, and two more calls', [
    {
      expected: 'the same operation is not asked for again, and runs',
      holds: second.asked.length === 0 && resultOf(second, 'second').status === 'ok',
      saw: `asked ${second.asked.join() || 'none'}, ${second.results.map(show).join()}`,
    },
    {
      expected: 'another operation is not covered',
      holds: resultOf(other, 'other').status === 'denied',
      saw: other.results.map(show).join(),
    },
  ]);
}

function veto(hook: 'fail' | 'hang'): KernelRun {
  return async (bench) => {
    await bench.start({
      hook,
      hooks: [
        { name: 'guard', point: 'plan_ready', mode: 'veto', provider: 'adversary', timeoutMs: 500 },
      ],
    });
    const result = await single(bench, call('change', [[OK]]));
    const runs = bench.invocations('change').length;
    return verdictOf(`a veto hook at plan-ready that ${hook === 'fail' ? 'fails' : 'hangs'}`, [
      {
        expected: 'denied, and not run',
        holds: result.status === 'denied' && runs === 0,
        saw: `run ${times(runs)}, ${show(result)}`,
      },
    ]);
  };
}

async function planMode(bench: Bench): Promise<Verdict> {
  const { offered } = await bench.start({ planMode: true });
  const result = await single(bench, call('change', [[OK]]));
  const resources = offered.filter((name) => /change|finish/.test(name));
  const runs = bench.invocations('change').length;
  return verdictOf('a session in plan mode', [
    {
      expected: 'reads are offered, resources are not',
      holds: offered.includes('adversary.read') && resources.length === 0,
      saw: offered.join(', '),
    },
    {
      expected: 'a resource does not run',
      holds: runs === 0 && result.status !== 'ok',
      saw: `run ${times(runs)}, ${show(result)}`,
    },
  ]);
}

async function questions(bench: Bench): Promise<Verdict> {
  await bench.start({ policies: ASK });
  const turn = await bench.turn(
    [call('ask', [[OK]]), call('ask', [[OK]], { token: 'ask again' })],
    { answers: { ask: { n: 1 }, 'ask again': { n: 2 } } },
  );
  const statuses = turn.results.map(({ status }) => status).join(', ');
  return verdictOf('two questions, in a session without rules', [
    {
      expected: 'no plan item, nobody asked to allow it',
      holds: turn.plan.length === 0 && turn.asked.length === 0,
      saw: JSON.stringify([turn.plan, turn.asked]),
    },
    { expected: 'answers', holds: statuses === 'ok, ok', saw: turn.results.map(show).join('; ') },
  ]);
}

const PLAN_MS = 4_000;

async function slowPreview(bench: Bench): Promise<Verdict> {
  await bench.start({ preview: 'hang' });
  const slow = await bench.turn([call('change', [[OK]])]);
  await bench.stop();
  await bench.start({ preview: 'fail' });
  const failed = await single(bench, call('change', [[OK]], { token: 'second' }));
  const took = Math.round(slow.tookMs);
  return verdictOf('a Preview that hangs, and one that fails', [
    {
      expected: `the call runs within ${PLAN_MS} ms`,
      holds: took < PLAN_MS && resultOf(slow, 'change').status === 'ok',
      saw: `${took} ms, ${slow.results.map(show).join()}`,
    },
    { expected: 'ok', holds: failed.status === 'ok', saw: show(failed) },
  ]);
}

async function previewed(bench: Bench): Promise<Verdict> {
  await bench.start();
  await bench.turn([call('read', [[OK]]), call('change', [[OK]]), call('ask', [[OK]])], {
    answers: { ask: { n: 1 } },
  });
  const asked = bench
    .witnessed()
    .flatMap((line) => (line.type === 'preview' ? [line.operation] : []));
  return verdictOf('a read, a resource and a question in one turn', [
    {
      expected: 'Preview of the resource alone',
      holds: asked.join() === 'change',
      saw: asked.join() || 'none',
    },
  ]);
}

async function endsTurn(bench: Bench): Promise<Verdict> {
  await bench.start();
  const turn = await bench.turn([
    call('finish', [[OK]]),
    call('read', [[OK]]),
    call('change', [[OK]]),
  ]);
  const plain = await bench.turn([call('read', [[OK]], { token: 'plain' })]);
  const statuses = turn.results.map(({ status }) => status).join(', ');
  return verdictOf('a turn with an operation that terminates it, and one without', [
    { expected: 'the first says that it is over', holds: turn.end === 'terminated', saw: turn.end },
    { expected: 'all three calls have results', holds: statuses === 'ok, ok, ok', saw: statuses },
    { expected: 'the second goes on', holds: plain.end === 'continue', saw: plain.end },
  ]);
}

export const gate: KernelChecks<'gate'> = {
  no_allow: noAllow,
  per_item: perItem,
  snapshot,
  not_blocked: notBlocked,
  reason,
  corrected,
  session_scope: sessionScope,
  broken_veto: veto('fail'),
  hanging_veto: veto('hang'),
  plan_mode: planMode,
  questions,
  slow_preview: slowPreview,
  previewed,
  ends_turn: endsTurn,
};
