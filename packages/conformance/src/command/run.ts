// `tenon conform … -- COMMAND`: reads what the options name, runs the checks, writes the reports.
import { readFileSync, writeFileSync } from 'node:fs';
import { CHECKS } from '../checks/catalogue.js';
import { readCaseFile } from '../cases/read.js';
import { CaseFileError } from '../cases/reader.js';
import type { CaseFile } from '../cases/model.js';
import { conform } from '../conform.js';
import { KERNEL_CHECKS } from '../kernel/catalogue.js';
import type { CheckInfo } from '../model/check.js';
import { htmlReport } from '../report/html.js';
import { jsonReport } from '../report/json.js';
import { junitReport } from '../report/junit.js';
import { markdownReport } from '../report/markdown.js';
import { exitCodeOf, type Report } from '../report/report.js';
import { terminalReport } from '../report/terminal.js';
import { type KnownFailing, NONE_KNOWN, parseKnownFailing } from '../run/known-failing.js';
import { select } from '../run/select.js';
import { type ConformFlags, FlagError, readEnv, readNumber, reportProblems } from './flags.js';

type Format = (report: Report, strict: boolean) => string;
const FORMATS: Readonly<Record<string, Format>> = {
  junit: junitReport,
  json: jsonReport,
  html: htmlReport,
  md: markdownReport,
};

interface Plan {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Record<string, string>;
  readonly checks: readonly CheckInfo[];
  readonly known: KnownFailing;
  readonly cases: CaseFile | undefined;
  readonly seed: number | undefined;
  readonly timeoutMs: number | undefined;
  readonly reports: readonly { readonly format: Format; readonly path: string }[];
}

/** Resolves to the exit code. */
export async function runConform(words: readonly string[], flags: ConformFlags): Promise<number> {
  let plan: Plan;
  try {
    plan = readPlan(words, flags);
  } catch (error) {
    if (!(error instanceof FlagError)) throw error;
    return reportProblems(error.problems);
  }
  const strict = flags.strict === true;
  const report = await runPlan(plan, flags);
  const colour = flags.color && process.stdout.isTTY && process.env['NO_COLOR'] === undefined;
  process.stdout.write(terminalReport(report, { colour, strict }));
  for (const { format, path } of plan.reports) writeFileSync(path, format(report, strict));
  return exitCodeOf(report);
}

async function runPlan(plan: Plan, flags: ConformFlags): Promise<Report> {
  const common = {
    command: plan.command,
    args: plan.args,
    env: plan.env,
    checks: plan.checks,
    known: plan.known,
    ...(plan.timeoutMs === undefined ? {} : { timeoutMs: plan.timeoutMs }),
    ...(plan.seed === undefined ? {} : { seed: plan.seed }),
    bail: flags.bail === true,
    strict: flags.strict === true,
    complete: flags.complete === true,
    onResult: progress(plan.checks.length),
  };
  if (flags.kernel === true) {
    const { conformKernel } = await import('../kernel/conform-kernel.js');
    return conformKernel(common);
  }
  return conform({
    ...common,
    tls: flags.tls,
    ...(plan.cases === undefined ? {} : { cases: plan.cases }),
  });
}

// One line that is overwritten, for people who wait.
function progress(planned: number): () => void {
  let done = 0;
  return () => {
    done += 1;
    if (!process.stderr.isTTY) return;
    process.stderr.write(
      done === planned ? '\r\u001b[K' : `\r\u001b[K${done} of ${planned} checks`,
    );
  };
}

/** @throws FlagError with every problem. */
function readPlan(words: readonly string[], flags: ConformFlags): Plan {
  const problems: string[] = [];
  const [command = '', ...args] = words;
  if (command === '') {
    problems.push(
      'no command; give the program under test after --, such as: tenon conform -- ./my-provider',
    );
  }
  const all = flags.kernel === true ? KERNEL_CHECKS : CHECKS;
  const { selected, unmatched } = select(all, flags.only ?? [], flags.skip ?? []);
  problems.push(...unmatched.map((pattern) => `${pattern} matches no check; see --list`));
  const plan: Plan = {
    command,
    args,
    env: readEnv(flags.env, problems),
    checks: selected,
    known: readKnown(flags.knownFailing, all, problems),
    cases: readCases(flags, problems),
    seed: readNumber(flags.seed, '--seed', problems),
    timeoutMs: readNumber(flags.timeout, '--timeout', problems),
    reports: flags.report.flatMap((text) => readReport(text, problems)),
  };
  if (problems.length > 0) throw new FlagError(problems);
  return plan;
}

function readCases(flags: ConformFlags, problems: string[]): CaseFile | undefined {
  if (flags.cases === undefined) return undefined;
  try {
    return readCaseFile(flags.cases);
  } catch (error) {
    if (error instanceof CaseFileError) problems.push(...error.message.split('\n'));
    else problems.push(`--cases ${flags.cases}: ${(error as Error).message}`);
    return undefined;
  }
}

function readKnown(
  path: string | undefined,
  checks: readonly CheckInfo[],
  problems: string[],
): KnownFailing {
  if (path === undefined) return NONE_KNOWN;
  try {
    const known = parseKnownFailing(readFileSync(path, 'utf8'), checks);
    problems.push(...known.unmatched.map((entry) => `${path}: ${entry} names no check`));
    return known;
  } catch (error) {
    problems.push(`--known-failing ${path}: ${(error as Error).message}`);
    return NONE_KNOWN;
  }
}

function readReport(text: string, problems: string[]): Plan['reports'] {
  const at = text.indexOf('=');
  const kind = text.slice(0, at);
  const path = text.slice(at + 1);
  const format = Object.hasOwn(FORMATS, kind) ? FORMATS[kind] : undefined;
  if (at > 0 && path !== '' && format !== undefined) return [{ format, path }];
  problems.push(
    `--report ${text}: must be one of ${Object.keys(FORMATS).join(', ')}, "=" and a file`,
  );
  return [];
}
