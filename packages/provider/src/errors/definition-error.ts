// A provider that is wrongly defined: found when its module loads, long before any call.

/** One thing that is wrong with a definition. */
export interface DefinitionProblem {
  /** JSON pointer into the definition, such as "/operations/greet/input/properties/name". */
  readonly pointer: string;
  /** Name of the operation, where the problem is in one. */
  readonly operation?: string;
  /** The schema keyword that has no place in the protocol's subset, such as "minLength". */
  readonly keyword?: string;
  /** Id of the requirement that is broken, such as "SCH-01". */
  readonly requirement?: string;
  /** What is wrong and what to do. */
  readonly message: string;
}

/** Thrown by defineProvider and configSchema. `problems` lists everything that is wrong, not the first alone. */
export class DefinitionError extends Error {
  readonly problems: readonly DefinitionProblem[];

  constructor(what: string, problems: readonly DefinitionProblem[]) {
    const lines = problems.map((problem) => `  ${problem.pointer || '/'}: ${problem.message}`);
    super(
      `${what} is wrongly defined (${problems.length} ${problems.length === 1 ? 'problem' : 'problems'}):\n${lines.join('\n')}`,
    );
    this.name = 'DefinitionError';
    this.problems = problems;
  }
}
