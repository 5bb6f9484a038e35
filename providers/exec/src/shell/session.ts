// A shell that lives on between calls: cd, exports, functions and background jobs persist. Commands reach it
// through a pipe of its own (fd 3) and their results through another (fd 4); a command's stdin is empty.
import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { MARKER_VARIABLE, newMarker } from '../processes/marker.js';
import { startOf } from '../processes/table.js';
import { endTree, processesOf } from '../processes/tree.js';
import { ownerEnvironment } from '../processes/watchdog.js';
import { createBoundary } from '../output/utf8-boundary.js';
import { createMarkedReader } from './marked-reader.js';
import type { CommandEnd } from './run.js';
import type { Sink, StreamName } from './pump.js';

// Reads three NUL-terminated fields per command: the mark to print at its end, the mark of its processes, the
// command. `eval` keeps what the command changes in the shell itself. The names are unlikely to be used.
const DRIVER = `
while IFS= read -r -d '' -u 3 __tenon_end && IFS= read -r -d '' -u 3 __tenon_mark && IFS= read -r -d '' -u 3 __tenon_command; do
  export ${MARKER_VARIABLE}="$__tenon_mark"
  eval "$__tenon_command" </dev/null 3<&- 4>&-
  __tenon_status=$?
  printf '%s' "$__tenon_end"
  printf '%s' "$__tenon_end" >&2
  printf '%s %s\\0' "$__tenon_status" "$PWD" >&4
done
`;

// Output of background jobs between two commands: kept up to here, shown with the next command.
const BETWEEN_BYTES = 64 * 1024;

export interface SessionCommand {
  readonly command: string;
  readonly timeoutMs?: number;
  readonly graceMs: number;
  readonly signal: AbortSignal;
  readonly sink: Sink;
}

export interface SessionEnd extends Omit<CommandEnd, 'leftBehind'> {
  /** Where the shell stands now; absent when it ended. */
  readonly cwd?: string;
  /** Whether the shell itself is gone, and with it its state: `exit`, a crash, or a kill. */
  readonly closed: boolean;
}

export interface ShellSession {
  readonly pid: number;
  readonly closed: boolean;
  /** One command at a time; the caller waits for one before it starts the next. */
  run(command: SessionCommand): Promise<SessionEnd>;
  /** How many background processes live in it. */
  jobs(): number;
  /** Ends the shell and everything in it. */
  close(graceMs: number): Promise<void>;
}

/** Starts a session. Rejects with the error of spawn. */
export async function openSession(options: {
  readonly shell: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}): Promise<ShellSession> {
  const marker = newMarker();
  const owner = ownerEnvironment();
  const child = spawn(options.shell, ['-c', DRIVER], {
    cwd: options.cwd,
    env: { ...options.env, ...owner, [MARKER_VARIABLE]: marker },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'],
  });
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', reject);
  });
  return sessionOf(child, child.pid as number, marker);
}

interface Running {
  take(stream: StreamName, data: Uint8Array): Promise<void>;
  finished(status: number, cwd: string): void;
  ended(): void;
}

