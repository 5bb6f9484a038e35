// The report as JUnit XML, for CI systems: a suite per group, a case per check.
import { type CheckResult, mainRequirement } from '../model/check.js';
import { fixOf, type Report, shownState } from './report.js';

export function junitReport(report: Report, strict: boolean): string {
  const groups = new Map<string, CheckResult[]>();
  for (const result of report.results) {
    groups.set(result.check.group, [...(groups.get(result.check.group) ?? []), result]);
  }
  const suites = [...groups].map(([group, results]) => suite(group, results, strict));
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${escapeXml(`conformance of ${report.subject}`)}" tests="${report.results.length}" failures="${report.counts.fail}" time="${seconds(report.durationMs)}">`,
    ...suites,
    '</testsuites>',
    '',
  ].join('\n');
}

const seconds = (ms: number): string => (ms / 1000).toFixed(3);

function suite(group: string, results: readonly CheckResult[], strict: boolean): string {
  const failures = results.filter((result) => shownState(result, strict) === 'fail').length;
  const skipped = results.filter(({ verdict }) => verdict.state.startsWith('not_')).length;
  const time = results.reduce((sum, { durationMs }) => sum + durationMs, 0);
  return [
    `  <testsuite name="${group}" tests="${results.length}" failures="${failures}" skipped="${skipped}" time="${seconds(time)}">`,
    ...results.map((result) => testCase(result, strict)),
    '  </testsuite>',
  ].join('\n');
}

function testCase(result: CheckResult, strict: boolean): string {
  const { check, verdict } = result;
  const name = escapeXml(`${mainRequirement(check)} ${check.title}`);
  const open = `    <testcase classname="${check.group}" name="${name}" time="${seconds(result.durationMs)}"`;
  switch (verdict.state) {
    case 'pass':
      return `${open}/>`;
    case 'not_reached':
    case 'not_applicable':
      return `${open}><skipped message="${escapeXml(`${verdict.state.replace('_', ' ')}: ${verdict.reason}`)}"/></testcase>`;
    case 'fail': {
      const text = verdict.findings
        .map(
          ({ did, expected, saw, fix }) =>
            `did: ${did}\nexpected: ${expected}\nsaw: ${saw}\nfix: ${fixOf(result, fix)}`,
        )
        .join('\n\n');
      return shownState(result, strict) === 'fail'
        ? `${open}><failure message="${escapeXml(verdict.findings[0]?.saw ?? '')}">${escapeXml(text)}</failure></testcase>`
        : `${open}><system-out>${escapeXml(`warning\n${text}`)}</system-out></testcase>`;
    }
  }
}

/** For texts and attributes. What XML 1.0 cannot hold at all is replaced. */
export function escapeXml(text: string): string {
  return text
    .replaceAll(/[^\u0009\u000a\u000d\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\n', '&#10;');
}
