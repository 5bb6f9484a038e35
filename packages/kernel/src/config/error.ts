// What is wrong with a configuration: everything that was found, each with its place and what to do.
import type { SourceLocation } from './model.js';

export interface ConfigProblem {
  readonly message: string;
  readonly location?: SourceLocation;
  /** What to do, if the message does not say it. */
  readonly hint?: string;
  /** The line of the file. */
  readonly excerpt?: string;
}

/** A configuration that cannot be used. `message` lists every problem (of thousands, the first hundred), as file:line:column, with the line. */
export class ConfigError extends Error {
  readonly problems: readonly ConfigProblem[];
  constructor(found: readonly ConfigProblem[], options?: ErrorOptions) {
    const problems = listedProblems(found);
    super(problems.map(problemText).join('\n'), options);
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

const EXCERPT_WIDTH = 160;

/** More than these are counted, not listed: nobody reads a thousand. */
const MAX_LISTED = 100;

/** Problems as they are listed in an error: the first of them, and how many more there are. */
function listedProblems(problems: readonly ConfigProblem[]): readonly ConfigProblem[] {
  if (problems.length <= MAX_LISTED) return problems;
  const more = { message: `and ${problems.length - MAX_LISTED} more problems` };
  return [...problems.slice(0, MAX_LISTED), more];
}

/** One problem as people read it; several lines with an excerpt. */
export function problemText({ message, location, hint, excerpt }: ConfigProblem): string {
  const place =
    location === undefined ? '' : `${location.file}:${location.line}:${location.column}: `;
  const lines = [`${place}${message}${hint === undefined ? '' : ` (${hint})`}`];
  if (excerpt !== undefined && location !== undefined) {
    // Of a very long line, the part around the column.
    const from = location.column <= EXCERPT_WIDTH / 2 ? 0 : location.column - EXCERPT_WIDTH / 2;
    const shown = excerpt
      .slice(from, from + EXCERPT_WIDTH)
      .replaceAll(/[\t\r]/g, ' ')
      .trimEnd();
    lines.push(`    ${shown}`, `    ${' '.repeat(Math.max(0, location.column - 1 - from))}^`);
  }
  return lines.join('\n');
}
