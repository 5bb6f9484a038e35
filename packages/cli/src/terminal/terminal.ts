// The streams that a command talks to, what they can do, and safe writing to them. Made once per process;
// tests make their own.
import { createStyler } from './style.js';
import type { Styler } from './style.js';

export interface Terminal {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  /** Somebody can be asked: questions go to stderr and answers come from stdin. */
  readonly interactive: boolean;
  /** For what goes to stdout and to stderr; plain when NO_COLOR is set or the stream is no terminal. */
  readonly out: Styler;
  readonly err: Styler;
  readonly outColor: boolean;
  readonly errColor: boolean;
  /** Columns now. */
  width(): number;
  /** Rows now. */
  height(): number;
}

const DEFAULT_COLUMNS = 80;
const DEFAULT_ROWS = 24;

/** The terminal of this process. */
export function processTerminal(env: NodeJS.ProcessEnv = process.env): Terminal {
  const { stdin, stdout, stderr } = process;
  const outColor = wantsColor(stdout, env);
  const errColor = wantsColor(stderr, env);
  return {
    stdin,
    stdout,
    stderr,
    interactive: isTerminal(stdin) && isTerminal(stderr) && env['TENON_NO_PROMPT'] === undefined,
    out: createStyler(outColor),
    err: createStyler(errColor),
    outColor,
    errColor,
    width: () => columns(stdout, env) ?? columns(stderr, env) ?? DEFAULT_COLUMNS,
    height: () => stderr.rows || stdout.rows || DEFAULT_ROWS,
  };
}

/** Node's types call isTTY a boolean, but on a stream that is no terminal it is not there at all. */
export function isTerminal(stream: { readonly isTTY?: boolean }): boolean {
  return stream.isTTY === true;
}

/** NO_COLOR (no-color.org) wins over FORCE_COLOR, which wins over what the stream is. */
function wantsColor(stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv): boolean {
  if (env['NO_COLOR'] !== undefined && env['NO_COLOR'] !== '') return false;
  const forced = env['FORCE_COLOR'];
  if (forced !== undefined && forced !== '') return forced !== '0';
  return isTerminal(stream) && env['TERM'] !== 'dumb';
}

function columns(stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv): number | undefined {
  if (isTerminal(stream) && stream.columns > 0) return stream.columns;
  const given = Number(env['COLUMNS']);
  return Number.isInteger(given) && given > 0 ? given : undefined;
}

/**
 * A reader that goes away (`tenon log | head`) ends the command quietly instead of with a stack trace, as
 * for any Unix program. Returns what removes the handlers.
 */
export function endOnClosedPipe(terminal: Terminal, end: () => void): () => void {
  const onError = (error: NodeJS.ErrnoException): void => {
    if (error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED') end();
    else throw error;
  };
  terminal.stdout.on('error', onError);
  terminal.stderr.on('error', onError);
  return () => {
    terminal.stdout.off('error', onError);
    terminal.stderr.off('error', onError);
  };
}

/** Writes and resolves when the stream can take more: what an observer waits for (EVT-07). */
export function write(stream: NodeJS.WriteStream, data: string | Uint8Array): void | Promise<void> {
  if (data.length === 0 || stream.write(data)) return undefined;
  return new Promise((resolve) => {
    const done = (): void => {
      stream.off('drain', done);
      stream.off('close', done);
      stream.off('error', done);
      resolve();
    };
    stream.once('drain', done);
    stream.once('close', done);
    stream.once('error', done);
  });
}
