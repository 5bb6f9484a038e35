// Group robustness: many calls, one after another and at once.
import type { JsonObject, Operation } from '@tenon/protocol';
import { fail, notReached, pass, type Verdict } from '../model/check.js';
import { footprint } from '../probe/processes.js';
import type { RunningProvider } from '../probe/provider.js';
import { describeRecording, isTerminal } from '../probe/stream.js';
import { becomes } from '../probe/wait.js';
import { invocation } from '../run/invocation.js';
import type { CheckContext } from '../run/model.js';
import { endsByItself, inDirectory, validArguments } from '../run/exercise.js';
import type { GroupChecks } from './group.js';

const CALLS = 1_000;
const WARM_UP = 200;
const AT_ONCE = 64;
const LANES = 8;
// A garbage collector may not have run yet; a leak of a kilobyte per call is well below this.
const MEMORY_SLACK = 48 * 1024 * 1024;
const FD_SLACK = 8;

interface Subject {
  readonly operation: Operation;
  readonly arguments: JsonObject;
}

/** The cheapest call that there is: a read with a case that succeeds, else any read. */
async function subjectOf(context: CheckContext): Promise<Subject | undefined> {
  const { schema } = await context.survey();
  const reads = schema.operations.filter(
    (one) => one.kind === 'data_source' && endsByItself(context, one),
  );
  const withCase = reads.find(({ name }) =>
    context.cases.cases.some(
      (one) =>
        one.operation === name &&
        one.expect.type === 'result' &&
        !one.longRunning &&
        one.config === undefined,
    ),
  );
  const operation = withCase ?? reads[0];
  return operation && { operation, arguments: validArguments(context, operation) };
}

const NO_READ = 'there is no data_source to call a thousand times';

/** Makes `count` calls, `lanes` at a time. Resolves to the first that did not end. */
async function calls(
  context: CheckContext,
  provider: RunningProvider,
  { operation, arguments: args }: Subject,
  count: number,
  lanes: number,
): Promise<string | undefined> {
  const directory = context.workspaces.fresh();
  const here = inDirectory(args, directory);
  let left = count;
  let problem: string | undefined;
  const lane = async (): Promise<void> => {
    while (left > 0 && problem === undefined) {
      left -= 1;
      const recording = await provider.invoke(invocation(operation.name, here, directory), {
        timeoutMs: context.timeoutMs * 2,
      });
      if (!recording.events.some(isTerminal)) problem = describeRecording(recording);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return problem;
}

async function manyCalls(context: CheckContext): Promise<Verdict> {
  const subject = await subjectOf(context);
  if (subject === undefined) return notReached(NO_READ);
  const provider = await context.startConfigured();
  const did = `called ${subject.operation.name} ${CALLS} times, ${LANES} at a time`;
  const expected = 'an end each time; descriptors, memory and children as before';
  const started = performance.now();
  const early = await calls(context, provider, subject, WARM_UP, lanesOf(subject));
  const before = footprint(provider.process.pid);
  const late =
    early ?? (await calls(context, provider, subject, CALLS - WARM_UP, lanesOf(subject)));
  if (late !== undefined) return fail({ did, expected, saw: late });
  const took = Math.round(performance.now() - started);
  if (before === undefined)
    return pass(did, expected, `all ended in ${took} ms; no /proc to look at`);
  const flat = (): boolean => {
    const now = footprint(provider.process.pid);
    return (
      now !== undefined &&
      now.fds <= before.fds + FD_SLACK &&
      now.children <= before.children &&
      now.memory <= before.memory + MEMORY_SLACK
    );
  };
  const isFlat = await becomes(flat, 1_500, 100);
  const now = footprint(provider.process.pid);
  const saw = `descriptors ${before.fds} → ${now?.fds}, memory ${mib(before.memory)} → ${mib(now?.memory)} MiB, children ${before.children} → ${now?.children}, ${took} ms`;
  return isFlat
    ? pass(did, expected, saw)
    : fail({
        did,
        expected,
        saw,
        fix: 'Release what a call opens when the call ends, however it ends.',
      });
}

const mib = (bytes = 0): number => Math.round(bytes / 1024 / 1024);

// Kernels call an operation that is not safe one at a time.
const lanesOf = ({ operation }: Subject): number =>
  operation.concurrency?.safe === true ? LANES : 1;

async function atOnce(context: CheckContext): Promise<Verdict> {
  const subject = await subjectOf(context);
  if (subject === undefined) return notReached(NO_READ);
  const provider = await context.startConfigured();
  const did = `called ${subject.operation.name} ${AT_ONCE} times at once`;
  const expected = 'an end of each';
  const problem = await calls(context, provider, subject, AT_ONCE, AT_ONCE);
  if (problem !== undefined) return fail({ did, expected, saw: problem });
  const state = await provider.health(context.timeoutMs);
  return state === 'serving'
    ? pass(did, expected, 'all ended')
    : fail({ did, expected, saw: state });
}

export const robustness: GroupChecks<'robustness'> = { many_calls: manyCalls, at_once: atOnce };
