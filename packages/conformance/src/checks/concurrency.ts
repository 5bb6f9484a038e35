// Group concurrency: whether what is declared safe really is (the claim of CON-01).
import { canonicalJson, type Operation } from '@tenon/protocol';
import type { ProviderCase } from '../cases/model.js';
import { notApplicable, type Verdict } from '../model/check.js';
import { evidence } from '../model/evidence.js';
import type { RunningProvider } from '../probe/provider.js';
import {
  describeRecording,
  failureOf,
  isTerminal,
  type Recording,
  resultOf,
} from '../probe/stream.js';
import { pause } from '../probe/wait.js';
import { invocation } from '../run/invocation.js';
import type { CheckContext } from '../run/model.js';
import { callIn, endsByItself, inDirectory, validArguments } from '../run/exercise.js';
import { longRunningCases } from './cancelled-call.js';
import type { GroupChecks } from './group.js';

const TOGETHER = 8;
// Until then the other call is under way.
const BEGIN_MS = 100;

/** Operations that claim to be safe and may be called. */
async function safeOperations(context: CheckContext): Promise<readonly Operation[]> {
  const { schema } = await context.survey();
  return schema.operations.filter(
    ({ kind, concurrency }) =>
      concurrency?.safe === true &&
      (kind === 'data_source' || (kind === 'resource' && context.cases.runResources)),
  );
}

/** Those that end by themselves, and are reads or have a case to be called with. */
function canAnswer(context: CheckContext, operation: Operation): boolean {
  const { name, kind } = operation;
  return kind === 'data_source'
    ? endsByItself(context, operation)
    : context.cases.cases.some(
        (one) =>
          one.operation === name &&
          one.expect.type === 'result' &&
          !one.longRunning &&
          one.config === undefined,
      );
}

async function sideBySide(context: CheckContext): Promise<Verdict> {
  const all = await safeOperations(context);
  const safe = all.filter((one) => canAnswer(context, one));
  if (safe.length === 0) return notApplicable('no operation that can be called is declared safe');
  const { cases } = await longRunningCases(context);
  // Whatever claims to be safe is asked to be the one that runs meanwhile.
  const blockers = cases.filter((one) => all.some(({ name }) => name === one.operation));
  const found = evidence(
    `called each safe operation while ${blockers.map(({ operation }) => operation).join(', ') || 'another call'} ran`,
    'an answer before the other call has ended',
  );
  if (blockers.length === 0) {
    found.missed(
      'no long_running case is of an operation declared safe; add one, so that others can be called while it runs',
    );
    return found.verdict();
  }
  const provider = await context.startConfigured();
  for (const blocker of blockers) await besideBlocker(context, provider, blocker, safe, found);
  return found.verdict();
}

async function besideBlocker(
  context: CheckContext,
  provider: RunningProvider,
  blocker: ProviderCase,
  safe: readonly Operation[],
  found: ReturnType<typeof evidence>,
): Promise<void> {
  const directory = context.workspaces.fresh();
  const abort = new AbortController();
  let ended = false;
  const blocking = provider
    .invoke(invocation(blocker.operation, inDirectory(blocker.arguments, directory), directory), {
      timeoutMs: context.timeoutMs * 4,
      signal: abort.signal,
    })
    .finally(() => {
      ended = true;
    });
  await pause(BEGIN_MS);
  for (const operation of safe) {
    const args = inDirectory(validArguments(context, operation), directory);
    const recording = await callIn(context, provider, operation.name, args, directory);
    if (!ended && hasEnded(recording)) found.held(operation.name);
    else {
      found.broke({
        did: `called ${operation.name} while ${blocker.operation} ran (${blocker.name})`,
        expected: 'an answer before the other call has ended',
        saw: ended ? 'the other call ended first' : describeRecording(recording),
        fix: 'Do not block the process in an operation that is declared safe; or declare safe = false.',
      });
      break;
    }
  }
  abort.abort();
  await blocking;
}

async function sameAnswers(context: CheckContext): Promise<Verdict> {
  const safe = (await safeOperations(context)).filter(
    (one) => one.kind === 'data_source' && endsByItself(context, one),
  );
  if (safe.length === 0) return notApplicable('no data_source is declared safe');
  const found = evidence(
    `called each safe read alone, then ${TOGETHER} times at once`,
    'the same answer each time',
  );
  const provider = await context.startConfigured();
  for (const operation of safe) {
    const directory = context.workspaces.fresh();
    const args = inDirectory(validArguments(context, operation), directory);
    const call = (): Promise<Recording> =>
      callIn(context, provider, operation.name, args, directory);
    const first = await call();
    if (first.timedOut) {
      found.missed(`${operation.name} did not end; add a case of it with long_running: true`);
      continue;
    }
    const alone = [answerOf(first), answerOf(await call())];
    if (alone[0] !== alone[1]) {
      found.held(`${operation.name} (its answers differ by themselves)`);
      continue;
    }
    const together = await Promise.all(Array.from({ length: TOGETHER }, call));
    const other = together.find((recording) => answerOf(recording) !== alone[0]);
    if (other === undefined) found.held(operation.name);
    else {
      found.broke({
        did: `called ${operation.name} ${TOGETHER} times at once with ${JSON.stringify(args)}`,
        expected: alone[0] ?? '',
        saw: describeRecording(other),
      });
    }
  }
  return found.verdict();
}

// A failure that came as a status is RPC-03's to report.
const hasEnded = (recording: Recording): boolean =>
  recording.events.some(isTerminal) || (recording.status.code !== 0 && !recording.timedOut);

function answerOf(recording: Recording): string {
  const result = resultOf(recording);
  if (result !== undefined) return canonicalJson(result.payload as never);
  return failureOf(recording)?.category ?? 'no end';
}

export const concurrency: GroupChecks<'concurrency'> = {
  side_by_side: sideBySide,
  same_answers: sameAnswers,
};
