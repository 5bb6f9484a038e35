// Collects what a check that asks many questions has seen, and makes one verdict of it.
import { fail, type Finding, notReached, pass, type Verdict } from './check.js';

export interface Evidence {
  /** A question that was asked and answered as it should be. */
  readonly held: (what: string) => void;
  readonly broke: (finding: Finding) => void;
  /** A question that could not be asked. */
  readonly missed: (reason: string) => void;
  /** Fails on any finding; is not reached when nothing could be asked, passes otherwise. */
  verdict(): Verdict;
}

const SHOWN = 6;

export function evidence(did: string, expected: string): Evidence {
  const held: string[] = [];
  const findings: Finding[] = [];
  const missed: string[] = [];
  return {
    held: (what) => void held.push(what),
    broke: (finding) => void findings.push(finding),
    missed: (reason) => void missed.push(reason),
    verdict: () => {
      if (findings.length > 0) return fail(...findings);
      if (held.length === 0) return notReached(list(missed) || 'there was nothing to ask');
      return pass(did, expected, list(held));
    },
  };
}

function list(items: readonly string[]): string {
  const unique = [...new Set(items)];
  const more = unique.length - SHOWN;
  return unique.slice(0, SHOWN).join('; ') + (more > 0 ? `; and ${more} more` : '');
}
