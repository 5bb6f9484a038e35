// One command in a shell of its own: started, read, ended. Whatever way it ends, none of its processes is
// left when the promise settles.
import { spawn } from 'node:child_process';
import { MARKER_VARIABLE, newMarker } from '../processes/marker.js';
import { commandOf, startOf } from '../processes/table.js';
import { endTree, processesOf } from '../processes/tree.js';
import { ownerEnvironment } from '../processes/watchdog.js';
import { type Sink, startPump } from './pump.js';

export interface CommandRequest {
  /** What is run, with its arguments: a shell and its `-c`, or a program itself. */
  readonly argv: readonly [string, ...string[]];
  /** Absolute path of a folder that exists. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Milliseconds; absent: as long as it takes. */
  readonly timeoutMs?: number;
  /** Between SIGTERM and SIGKILL, in milliseconds. */
  readonly graceMs: number;
  readonly signal: AbortSignal;
  readonly sink: Sink;
}

/** A process that was still running when its command had ended, and was ended with it. */
export interface LeftBehind {
  readonly pid: number;
  readonly command: string;
}

export interface CommandEnd {
  readonly reason: 'exited' | 'timeout' | 'cancelled';
  /** As a shell would show it: 128 + number for a signal. */
  readonly exitCode: number;
  readonly signal?: string;
  readonly durationMs: number;
  readonly leftBehind: readonly LeftBehind[];
}

/** Rejects with the error of spawn (ENOENT, EACCES …), or with the sink's. */
export async function runCommand(request: CommandRequest): Promise<CommandEnd> {
  const [command, ...args] = request.argv;
  const marker = newMarker();
  const started = performance.now();
  const child = spawn(command, args, {
    cwd: request.cwd,
    env: { ...request.env, ...ownerEnvironment(), [MARKER_VARIABLE]: marker },
    // A session and process group of its own: ended as a whole, without the provider.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>(
    (resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (code, signal) => resolve({ code, signal }));
    },
  );
  const pump = startPump(child.stdout, child.stderr, request.sink);
  if (child.pid === undefined) {
    await Promise.allSettled([pump.ended]);
    await exited;
    throw new Error(`${command} was not started`);
  }
  const root = { pid: child.pid, marker, since: startOf(child.pid) };

  let reason: CommandEnd['reason'] = 'exited';
  let ending: Promise<unknown> | undefined;
  let endingFailure: { error: unknown } | undefined;
  const end = (why: CommandEnd['reason']): void => {
    if (ending !== undefined) return;
    reason = why;
    ending = endTree(root, { graceMs: request.graceMs }).catch((error: unknown) => {
      endingFailure = { error };
    });
  };
  const onAbort = (): void => end('cancelled');
  if (request.signal.aborted) onAbort();
  else request.signal.addEventListener('abort', onAbort, { once: true });
  const timer =
    request.timeoutMs === undefined
      ? undefined
      : setTimeout(() => end('timeout'), request.timeoutMs);
  try {
    const exit = await exited;
    clearTimeout(timer);
    const leftBehind = ending === undefined ? listed(processesOf(root)) : [];
    // Left behind and holding the pipes: its output so far counts, and then it goes.
    await pump.drain();
    await (ending ?? endTree(root, { graceMs: request.graceMs }));
    if (endingFailure !== undefined) throw endingFailure.error;
    const failure = pump.failure();
    if (failure !== undefined && reason === 'exited') throw failure;
    return {
      reason,
      ...status(exit),
      durationMs: Math.round(performance.now() - started),
      leftBehind,
    };
  } finally {
    clearTimeout(timer);
    request.signal.removeEventListener('abort', onAbort);
  }
}

function listed(pids: readonly number[]): LeftBehind[] {
  return pids.map((pid) => ({ pid, command: commandOf(pid) }));
}

const SIGNAL_NUMBERS: Readonly<Record<string, number>> = {
  SIGHUP: 1,
  SIGINT: 2,
  SIGQUIT: 3,
  SIGILL: 4,
  SIGTRAP: 5,
  SIGABRT: 6,
  SIGBUS: 7,
  SIGFPE: 8,
  SIGKILL: 9,
  SIGUSR1: 10,
  SIGSEGV: 11,
  SIGUSR2: 12,
  SIGPIPE: 13,
  SIGALRM: 14,
  SIGTERM: 15,
};

function status(exit: { code: number | null; signal: NodeJS.Signals | null }): {
  exitCode: number;
  signal?: string;
} {
  if (exit.signal === null) return { exitCode: exit.code ?? 0 };
  return { exitCode: 128 + (SIGNAL_NUMBERS[exit.signal] ?? 0), signal: exit.signal };
}

/** The signal that a shell reports by an exit code over 128, such as 139 for SIGSEGV. */
export function signalOfExitCode(code: number): string | undefined {
  return Object.keys(SIGNAL_NUMBERS).find((name) => SIGNAL_NUMBERS[name] === code - 128);
}
