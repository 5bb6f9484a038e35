// What a check is, and what comes of one. No behaviour beside small constructors; the checks themselves are in
// `checks/`, the runner in `run/`.

/** A check as it is listed: everything but the code. */
export interface CheckInfo {
  /** `group.name`. */
  readonly id: string;
  readonly group: string;
  /** Ids of the catalogue of requirements; the first is the one that a failure is counted under. */
  readonly requirements: readonly string[];
  /** What is checked, as a statement that should be true. */
  readonly title: string;
  /** A failure warns only, although the requirement says MUST: the check asks for more than its letter. */
  readonly advisory?: true;
}

/** One thing that was wrong, with what a person needs to reproduce and mend it. */
export interface Finding {
  readonly did: string;
  readonly expected: string;
  readonly saw: string;
  readonly fix?: string;
}

export type Verdict =
  | {
      readonly state: 'pass';
      readonly did: string;
      readonly expected: string;
      readonly saw: string;
    }
  | { readonly state: 'fail'; readonly findings: readonly Finding[] }
  /** Nothing can be said, and the author can change that: the reason says how. */
  | { readonly state: 'not_reached'; readonly reason: string }
  /** There is nothing of the kind in this provider. */
  | { readonly state: 'not_applicable'; readonly reason: string };
export type CheckState = Verdict['state'];

/** How much a failure of this check weighs. */
export type Weight = 'must' | 'should';

export interface CheckResult {
  readonly check: CheckInfo;
  readonly weight: Weight;
  readonly verdict: Verdict;
  readonly durationMs: number;
  /** Listed in the file of known failures. */
  readonly known: boolean;
}

export const pass = (did: string, expected: string, saw: string): Verdict => ({
  state: 'pass',
  did,
  expected,
  saw,
});
export const fail = (...findings: readonly Finding[]): Verdict => ({ state: 'fail', findings });
export const notReached = (reason: string): Verdict => ({ state: 'not_reached', reason });
export const notApplicable = (reason: string): Verdict => ({ state: 'not_applicable', reason });

/** The requirement that a check is counted under. */
export function mainRequirement(check: CheckInfo): string {
  const first = check.requirements[0];
  if (first === undefined) throw new Error(`check ${check.id} names no requirement`);
  return first;
}
