// The report for a README: a badge and a table of requirements.
import { cleanLine } from './clean.js';
import { LEVEL_WORDS, matrix, type Report, STATE_WORDS } from './report.js';

const BADGE = {
  conforms: ['conforms', 'brightgreen'],
  violates: ['does not conform', 'red'],
  untested: ['untested', 'lightgrey'],
} as const;

export function markdownReport(report: Report): string {
  const [word, colour] = BADGE[report.outcome];
  const label = report.side === 'kernel' ? 'kernel conformance' : 'tool conformance';
  const badge = `https://img.shields.io/badge/${encodeURIComponent(label)}-${encodeURIComponent(word)}-${colour}`;
  const { counts } = report;
  return [
    `![${label}: ${word}](${badge})`,
    '',
    `${counts.pass} checks passed, ${counts.fail} failed, ${counts.warn} warnings, ${counts.not_reached} not reached, ${counts.not_applicable} not applicable.`,
    '',
    '| requirement | level | | state |',
    '|---|---|---|---|',
    ...matrix(report).map(
      (row) =>
        `| ${row.requirement} | ${LEVEL_WORDS[row.level]} | ${cell(row.title)} | ${STATE_WORDS[row.state]} |`,
    ),
    '',
  ].join('\n');
}

const cell = (text: string): string =>
  cleanLine(text).replaceAll('|', '\\|').replaceAll('<', '&lt;');
