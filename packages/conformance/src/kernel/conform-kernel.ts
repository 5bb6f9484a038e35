// One run against a kernel, from options to a report: adapters, lanes, checks.
import { randomInt } from 'node:crypto';
import type { JsonObject } from '@tenon/protocol';
import { createWorkspaces } from '../cases/workspace.js';
import {
  type CheckInfo,
  type CheckResult,
  fail,
  notReached,
  type Verdict,
} from '../model/check.js';
import { SpawnError } from '../probe/provider-process.js';
import { findTarget } from '../probe/target.js';
import { within } from '../probe/wait.js';
import { createReport, type Report } from '../report/report.js';
import { type KnownFailing, NONE_KNOWN } from '../run/known-failing.js';
import { weightOf } from '../run/runner.js';
import { AdapterRefusal, openAdapter } from './adapter-process.js';
import { createBench, createStand, type Stand } from './bench.js';
import { KERNEL_CHECKS, type KernelGroup } from './catalogue.js';
import type { KernelRun } from './checks/group.js';

/** What to run, and how. The command is that of an adapter, which speaks for the kernel. */
export interface ConformKernelOptions {
  readonly command: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Default: all checks of kernels. */
  readonly checks?: readonly CheckInfo[];
  readonly known?: KnownFailing;
  /** For one request, in milliseconds; default 5,000. */
  readonly timeoutMs?: number;
  readonly bail?: boolean;
  readonly strict?: boolean;
  readonly complete?: boolean;
  /** Handed to the adapter with every start, untouched. */
  readonly extra?: JsonObject;
  readonly onResult?: (result: CheckResult) => void;
}

const GROUPS: Readonly<Record<KernelGroup, () => Promise<Readonly<Record<string, KernelRun>>>>> = {
  reaction: async () => (await import('./checks/reaction.js')).reaction,
  retry: async () => (await import('./checks/retry.js')).retry,
  process: async () => (await import('./checks/process.js')).process,
  locks: async () => (await import('./checks/locks.js')).locks,
  deadlines: async () => (await import('./checks/locks.js')).deadlines,
  stream: async () => (await import('./checks/stream.js')).stream,
  gate: async () => (await import('./checks/gate.js')).gate,
  policy: async () => (await import('./checks/policy.js')).policy,
};

const LANES = 2;
const LIMIT_FACTOR = 8;

export async function conformKernel(options: ConformKernelOptions): Promise<Report> {
  const checks = options.checks ?? KERNEL_CHECKS;
  const known = options.known ?? NONE_KNOWN;
  const startedAt = new Date();
  const started = performance.now();
  const results = new Map<string, CheckResult>();
  let problem: string | undefined;
  try {
    await runLanes(options, checks, results);
  } catch (error) {
    if (!(error instanceof SpawnError)) throw error;
    problem = error.message;
  }
  const inOrder = checks.flatMap(({ id }) => results.get(id) ?? []);
  return createReport({
    subject: [options.command, ...(options.args ?? [])].join(' '),
    side: 'kernel',
    seed: randomInt(1, 2 ** 31),
    startedAt,
    durationMs: performance.now() - started,
    results: inOrder,
    stale: known.stale(inOrder),
    planned: checks.length,
    strict: options.strict ?? false,
    complete: options.complete ?? false,
    ...(problem === undefined ? {} : { problem }),
  });
}

async function runLanes(
  options: ConformKernelOptions,
  checks: readonly CheckInfo[],
  results: Map<string, CheckResult>,
): Promise<void> {
  const queue = [...checks];
  let stopped = false;
  const lane = async (): Promise<void> => {
    if (queue.length === 0) return;
    let adapter = await openAdapter(findTarget(options));
    const workspaces = createWorkspaces([]);
    let stand = createStand(adapter, workspaces);
    try {
      for (let check = queue.shift(); check !== undefined && !stopped; check = queue.shift()) {
        const begun = performance.now();
        const { verdict, usable } = await runKernelCheck(stand, check, options);
        const result: CheckResult = {
          check,
          weight: weightOf(check),
          verdict,
          durationMs: Math.round(performance.now() - begun),
          known: options.known?.has(check) ?? false,
        };
        results.set(check.id, result);
        options.onResult?.(result);
        stopped ||=
          options.bail === true &&
          verdict.state === 'fail' &&
          result.weight === 'must' &&
          !result.known;
        if (!usable) {
          await adapter.close();
          adapter = await openAdapter(findTarget(options));
          stand = createStand(adapter, workspaces);
        }
      }
    } finally {
      await adapter.close();
      workspaces.dispose();
    }
  };
  await Promise.all(Array.from({ length: Math.min(LANES, checks.length) }, lane));
}

/** One check against an adapter that runs. `usable`: whether the adapter can serve another check. */
export async function runKernelCheck(
  stand: Stand,
  check: CheckInfo,
  options: Pick<ConformKernelOptions, 'timeoutMs' | 'extra'>,
): Promise<{ readonly verdict: Verdict; readonly usable: boolean }> {
  const timeoutMs = options.timeoutMs ?? 5_000;
  const run = await loadKernelCheck(check.id);
  const bench = createBench(stand, { timeoutMs, extra: options.extra ?? {}, prefix: check.id });
  try {
    const verdict = await within(run(bench), timeoutMs * LIMIT_FACTOR);
    if (verdict === undefined) {
      const saw = 'none: the kernel hangs';
      return {
        verdict: fail({
          did: `ran ${check.id}`,
          expected: `an end within ${timeoutMs * LIMIT_FACTOR} ms`,
          saw,
        }),
        usable: false,
      };
    }
    // What a failed check leaves running is not to meet another.
    if (verdict.state === 'fail') await bench.stop();
    return { verdict, usable: true };
  } catch (error) {
    // A refusal is an answer: the adapter works, and may still have a kernel to stop.
    const usable =
      error instanceof AdapterRefusal &&
      (await bench.stop().then(
        () => true,
        () => false,
      ));
    return { verdict: verdictOfError(check, error), usable };
  }
}

function verdictOfError(check: CheckInfo, error: unknown): Verdict {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof AdapterRefusal && error.unsupported) {
    return notReached(`the adapter has nothing of the kind: ${message}`);
  }
  return fail({ did: `ran ${check.id}`, expected: 'an answer of the adapter', saw: message });
}

async function loadKernelCheck(id: string): Promise<KernelRun> {
  const [group = '', name = ''] = id.split('.');
  const load = (GROUPS as Readonly<Record<string, (typeof GROUPS)[KernelGroup]>>)[group];
  const run = (await load?.())?.[name];
  if (run === undefined) throw new Error(`there is no check ${id}`);
  return run;
}
