// One run of ripgrep: its output as pieces, in order, as fast as they are taken and no faster.
import { spawn } from 'node:child_process';
import { fail, type JsonObject } from '@tenon/provider';
import { createSplitter } from './split.js';

export interface RipgrepRun {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly signal: AbortSignal;
  /** What ends a piece of output: a newline, or NUL for paths. */
  readonly separator: number;
  /** Takes one piece. Resolving to 'stop' ends the run: enough was found. */
  readonly onPiece: (piece: Buffer) => Promise<'more' | 'stop'>;
}

export interface RipgrepEnd {
  readonly stopped: boolean;
  /** Complaints about single files, such as unreadable ones. */
  readonly problems: readonly string[];
  /** Pieces too long to be kept. */
  readonly dropped: number;
}

const PIECE_LIMIT_BYTES = 8 * 1024 * 1024;
const STDERR_LIMIT = 64 * 1024;

/**
 * Resolves when ripgrep has ended and its pipes are empty. Throws `invalid_arguments` for a pattern that it
 * refuses, `cancelled` when the signal aborts, `execution_failed` for anything else.
 */
export async function runRipgrep(run: RipgrepRun): Promise<RipgrepEnd> {
  run.signal.throwIfAborted();
  const child = spawn(run.program, run.args, {
    cwd: run.cwd,
    // Its own configuration file could add any option.
    env: { PATH: process.env['PATH'] ?? '', LANG: 'C.UTF-8' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = new Promise<{ code: number | null; signal: string | null }>((resolve, reject) => {
    child.once('error', reject);
    // Not 'exit': what it complained about may still be in the pipe then.
    child.once('close', (code, signal) => resolve({ code, signal }));
  });
  // Awaited below, after the output; a failed start must not count as unhandled until then.
  exited.catch(() => undefined);
  let stderr = '';
  child.stderr.setEncoding('utf8');
  child.stderr.on('data', (text: string) => {
    if (stderr.length < STDERR_LIMIT) stderr += text;
  });
  const kill = (): void => void child.kill('SIGKILL');
  run.signal.addEventListener('abort', kill, { once: true });
  const splitter = createSplitter(run.separator, PIECE_LIMIT_BYTES);
  let stopped = false;
  try {
    for await (const data of child.stdout as AsyncIterable<Buffer>) {
      stopped = await takeAll(splitter.push(data), run.onPiece);
      if (stopped || run.signal.aborted) break;
    }
    if (!stopped && !run.signal.aborted) stopped = await takeAll(splitter.flush(), run.onPiece);
  } finally {
    if (stopped) kill();
    else if (run.signal.aborted) kill();
    run.signal.removeEventListener('abort', kill);
  }
  const exit = await exited;
  run.signal.throwIfAborted();
  const problems = stderr.trim() === '' ? [] : stderr.trim().split('\n');
  // 0: found, 1: nothing found, 2: an error, with or without results.
  if (!stopped && (exit.code ?? 2) > 1) throwIfFatal(stderr, exit);
  return { stopped, problems, dropped: splitter.dropped };
}

async function takeAll(
  pieces: readonly Buffer[],
  onPiece: RipgrepRun['onPiece'],
): Promise<boolean> {
  for (const piece of pieces) if ((await onPiece(piece)) === 'stop') return true;
  return false;
}

function throwIfFatal(stderr: string, exit: { code: number | null; signal: string | null }): void {
  if (
    /regex parse error|error parsing|invalid regex|regex could not be compiled|compiled regex exceeds|PCRE2: error/i.test(
      stderr,
    )
  ) {
    throw fail.invalidArguments(`/pattern: ${firstWords(stderr)}`, position(stderr));
  }
  if (/error parsing glob|invalid glob|unclosed character class/i.test(stderr)) {
    throw fail.invalidArguments(`/glob: ${firstWords(stderr)}`);
  }
  if (/unrecognized file type/i.test(stderr)) {
    throw fail.invalidArguments(`/type: ${firstWords(stderr)}`);
  }
  if (exit.code === 2 && /Permission denied|No such file|os error/i.test(stderr)) return;
  const how = exit.signal === null ? `exit code ${exit.code}` : `signal ${exit.signal}`;
  throw fail.executionFailed(`ripgrep ended with ${how}: ${firstWords(stderr) || 'no message'}`);
}

function firstWords(stderr: string): string {
  return stderr.trim().slice(0, 1_000);
}

/** Where in the pattern the error is, from the caret under it; counted from 1. */
function position(stderr: string): JsonObject {
  const lines = stderr.split('\n');
  const caret = lines.findIndex((line) => /^\s*\^+\s*$/.test(line));
  const above = lines[caret - 1];
  if (caret < 1 || above === undefined) return {};
  // ripgrep wraps a pattern in a group of its own and shows both.
  const shown = above.trimStart();
  const offset = (lines[caret] ?? '').indexOf('^') - (above.length - shown.length);
  const wrapped = shown.startsWith('(?:') && shown.endsWith(')') ? 3 : 0;
  // An unclosed group is reported at that outer group, which says nothing of where it is.
  return offset < wrapped ? {} : { column: offset - wrapped + 1 };
}
