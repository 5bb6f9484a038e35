// Group idempotence: kernels run an operation again by themselves where it is declared idempotent (RTY-01), so the
// claim is tried: once and twice must leave the same state.
import { notApplicable, type Verdict } from '../model/check.js';
import { evidence } from '../model/evidence.js';
import { describeRecording, resultOf } from '../probe/stream.js';
import { readTree, treeChanges } from '../probe/tree.js';
import type { CheckContext } from '../run/model.js';
import { callIn, inDirectory } from '../run/exercise.js';
import type { GroupChecks } from './group.js';

async function twice(context: CheckContext): Promise<Verdict> {
  const { schema } = await context.survey();
  const claimed = schema.operations.filter(
    ({ kind, idempotent }) => kind === 'resource' && idempotent,
  );
  if (claimed.length === 0) return notApplicable('no resource is declared idempotent');
  const found = evidence(
    'ran each idempotent resource twice and compared the directory',
    'the same after both',
  );
  for (const { name } of claimed) {
    const cases = context.cases.cases.filter(
      (one) =>
        one.operation === name &&
        one.expect.type === 'result' &&
        !one.longRunning &&
        one.config === undefined,
    );
    if (!context.cases.runResources) {
      found.missed(`${name} is a resource; set run_resources: true in the case file`);
      continue;
    }
    if (cases.length === 0) found.missed(`no case of ${name} expects a result; add one`);
    const provider = await context.shared();
    for (const one of cases) {
      const directory = context.workspaces.fresh();
      const args = inDirectory(one.arguments, directory);
      const first = await callIn(context, provider, name, args, directory);
      const once = readTree(directory);
      const second = await callIn(context, provider, name, args, directory);
      const changes = treeChanges(once, readTree(directory));
      if (resultOf(first) === undefined) continue; // Group invoke reports it.
      if (changes.length === 0 && resultOf(second) !== undefined) found.held(one.name);
      else {
        found.broke({
          did: `ran ${name} twice with ${JSON.stringify(one.arguments)} (${one.name})`,
          expected: 'a result both times, and the same directory afterwards',
          saw: changes.join('; ') || describeRecording(second),
          fix: 'Declare idempotent: false, or make the second run change nothing.',
        });
      }
    }
  }
  return found.verdict();
}

export const idempotence: GroupChecks<'idempotence'> = { twice };
