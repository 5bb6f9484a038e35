// What a run has found, before it is shown: results, what they add up to, and the matrix of capabilities. Every
// format (terminal, JUnit, JSON, HTML, Markdown) is made from this.
import { requirement, type RequirementLevel } from '@tenon/protocol';
import { type CheckResult, type CheckState, mainRequirement } from '../model/check.js';

/** Raised when something in a report changes its meaning or goes away. */
export const REPORT_SCHEMA_VERSION = 1;

export type Outcome = 'conforms' | 'violates' | 'untested';

export interface Report {
  readonly schemaVersion: typeof REPORT_SCHEMA_VERSION;
  /** What was tested: the command of a provider, or a kernel's adapter. */
  readonly subject: string;
  readonly side: 'provider' | 'kernel';
  readonly seed: number;
  readonly startedAt: string;
  readonly durationMs: number;
  readonly outcome: Outcome;
  /** Why it could not be tested. */
  readonly problem?: string;
  readonly counts: Readonly<Record<CheckState | 'warn' | 'known', number>>;
  readonly results: readonly CheckResult[];
  /** Known failures that pass by now: the list is out of date, which fails the run. */
  readonly stale: readonly string[];
  /** Checks that an early end left out. */
  readonly notRun: number;
}

/** `warn`: a failure that does not fail the run; `known`: one that is listed as such. */
export type ShownState = CheckState | 'warn' | 'known';

export function shownState({ verdict, weight, known }: CheckResult, strict = false): ShownState {
  if (verdict.state !== 'fail') return verdict.state;
  if (known) return 'known';
  return weight === 'should' && !strict ? 'warn' : 'fail';
}

export interface ReportInput {
  readonly subject: string;
  readonly side: Report['side'];
  readonly seed: number;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly results: readonly CheckResult[];
  readonly stale: readonly string[];
  readonly planned: number;
  readonly strict: boolean;
  /** Whether what was not reached fails the run. */
  readonly complete: boolean;
  readonly problem?: string;
}

export function createReport(input: ReportInput): Report {
  const counts = { pass: 0, fail: 0, warn: 0, known: 0, not_reached: 0, not_applicable: 0 };
  for (const result of input.results) counts[shownState(result, input.strict)] += 1;
  const judged = counts.pass + counts.fail + counts.warn + counts.known;
  const violates =
    counts.fail > 0 || input.stale.length > 0 || (input.complete && counts.not_reached > 0);
  const outcome: Outcome =
    input.problem !== undefined || (judged === 0 && counts.not_applicable === 0 && !violates)
      ? 'untested'
      : violates
        ? 'violates'
        : 'conforms';
  return {
    schemaVersion: REPORT_SCHEMA_VERSION,
    subject: input.subject,
    side: input.side,
    seed: input.seed,
    startedAt: input.startedAt.toISOString(),
    durationMs: Math.round(input.durationMs),
    outcome,
    ...(input.problem === undefined ? {} : { problem: input.problem }),
    counts,
    results: input.results,
    stale: input.stale,
    notRun: input.planned - input.results.length,
  };
}

/** The exit code of a run: 0 conforms, 1 violations, 2 could not be tested. */
export function exitCodeOf({ outcome }: Report): 0 | 1 | 2 {
  return outcome === 'conforms' ? 0 : outcome === 'violates' ? 1 : 2;
}

export interface MatrixRow {
  readonly requirement: string;
  readonly level: RequirementLevel;
  readonly title: string;
  readonly state: ShownState;
  readonly checks: number;
}

const WORST: readonly ShownState[] = [
  'fail',
  'known',
  'not_reached',
  'warn',
  'pass',
  'not_applicable',
];

/** One row per requirement that was checked, with the worst state of its checks. */
export function matrix(report: Report): MatrixRow[] {
  const rows = new Map<string, CheckResult[]>();
  for (const result of report.results) {
    const id = mainRequirement(result.check);
    rows.set(id, [...(rows.get(id) ?? []), result]);
  }
  return [...rows].map(([id, results]) => {
    const states = new Set(results.map((result) => shownState(result)));
    return {
      requirement: id,
      level: requirement(id)?.level ?? 'must',
      title: requirement(id)?.title ?? '',
      state: WORST.find((state) => states.has(state)) ?? 'not_applicable',
      checks: results.length,
    };
  });
}

export const LEVEL_WORDS: Readonly<Record<RequirementLevel, string>> = {
  must: 'MUST',
  must_not: 'MUST NOT',
  should: 'SHOULD',
  may: 'MAY',
};

export const STATE_WORDS: Readonly<Record<ShownState, string>> = {
  pass: 'pass',
  fail: 'FAIL',
  warn: 'warning',
  known: 'known failure',
  not_reached: 'NOT REACHED',
  not_applicable: 'not applicable',
};

/** How to satisfy it: the finding's own words, else those of the requirement. */
export function fixOf(result: CheckResult, own: string | undefined): string {
  return own ?? requirement(mainRequirement(result.check))?.howToSatisfy ?? '';
}
