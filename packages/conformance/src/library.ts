// `checkProvider` and `checkKernel`: the kit inside of a test runner, as one test per requirement. Works with
// node:test, vitest and everything else that has `describe`, `it` and a hook that runs before all tests.
import type { CheckResult } from './model/check.js';
import type { Report, ShownState } from './report/report.js';

/**
 * The part of a test runner that is needed. node:test calls the hook `before`. For vitest, give
 * `before: (body) => beforeAll(body, 120_000)`, as its hooks may take ten seconds unless told otherwise.
 */
export interface TestRunner {
  readonly describe: (name: string, body: () => void) => unknown;
  readonly it: (name: string, body: () => void | Promise<void>) => unknown;
  readonly before: (body: () => Promise<void>) => unknown;
}

/** What both have in common. */
export interface CheckOptions {
  /** The program under test: a provider, or the adapter of a kernel. */
  readonly command: string;
  readonly args?: readonly string[];
  /** Added to PATH, HOME and the like; nothing else is passed on to a provider. */
  readonly env?: Readonly<Record<string, string>>;
  /** Patterns of checks, groups and requirements, as of `--only` and `--skip`. */
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  /** Ids of checks or requirements that are known to fail. One that passes fails its test. */
  readonly knownFailing?: readonly string[];
  /** For one call, in milliseconds; default 5,000. */
  readonly timeoutMs?: number;
  /** Warnings fail too. */
  readonly strict?: boolean;
  /** What is not reached fails too; default true: a test that asks nothing proves nothing. */
  readonly complete?: boolean;
}

export interface CheckProviderOptions extends CheckOptions {
  /** Path of a case file. */
  readonly cases?: string;
  readonly seed?: number;
  readonly tls?: boolean;
}

/**
 * Declares one test per requirement of providers that the chosen checks are made of. The provider is run once,
 * before the first of them. Call it at the top level of a test file:
 * `checkProvider({ describe, it, before }, { command: 'node', args: ['provider.js'], cases: 'cases.yaml' })`.
 */
export async function checkProvider(
  runner: TestRunner,
  options: CheckProviderOptions,
): Promise<void> {
  const { CHECKS } = await import('./checks/catalogue.js');
  const { checks, known } = await choose(CHECKS, options);
  declare(runner, options, checks, async () => {
    const { conform } = await import('./conform.js');
    const { readCaseFile } = await import('./cases/read.js');
    const { cases, ...rest } = options;
    return conform({
      ...rest,
      checks,
      known,
      ...(cases === undefined ? {} : { cases: readCaseFile(cases) }),
    });
  });
}

/** The same for a kernel, through its adapter. */
export async function checkKernel(runner: TestRunner, options: CheckOptions): Promise<void> {
  const { KERNEL_CHECKS } = await import('./kernel/catalogue.js');
  const { checks, known } = await choose(KERNEL_CHECKS, options);
  declare(runner, options, checks, async () => {
    const { conformKernel } = await import('./kernel/conform-kernel.js');
    return conformKernel({ ...options, checks, known });
  });
}

type Checks = readonly CheckResult['check'][];

async function choose(all: Checks, options: CheckOptions) {
  const { select } = await import('./run/select.js');
  const { parseKnownFailing } = await import('./run/known-failing.js');
  const { selected, unmatched } = select(all, options.only ?? [], options.skip ?? []);
  const known = parseKnownFailing((options.knownFailing ?? []).join('\n'), all);
  const mistakes = [...unmatched, ...known.unmatched];
  if (mistakes.length > 0) throw new RangeError(`there is no check ${mistakes.join(', ')}`);
  return { checks: selected, known };
}

function declare(
  { describe, it, before }: TestRunner,
  options: CheckOptions,
  checks: Checks,
  run: () => Promise<Report>,
): void {
  const requirements = [...new Set(checks.map(({ requirements: [main = ''] }) => main))].sort();
  describe(`conformance of ${[options.command, ...(options.args ?? [])].join(' ')}`, () => {
    let report: Report | undefined;
    before(async () => {
      report = await run();
    });
    for (const id of requirements) {
      it(id, async () => {
        if (report === undefined) throw new Error('the checks did not run');
        const problems = await problemsOf(report, id, options);
        if (problems.length > 0) throw new ConformanceError(id, problems);
      });
    }
  });
}

/** What a test of a requirement throws: every check of it that went wrong, with its evidence. */
export class ConformanceError extends Error {
  constructor(
    readonly requirement: string,
    readonly problems: readonly string[],
  ) {
    super(`${requirement}\n${problems.join('\n')}`);
    this.name = 'ConformanceError';
  }
}

async function problemsOf(report: Report, id: string, options: CheckOptions): Promise<string[]> {
  const { shownState, fixOf } = await import('./report/report.js');
  if (report.problem !== undefined) return [report.problem];
  const bad: ShownState[] = [
    'fail',
    ...((options.complete ?? true) ? (['not_reached'] as const) : []),
  ];
  const results = report.results.filter(({ check }) => check.requirements[0] === id);
  const problems = results
    .filter((result) => bad.includes(shownState(result, options.strict)))
    .flatMap((result) => {
      const { check, verdict } = result;
      if (verdict.state === 'not_reached')
        return [`${check.id} was not reached: ${verdict.reason}`];
      if (verdict.state !== 'fail') return [];
      return verdict.findings.map(
        ({ did, expected, saw, fix }) =>
          `${check.id}: ${check.title}\n  did: ${did}\n  expected: ${expected}\n  saw: ${saw}\n  fix: ${fixOf(result, fix)}`,
      );
    });
  const stale = report.stale.filter(
    (entry) => entry === id || results.some(({ check }) => check.id === entry),
  );
  return [...problems, ...stale.map((entry) => `${entry} is listed as known to fail, but passes`)];
}
