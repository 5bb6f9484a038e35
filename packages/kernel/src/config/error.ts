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

/** A configuration that cannot be used. `message` lists every problem, as file:line:column, with the line. */
export class ConfigError extends Error {
  readonly problems: readonly ConfigProblem[];
  constructor(problems: readonly ConfigProblem[], options?: ErrorOptions) {
    super(problems.map(problemText).join('\n'), options);
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/** One problem as people read it; several lines with an excerpt. */
export function problemText({ message, location, hint, excerpt }: ConfigProblem): string {
  const place =
    location === undefined ? '' : `${location.file}:${location.line}:${location.column}: `;
  const lines = [`${place}${message}${hint === undefined ? '' : ` (${hint})`}`];
  if (excerpt !== undefined && location !== undefined) {
    const shown = excerpt.replaceAll('\t', ' ');
    lines.push(`    ${shown}`, `    ${' '.repeat(Math.max(0, location.column - 1))}^`);
  }
  return lines.join('\n');
}
