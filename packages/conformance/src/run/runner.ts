// Runs checks: some at a time, each with a limit, what it started ended afterwards. Knows nothing of what they
// check or of how results are shown.
import { availableParallelism } from 'node:os';
import { requirement } from '@tenon/protocol';
import { loadCheck } from '../checks/load.js';
import {
  type CheckInfo,
  type CheckResult,
  fail,
  mainRequirement,
  notApplicable,
  notReached,
  type Verdict,
  type Weight,
} from '../model/check.js';
import { SpawnError } from '../probe/provider-process.js';
import { StartError } from '../probe/provider.js';
import { within } from '../probe/wait.js';
import { checkContext } from './context.js';
import { type RunContext, Unreached } from './model.js';
import type { KnownFailing } from './known-failing.js';

export interface RunnerOptions {
  readonly checks: readonly CheckInfo[];
  readonly known: KnownFailing;
  /** Stop after the first MUST that is broken. */
  readonly bail: boolean;
  /** For one check. */
  readonly limitMs: number;
  readonly onResult?: (result: CheckResult) => void;
}

// Measured and compared states would be disturbed by what others do at the same time.
const ALONE: ReadonlySet<string> = new Set(['robustness', 'secrets']);

/** @throws SpawnError when the program cannot be started at all. */
export async function runChecks(run: RunContext, options: RunnerOptions): Promise<CheckResult[]> {
  const results = new Map<string, CheckResult>();
  let stopped = false;
  let fatal: unknown;
  const runOne = async (check: CheckInfo): Promise<void> => {
    if (stopped) return;
    const started = performance.now();
    let verdict: Verdict;
    try {
      verdict = await verdictOf(run, check, options.limitMs);
    } catch (error) {
      fatal ??= error;
      stopped = true;
      return;
    }
    const result: CheckResult = {
      check,
      weight: weightOf(check),
      verdict,
      durationMs: Math.round(performance.now() - started),
      known: options.known.has(check),
    };
    results.set(check.id, result);
    options.onResult?.(result);
    if (options.bail && breaks(result)) stopped = true;
  };
  const together = options.checks.filter(({ group }) => !ALONE.has(group));
  await inLanes(together, Math.max(2, Math.min(4, availableParallelism() + 1)), runOne);
  for (const check of options.checks.filter(({ group }) => ALONE.has(group))) await runOne(check);
  if (fatal !== undefined) throw fatal;
  return options.checks.flatMap(({ id }) => results.get(id) ?? []);
}

const breaks = ({ verdict, weight, known }: CheckResult): boolean =>
  verdict.state === 'fail' && weight === 'must' && !known;

/** SHOULD requirements and advisory checks warn; everything else, a MAY that is made use of as well, must hold. */
export function weightOf(check: CheckInfo): Weight {
  return check.advisory === true || requirement(mainRequirement(check))?.level === 'should'
    ? 'should'
    : 'must';
}

async function inLanes<T>(
  items: readonly T[],
  lanes: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = [...items];
  const lane = async (): Promise<void> => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

async function verdictOf(run: RunContext, check: CheckInfo, limitMs: number): Promise<Verdict> {
  const stated =
    run.cases.notApplicable.get(check.id) ?? run.cases.notApplicable.get(mainRequirement(check));
  if (stated !== undefined) return notApplicable(`the case file says: ${stated}`);
  const { context, end } = checkContext(run);
  const code = await loadCheck(check.id);
  try {
    const verdict = await within(code(context), limitMs);
    return verdict ?? fail(late(check, limitMs));
  } catch (error) {
    if (error instanceof SpawnError) throw error;
    if (error instanceof Unreached) return notReached(error.message);
    if (error instanceof StartError) return startFailure(check, error);
    return notReached(
      `the check itself failed: ${error instanceof Error ? error.message : String(error)}`,
    );
  } finally {
    await end();
  }
}

const late = (check: CheckInfo, limitMs: number) => ({
  did: `ran ${check.id}`,
  expected: `an end within ${limitMs} ms`,
  saw: 'none: the provider hangs, or is slower than --timeout allows',
});

// That it does not start is a failure of the handshake; to the others it is a reason.
function startFailure(check: CheckInfo, error: StartError): Verdict {
  if (check.group !== 'handshake') return notReached(`it does not start: ${error.message}`);
  return fail({
    did: 'started it as a host does',
    expected: 'a handshake line, a connection and SERVING',
    saw: error.message,
  });
}
