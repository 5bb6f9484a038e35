// The report as JSON, for programs. `schemaVersion` is raised when a field changes its meaning or goes away.
import { mainRequirement } from '../model/check.js';
import { fixOf, matrix, type Report, shownState } from './report.js';

export function jsonReport(report: Report, strict: boolean): string {
  const { results, ...head } = report;
  const body = {
    ...head,
    matrix: matrix(report),
    results: results.map((result) => ({
      id: result.check.id,
      group: result.check.group,
      requirement: mainRequirement(result.check),
      title: result.check.title,
      weight: result.weight,
      state: shownState(result, strict),
      durationMs: result.durationMs,
      ...evidence(result),
    })),
  };
  return `${JSON.stringify(body, null, 2)}\n`;
}

function evidence(result: Report['results'][number]): object {
  const { verdict } = result;
  switch (verdict.state) {
    case 'pass':
      return { did: verdict.did, expected: verdict.expected, saw: verdict.saw };
    case 'fail':
      return {
        findings: verdict.findings.map((finding) => ({
          ...finding,
          fix: fixOf(result, finding.fix),
        })),
      };
    case 'not_reached':
    case 'not_applicable':
      return { reason: verdict.reason };
  }
}
