// The words of a failed launch, computed in one place.
import type { FirstLine } from './first-line.js';
import { LaunchError, type LaunchFailure } from './launch-error.js';
import type { ProcessExit, SpawnCommand } from '../types.js';

const QUOTED = 200;
const TAIL_LINES = 10;

/** What the messages need to know about a launch. */
export interface Attempt {
  readonly command: SpawnCommand;
  readonly exit: ProcessExit | undefined;
  readonly stderrTail: readonly string[];
  /** What the file of the command says about itself, where something is wrong with it. */
  readonly diagnosis: string | undefined;
}

/** A reason with its clause, before it is known how the process ended. */
export class StartFailure extends Error {
  constructor(
    readonly reason: LaunchFailure,
    message: string,
    readonly line?: string,
  ) {
    super(message);
  }
}

/** Puts the clause, the exit, the diagnosis and the last words of the plugin together. */
export function launchError(failure: StartFailure, attempt: Attempt): LaunchError {
  const { exit, stderrTail, diagnosis } = attempt;
  const said = stderrTail.slice(-TAIL_LINES).filter((line) => line.trim() !== '');
  const message = [
    `cannot start plugin ${shown(attempt.command)}: ${failure.message}`,
    exit !== undefined && failure.reason !== 'exited' && !exit.expected
      ? `; it ${describeExit(exit)}`
      : '',
    diagnosis === undefined ? '' : `. Cause: ${diagnosis}`,
    said.length === 0 ? '' : `. Its last words on stderr:\n${said.map((l) => `  ${l}`).join('\n')}`,
  ].join('');
  return new LaunchError(failure.reason, message, {
    stderrTail,
    ...(failure.line !== undefined && { line: failure.line }),
    ...(exit !== undefined && { exit }),
  });
}

/** `exited with code 3`, `was killed by SIGSEGV`. */
export function describeExit(exit: ProcessExit): string {
  return exit.signal === null ? `exited with code ${exit.code}` : `was killed by ${exit.signal}`;
}

/** A refused first line. */
export function unusableLine(line: FirstLine & { kind: 'endless' | 'closed' }): StartFailure {
  return line.kind === 'endless'
    ? new StartFailure(
        'handshake',
        `it printed 64 KiB on stdout without a line end, beginning with ${quote(line.text)}; the ` +
          'first line must be the go-plugin handshake',
        line.text,
      )
    : new StartFailure(
        'handshake',
        line.text === ''
          ? 'it closed its stdout without printing the go-plugin handshake'
          : `it closed its stdout after ${quote(line.text)}, which is no complete line`,
        line.text,
      );
}

/** Quotes what a plugin printed: one line, no control characters, cut at 200 characters. */
export function quote(text: string): string {
  return JSON.stringify(text.length > QUOTED ? `${text.slice(0, QUOTED)}…` : text);
}

function shown(command: SpawnCommand): string {
  const words = [command.command, ...command.args];
  const text = words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : quote(word))).join(' ');
  return text.length > QUOTED ? `${text.slice(0, QUOTED)}…` : text;
}
