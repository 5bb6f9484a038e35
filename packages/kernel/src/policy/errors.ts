// What is wrong with a set of policy rules: everything, with the places.
import type { SourceLocation } from '../config/model.js';

export interface PolicyProblem {
  readonly message: string;
  /** Of all the rules concerned. */
  readonly locations: readonly SourceLocation[];
}

/** Rules that cannot be loaded together (POL-03). */
export class PolicyError extends Error {
  readonly problems: readonly PolicyProblem[];
  constructor(problems: readonly PolicyProblem[]) {
    super(problems.map(({ message }) => message).join('\n'));
    this.name = 'PolicyError';
    this.problems = problems;
  }
}
