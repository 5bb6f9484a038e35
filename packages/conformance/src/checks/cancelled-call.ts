// Starts a long-running case, closes its stream at some moment, and finds out what is left. Used by the checks of
// group cancellation.
import type { ReceivedEvent } from '@tenon/protocol';
import type { ProviderCase } from '../cases/model.js';
import { descendants, openFiles } from '../probe/processes.js';
import type { RunningProvider } from '../probe/provider.js';
import type { Recording } from '../probe/stream.js';
import { becomes, pause } from '../probe/wait.js';
import { invocation } from '../run/invocation.js';
import type { CheckContext } from '../run/model.js';
import { inDirectory, reasonToSkip } from '../run/exercise.js';

/** How long a provider may take to clean up. */
export const CLEAN_UP_MS = 3_000;
// A call that has said nothing by then is taken to be under way.
const SILENT_MS = 250;
const FOLLOW_MS = 40;
// Long enough to end by itself what is ended at all.
const WARM_UP_MS = 700;

export interface CancelledCall {
  readonly case: ProviderCase;
  readonly recording: Recording;
  /** Whether it ended by itself before it could be cancelled. */
  readonly endedFirst: boolean;
  /** What came after the cancel, where the provider lets it be followed. */
  readonly report: readonly ReceivedEvent[] | undefined;
  /** Children that ran when it was cancelled and still do. */
  readonly leftProcesses: readonly string[];
  /** Open files below the working directory of the call. */
  readonly leftFiles: readonly string[];
  readonly hadChildren: number;
}

/** The long-running cases that may be run, and why there are none. */
export async function longRunningCases(
  context: CheckContext,
): Promise<{ readonly cases: readonly ProviderCase[]; readonly reason: string }> {
  const survey = await context.survey();
  const all = context.cases.cases.filter(({ longRunning }) => longRunning);
  const reasons = all.flatMap((one) => reasonToSkip(context, survey, one) ?? []);
  return {
    cases: all.filter((one) => reasonToSkip(context, survey, one) === undefined),
    reason:
      reasons[0] ??
      'no case is marked long_running: true; add a call that runs for some seconds, or say under not_applicable why there is none',
  };
}

/**
 * Cancels a call that is not judged, so that what a provider starts once and keeps, such as a helper, is there
 * before one that is. A child that is left by every call is found by the next.
 */
export async function warmUp(
  context: CheckContext,
  provider: RunningProvider,
  one: ProviderCase,
): Promise<void> {
  await cancelCall(context, provider, one, undefined, WARM_UP_MS);
}

/** `afterMs` undefined: after the first event, or a quarter of a second without one. */
export async function cancelCall(
  context: CheckContext,
  provider: RunningProvider,
  one: ProviderCase,
  afterMs?: number,
  cleanUpMs = CLEAN_UP_MS,
): Promise<CancelledCall> {
  const directory = context.workspaces.fresh();
  const call = invocation(one.operation, inDirectory(one.arguments, directory), directory);
  const before = new Set(descendants(provider.process.pid).map(({ pid }) => pid));
  const abort = new AbortController();
  let begun = (): void => {};
  const first = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const recording = provider.invoke(call, {
    timeoutMs: context.timeoutMs * 4,
    signal: abort.signal,
    onEvent: () => begun(),
  });
  const moment =
    afterMs === undefined
      ? Promise.race([first.then(() => pause(50)), pause(SILENT_MS)])
      : pause(afterMs);
  const endedFirst = await Promise.race([recording.then(() => true), moment.then(() => false)]);
  const children = descendants(provider.process.pid).filter(({ pid }) => !before.has(pid));
  const following = provider.follow(call.id, cleanUpMs);
  // The second stream has to have reached the provider before the first is closed.
  await pause(FOLLOW_MS);
  abort.abort();
  const recorded = await recording;
  const left = (): string[] => leftOf(provider, children, before);
  await becomes(() => left().length === 0 && filesIn(provider, directory).length === 0, cleanUpMs);
  return {
    case: one,
    recording: recorded,
    endedFirst,
    report: await following,
    leftProcesses: left(),
    leftFiles: filesIn(provider, directory),
    hadChildren: children.length,
  };
}

function leftOf(
  provider: RunningProvider,
  children: readonly { pid: number; command: string }[],
  before: ReadonlySet<number>,
): string[] {
  const now = new Map(
    descendants(provider.process.pid)
      .filter(({ pid }) => !before.has(pid))
      .map(({ pid, command }) => [pid, command] as const),
  );
  const marked = new Set(provider.process.remains());
  for (const { pid, command } of children) if (marked.has(pid)) now.set(pid, command);
  return [...now].map(([pid, command]) => `${command} (${pid})`);
}

function filesIn(provider: RunningProvider, directory: string): string[] {
  return openFiles(provider.process.pid).filter((path) => path.startsWith(directory));
}
