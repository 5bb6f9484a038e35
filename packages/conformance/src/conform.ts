// One run against a provider, from options to a report. The command and the library are both thin around this.
import { randomInt } from 'node:crypto';
import { CHECKS } from './checks/catalogue.js';
import { type CaseFile, NO_CASES } from './cases/model.js';
import type { CheckInfo, CheckResult } from './model/check.js';
import { SpawnError } from './probe/provider-process.js';
import { findTarget } from './probe/target.js';
import { createReport, type Report } from './report/report.js';
import { createRunContext } from './run/context.js';
import { type KnownFailing, NONE_KNOWN } from './run/known-failing.js';
import { runChecks } from './run/runner.js';

/** What to run, and how. Everything but the command has a default. */
export interface ConformOptions {
  readonly command: string;
  readonly args?: readonly string[];
  /** Added to PATH, HOME and the like; nothing else is passed on. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cases?: CaseFile;
  /** Default: all checks of providers. */
  readonly checks?: readonly CheckInfo[];
  readonly known?: KnownFailing;
  /** Default: a new one each time; it is in the report. */
  readonly seed?: number;
  /** For one call, in milliseconds; default 5,000. */
  readonly timeoutMs?: number;
  readonly bail?: boolean;
  readonly strict?: boolean;
  /** What is not reached fails the run. */
  readonly complete?: boolean;
  /** Whether the host offers TLS in the checks that are not about it; default true. */
  readonly tls?: boolean;
  readonly onResult?: (result: CheckResult) => void;
}

const CALL_MS = 5_000;
// A check makes many calls; only one that hangs at each of them meets this.
const LIMIT_FACTOR = 12;

export async function conform(options: ConformOptions): Promise<Report> {
  const timeoutMs = options.timeoutMs ?? CALL_MS;
  const seed = options.seed ?? randomInt(1, 2 ** 31);
  const checks = options.checks ?? CHECKS;
  const known = options.known ?? NONE_KNOWN;
  const target = findTarget(options);
  const startedAt = new Date();
  const started = performance.now();
  const run = createRunContext({
    target,
    cases: options.cases ?? NO_CASES,
    seed,
    timeoutMs,
    tls: options.tls ?? true,
  });
  let results: CheckResult[] = [];
  let problem: string | undefined;
  try {
    results = await runChecks(run, {
      checks,
      known,
      bail: options.bail ?? false,
      limitMs: timeoutMs * LIMIT_FACTOR,
      ...(options.onResult === undefined ? {} : { onResult: options.onResult }),
    });
  } catch (error) {
    if (!(error instanceof SpawnError)) throw error;
    problem = error.message;
  } finally {
    await run.dispose();
  }
  return createReport({
    subject: [options.command, ...(options.args ?? [])].join(' '),
    side: 'provider',
    seed,
    startedAt,
    durationMs: performance.now() - started,
    results,
    stale: known.stale(results),
    planned: checks.length,
    strict: options.strict ?? false,
    complete: options.complete ?? false,
    ...(problem === undefined ? {} : { problem }),
  });
}
