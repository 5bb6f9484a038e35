// Group process: how providers are started and loaded (RPC, KND-03, HKP-02).
import type { Verdict } from '../../model/check.js';
import { AdapterRefusal, CANARY } from '../adapter-process.js';
import { type Bench, type Setup, verdictOf } from '../bench.js';
import type { KernelChecks } from './group.js';
import { call, OK, show, single, times } from './steps.js';

async function context(bench: Bench): Promise<Verdict> {
  await bench.start();
  await bench.turn([call('read', [[OK]]), call('change', [[OK]])]);
  const contexts = ['read', 'change'].map((token) => bench.invocations(token)[0]?.context);
  return verdictOf('a read and a resource in one turn', [
    {
      expected: `session_id, turn_id, and working_directory ${bench.directory}, on each`,
      holds: contexts.every(
        (one) =>
          one !== undefined &&
          one.sessionId !== '' &&
          one.turnId !== '' &&
          one.workingDirectory === bench.directory,
      ),
      saw: JSON.stringify(contexts),
    },
  ]);
}

async function noPreview(bench: Bench): Promise<Verdict> {
  await bench.start({ preview: 'absent' });
  const result = await single(bench, call('change', [[OK]]));
  return verdictOf('a resource of a provider without Preview', [
    { expected: 'ok', holds: result.status === 'ok', saw: show(result) },
  ]);
}

async function environment(bench: Bench): Promise<Verdict> {
  await bench.start();
  await single(bench, call('read', [[OK]]));
  const started = bench.witnessed().find((line) => line.type === 'started');
  const names = started?.type === 'started' ? started.env : [];
  const leaked =
    names.includes(CANARY.name) ||
    (started?.type === 'started' && started.values.includes(CANARY.value));
  return verdictOf(`a kernel with ${CANARY.name} in its environment starts a provider`, [
    {
      expected: 'a provider that prints its environment without it',
      holds: started !== undefined && !leaked,
      saw: started === undefined ? 'no provider was started' : names.join(', '),
    },
  ]);
}

/** The error of a start that should fail; undefined when it succeeds. */
async function refusal(bench: Bench, setup: Setup): Promise<string | undefined> {
  try {
    await bench.start(setup);
    return undefined;
  } catch (error) {
    if (!(error instanceof AdapterRefusal) || error.unsupported) throw error;
    return error.message;
  }
}

async function checksum(bench: Bench): Promise<Verdict> {
  const error = await refusal(bench, { sha256: '0'.repeat(64) });
  const runs = bench.witnessed().filter(({ type }) => type === 'started').length;
  return verdictOf('a provider whose program has another checksum than it is locked to', [
    { expected: 'an error', holds: error !== undefined, saw: error ?? 'it was started' },
    { expected: 'a program that never ran', holds: runs === 0, saw: `run ${times(runs)}` },
  ]);
}

async function refused(bench: Bench): Promise<Verdict> {
  const started = await bench.start();
  const names = ['without_kind', 'contradictory'];
  const results = [];
  for (const operation of names) results.push(await single(bench, call(operation, [[OK]])));
  const runs = names.flatMap((token) => bench.invocations(token)).length;
  return verdictOf('operations without a kind, and with a risk that does not fit', [
    {
      expected: 'not offered, and refused with a reason',
      holds: names.every(
        (name) =>
          !started.offered.includes(`adversary.${name}`) &&
          started.refused.some((one) => one.operation.endsWith(name) && one.reason !== ''),
      ),
      saw: `offered ${started.offered.join(', ')}; refused ${JSON.stringify(started.refused)}`,
    },
    {
      expected: 'calls end in an error and reach no provider',
      holds: runs === 0 && results.every(({ status }) => status !== 'ok'),
      saw: `run ${times(runs)}; ${results.map(show).join('; ')}`,
    },
  ]);
}

async function hookSupport(bench: Bench): Promise<Verdict> {
  const saw = await refusal(bench, {
    hook: 'allow',
    hooks: [
      { name: 'h', point: 'session_end', mode: 'observe', provider: 'adversary', timeoutMs: 500 },
    ],
  });
  return verdictOf('a hook at session_end, which the provider does not support', [
    { expected: 'an error at load', holds: saw !== undefined, saw: saw ?? 'it was started' },
  ]);
}

export const process: KernelChecks<'process'> = {
  context,
  no_preview: noPreview,
  environment,
  checksum,
  refused,
  hook_support: hookSupport,
};
