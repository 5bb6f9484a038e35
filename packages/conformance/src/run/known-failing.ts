// The file of known failures: one check id or requirement id per line, with a reason after "#". What it lists does
// not fail the run; but a listed entry that passes does, so that the file never goes stale.
import type { CheckInfo, CheckResult } from '../model/check.js';

export interface KnownFailing {
  has(check: CheckInfo): boolean;
  /** Entries that name no check at all. */
  readonly unmatched: readonly string[];
  /** Entries of which every check that ran has passed. */
  stale(results: readonly CheckResult[]): readonly string[];
}

export const NONE_KNOWN: KnownFailing = { has: () => false, unmatched: [], stale: () => [] };

export function parseKnownFailing(text: string, checks: readonly CheckInfo[]): KnownFailing {
  const entries = text
    .split('\n')
    .map((line) => line.replace(/#.*/, '').trim())
    .filter((line) => line !== '');
  const names = (check: CheckInfo, entry: string): boolean =>
    check.id === entry || check.requirements.includes(entry);
  return {
    has: (check) => entries.some((entry) => names(check, entry)),
    unmatched: entries.filter((entry) => !checks.some((check) => names(check, entry))),
    stale: (results) =>
      entries.filter((entry) => {
        const ran = results.filter(({ check }) => names(check, entry));
        return ran.length > 0 && ran.every(({ verdict }) => verdict.state === 'pass');
      }),
  };
}