function sessionOf(child: ChildProcess, pid: number, marker: string): ShellSession {
  const since = startOf(pid);
  const root = { pid, marker, since };
  const commands = child.stdio[3] as Writable;
  const results = child.stdio[4] as Readable;
  let closed = false;
  let exit: { code: number | null; signal: NodeJS.Signals | null } | undefined;
  let running: Running | undefined;
  const between: { stream: StreamName; data: Buffer }[] = [];
  let betweenBytes = 0;
  // Of the last commands, whose background jobs may still run: each carries its own mark.
  const marks = new Set<string>([marker]);

  const keepForLater = (stream: StreamName, data: Uint8Array): void => {
    const part = Buffer.from(data.subarray(0, Math.max(0, BETWEEN_BYTES - betweenBytes)));
    betweenBytes += part.length;
    if (part.length > 0) between.push({ stream, data: part });
  };

  const read = async (stream: StreamName, source: Readable): Promise<void> => {
    for await (const data of source as AsyncIterable<Uint8Array>) {
      if (running === undefined) keepForLater(stream, data);
      else await running.take(stream, data);
    }
  };
  const gone = new Promise<void>((resolve) => {
    child.once('exit', (code, signal) => {
      closed = true;
      exit = { code, signal };
      running?.ended();
      resolve();
    });
  });
  // A pipe that breaks is the shell's end, which 'exit' reports.
  commands.on('error', () => {});
  const readers = Promise.allSettled([
    read('stdout', child.stdout as Readable),
    read('stderr', child.stderr as Readable),
  ]);
  let pendingResult = '';
  results.on('data', (data: Buffer) => {
    pendingResult += data.toString('utf8');
    const end = pendingResult.indexOf('\0');
    if (end < 0) return;
    const [status = '0', ...cwd] = pendingResult.slice(0, end).split(' ');
    pendingResult = pendingResult.slice(end + 1);
    running?.finished(Number(status), cwd.join(' '));
  });

  async function endAll(graceMs: number): Promise<void> {
    for (const mark of marks) await endTree({ marker: mark, since }, { graceMs });
    await endTree(root, { graceMs });
    await gone;
    child.stdout?.destroy();
    child.stderr?.destroy();
    await readers;
  }

  async function run(request: SessionCommand): Promise<SessionEnd> {
    const started = performance.now();
    const endMark = `\u0001${newMarker()}\u0001`;
    const callMark = newMarker();
    marks.add(callMark);
    const streams = {
      stdout: { reader: createMarkedReader(endMark), boundary: createBoundary(), done: false },
      stderr: { reader: createMarkedReader(endMark), boundary: createBoundary(), done: false },
    };
    let turn = Promise.resolve();
    let failed: { error: unknown } | undefined;
    let result: { status: number; cwd: string } | undefined;
    let settle: () => void = () => {};
    const settled = new Promise<void>((resolve) => {
      settle = resolve;
    });
    const check = (): void => {
      if (exit !== undefined) settle();
      else if (result !== undefined && streams.stdout.done && streams.stderr.done) settle();
    };
    const pass = (stream: StreamName, data: Uint8Array): Promise<void> => {
      turn = turn
        .then(() =>
          failed === undefined && data.length > 0 ? request.sink(stream, data) : undefined,
        )
        .catch((error: unknown) => {
          failed ??= { error };
        });
      return turn;
    };
    running = {
      async take(stream, data) {
        const state = streams[stream];
        if (state.done) {
          keepForLater(stream, data);
          return;
        }
        const { output, done, rest } = state.reader.push(data);
        await pass(stream, state.boundary.push(output));
        if (!done) return;
        await pass(stream, state.boundary.flush());
        state.done = true;
        if (rest.length > 0) keepForLater(stream, rest);
        check();
      },
      finished(status, cwd) {
        result = { status, cwd };
        check();
      },
      ended: check,
    };

    let reason: CommandEnd['reason'] = 'exited';
    let ending: Promise<void> | undefined;
    const end = (why: CommandEnd['reason']): void => {
      if (ending !== undefined) return;
      reason = why;
      ending = stopCommand(callMark, request.graceMs, settled).catch((error: unknown) => {
        failed ??= { error };
        settle();
      });
    };
    const onAbort = (): void => end('cancelled');
    request.signal.addEventListener('abort', onAbort, { once: true });
    const timer =
      request.timeoutMs === undefined
        ? undefined
        : setTimeout(() => end('timeout'), request.timeoutMs);
    try {
      const earlier = between.splice(0);
      betweenBytes = 0;
      for (const { stream, data } of earlier) await pass(stream, data);
      commands.write(`${endMark}\0${callMark}\0${request.command.replaceAll('\0', '')}\0`);
      if (request.signal.aborted) onAbort();
      check();
      await settled;
      await (ending ?? Promise.resolve());
      await turn;
    } finally {
      running = undefined;
      clearTimeout(timer);
      request.signal.removeEventListener('abort', onAbort);
      if (processesOf({ marker: callMark, since }).length === 0) marks.delete(callMark);
    }
    if (closed) await endAll(request.graceMs);
    if (failed !== undefined && reason === 'exited') throw failed.error;
    return {
      reason,
      exitCode: result?.status ?? exit?.code ?? 128,
      ...(exit?.signal ? { signal: exit.signal } : {}),
      durationMs: Math.round(performance.now() - started),
      closed,
      ...(result === undefined || closed ? {} : { cwd: result.cwd }),
    };
  }

  /** Ends the running command alone; if the shell does not come back, the whole session. */
  async function stopCommand(
    callMark: string,
    graceMs: number,
    settled: Promise<void>,
  ): Promise<void> {
    await endTree({ marker: callMark, since }, { graceMs });
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<'late'>((resolve) => {
      timer = setTimeout(() => resolve('late'), graceMs);
    });
    const came = await Promise.race([settled.then(() => 'settled' as const), late]);
    clearTimeout(timer);
    // A loop of builtins has no process of its own to end.
    if (came === 'late') await endAll(graceMs);
  }

  return {
    pid,
    get closed() {
      return closed;
    },
    run,
    jobs: () => {
      const found = new Set<number>();
      for (const mark of marks) {
        for (const one of processesOf({ marker: mark, since })) if (one !== pid) found.add(one);
      }
      return found.size;
    },
    close: endAll,
  };
}
