// What the command line was told wrongly, and what the exit code is for each way that a command can end.

/** A mistake in the command or its configuration: every problem found, one line each. Exit code 2. */
export class UsageError extends Error {
  readonly problems: readonly string[];
  constructor(problems: readonly string[], options?: { cause?: unknown }) {
    super(problems.join('\n'), options);
    this.name = 'UsageError';
    this.problems = problems;
  }
}

/** The exit codes of every command, as `--help` and the documentation list them. */
export const EXIT = {
  /** Everything asked for was done. */
  ok: 0,
  /** The tool failed, or a check found something. */
  toolError: 1,
  /** The command or the configuration is wrong; nothing ran. */
  usage: 2,
  /** A policy, a hook, a person or an open breaker refused. */
  denied: 3,
  /** Ctrl-C, or a cancelled call. */
  cancelled: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
