// The report for a terminal: groups, the evidence of what is wrong, what was not reached, the matrix, the sum.
import { styleText } from 'node:util';
import { type CheckResult, mainRequirement } from '../model/check.js';
import { cleanLine } from './clean.js';
import {
  fixOf,
  LEVEL_WORDS,
  matrix,
  type MatrixRow,
  type Report,
  type ShownState,
  shownState,
} from './report.js';

type Style = Parameters<typeof styleText>[0];
type Paint = (style: Style, text: string) => string;

const MARKS: Readonly<Record<ShownState, readonly [mark: string, style: Style]>> = {
  pass: ['✓', 'green'],
  fail: ['✗', 'red'],
  warn: ['!', 'yellow'],
  known: ['~', 'yellow'],
  not_reached: ['?', 'magenta'],
  not_applicable: ['-', 'gray'],
};

export interface TerminalOptions {
  readonly colour: boolean;
  readonly strict: boolean;
}

/** Ends with a newline. */
export function terminalReport(report: Report, options: TerminalOptions): string {
  const paint: Paint = (style, text) =>
    options.colour ? styleText(style, text, { validateStream: false }) : text;
  const lines: string[] = [];
  let group = '';
  for (const result of report.results) {
    if (result.check.group !== group) {
      group = result.check.group;
      lines.push('', paint('bold', group));
    }
    lines.push(...resultLines(result, paint, options.strict));
  }
  lines.push('', ...matrixLines(matrix(report), paint), ...sum(report, paint));
  return `${lines.join('\n')}\n`;
}

function resultLines(result: CheckResult, paint: Paint, strict: boolean): string[] {
  const state = shownState(result, strict);
  const [mark, style] = MARKS[state];
  const { check, verdict, durationMs } = result;
  const time = durationMs >= 500 ? paint('gray', ` ${(durationMs / 1000).toFixed(1)} s`) : '';
  const head = `  ${paint(style, mark)} ${paint('gray', mainRequirement(check))} ${check.title}${time}`;
  switch (verdict.state) {
    case 'pass':
      return [head];
    case 'not_applicable':
      return [`${head} ${paint('gray', `(${cleanLine(verdict.reason)})`)}`];
    case 'not_reached':
      return [head, `      ${paint('magenta', 'not reached:')} ${cleanLine(verdict.reason)}`];
    case 'fail':
      return [
        `${head} ${paint('gray', `[${check.id}]`)}`,
        ...verdict.findings
          .slice(0, FINDINGS)
          .flatMap((finding) => [
            `      did       ${cleanLine(finding.did)}`,
            `      expected  ${cleanLine(finding.expected)}`,
            `      ${paint(style, 'saw')}       ${cleanLine(finding.saw)}`,
            `      fix       ${cleanLine(fixOf(result, finding.fix))}`,
          ]),
        ...(verdict.findings.length > FINDINGS
          ? [`      and ${verdict.findings.length - FINDINGS} more of the kind`]
          : []),
      ];
  }
}

const FINDINGS = 3;

function matrixLines(rows: readonly MatrixRow[], paint: Paint): string[] {
  const width = Math.max(...rows.map(({ title }) => title.length), 0);
  return [
    paint('bold', 'requirements'),
    ...[...rows]
      .sort((a, b) => (a.requirement < b.requirement ? -1 : 1))
      .map((row) => {
        const [mark, style] = MARKS[row.state];
        return `  ${row.requirement.padEnd(7)} ${LEVEL_WORDS[row.level].padEnd(8)} ${row.title.padEnd(width)} ${paint(style, mark)}`;
      }),
    '',
  ];
}

function sum(report: Report, paint: Paint): string[] {
  const { counts } = report;
  const parts = [
    paint('green', `${counts.pass} passed`),
    paint(counts.fail > 0 ? 'red' : 'gray', `${counts.fail} failed`),
    paint(counts.warn > 0 ? 'yellow' : 'gray', `${counts.warn} warnings`),
    ...(counts.known > 0 ? [paint('yellow', `${counts.known} known failures`)] : []),
    paint(counts.not_reached > 0 ? 'magenta' : 'gray', `${counts.not_reached} not reached`),
    paint('gray', `${counts.not_applicable} not applicable`),
    ...(report.notRun > 0 ? [`${report.notRun} not run`] : []),
  ];
  const words = {
    conforms: paint(
      'green',
      counts.not_reached > 0 ? 'conforms, as far as it was asked' : 'conforms',
    ),
    violates: paint('red', 'does not conform'),
    untested: paint('red', 'could not be tested'),
  };
  return [
    ...report.stale.map((entry) =>
      paint('red', `${entry} is listed as a known failure, but passes: take it off the list`),
    ),
    ...(report.problem === undefined ? [] : [paint('red', cleanLine(report.problem))]),
    `${cleanLine(report.subject)} ${words[report.outcome]}: ${parts.join(', ')} (${(report.durationMs / 1000).toFixed(1)} s, seed ${report.seed})`,
  ];
}
