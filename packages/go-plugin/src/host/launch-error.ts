// The one error that a launch ends with, and the words it carries.
import type { ProcessExit } from '../types.js';

/** Why a launch failed. */
export type LaunchFailure =
  | 'spawn'
  | 'exited'
  | 'timeout'
  | 'handshake'
  | 'version'
  | 'tls'
  | 'connect'
  | 'aborted';

/**
 * A plugin could not be started. The message says what happened, to which command, and what to do;
 * by the time it is thrown no process, socket or directory of the launch is left.
 */
export class LaunchError extends Error {
  override readonly name = 'LaunchError';
  readonly reason: LaunchFailure;
  /** The first line on stdout, where there was one. */
  readonly line?: string;
  /** How the process ended, where it had been started. */
  readonly exit?: ProcessExit;
  /** The last lines on stderr, oldest first. */
  readonly stderrTail: readonly string[];

  constructor(
    reason: LaunchFailure,
    message: string,
    facts: {
      line?: string;
      exit?: ProcessExit;
      stderrTail?: readonly string[];
      cause?: unknown;
    } = {},
  ) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.reason = reason;
    if (facts.line !== undefined) this.line = facts.line;
    if (facts.exit !== undefined) this.exit = facts.exit;
    this.stderrTail = facts.stderrTail ?? facts.exit?.stderrTail ?? [];
  }
}
