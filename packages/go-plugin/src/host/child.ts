// One plugin process from spawn to exit: its group, its pipes, how it ended. It knows nothing of
// what is spoken with it.
import { type ChildProcess, spawn } from 'node:child_process';
import type { PluginOutput, ProcessExit, SpawnCommand } from '../types.js';
import { type FirstLine, firstLineReader } from './first-line.js';
import { type OutputTail, outputTail } from './output-tail.js';
import { signalGroup, usesGroups } from './process-group.js';

// After the process is gone its pipes close at once, unless something that left the group has them.
const PIPE_GRACE_MS = 250;

/** A spawned plugin. */
export interface Child {
  readonly pid: number;
  readonly firstLine: Promise<FirstLine>;
  /** Never rejects. By then the whole process group has been killed and the pipes are closed. */
  readonly exited: Promise<ProcessExit>;
  readonly stderr: OutputTail;
  readonly stdoutClosed: Promise<void>;
  /** From now on an exit is what we asked for. */
  expectExit(): void;
  signal(signal: NodeJS.Signals): void;
}

/** Spawns. Rejects with Node's spawn error (`code` ENOENT, EACCES, …). */
export function spawnChild(
  command: SpawnCommand,
  cwd: string | undefined,
  onOutput: (output: PluginOutput) => void,
): Promise<Child> {
  return new Promise((resolve, reject) => {
    const child = spawn(command.command, command.args, {
      env: command.env,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: usesGroups,
      windowsHide: true,
      ...(cwd !== undefined && { cwd }),
    });
    // Listeners come before the first event can, or early output would be lost.
    const running = watch(child, onOutput);
    child.once('error', reject);
    child.once('spawn', () => {
      child.removeListener('error', reject);
      // Later errors are about signals that could not be delivered; the exit tells the rest.
      child.on('error', () => {});
      resolve(running(child.pid as number));
    });
  });
}

function watch(
  child: ChildProcess,
  onOutput: (output: PluginOutput) => void,
): (pid: number) => Child {
  const stderr = outputTail();
  let expected = false;
  const first = firstLineReader((data) => {
    onOutput({ source: 'pipe', stream: 'stdout', data });
  });
  child.stdout?.on('data', (data: Buffer) => first.write(data));
  const stdoutClosed = new Promise<void>((resolve) => {
    child.stdout?.once('close', () => {
      first.end();
      resolve();
    });
  });
  child.stderr?.on('data', (data: Buffer) => {
    stderr.write(data);
    onOutput({ source: 'pipe', stream: 'stderr', data });
  });
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const exited = new Promise<ProcessExit>((resolve) => {
    child.once('exit', (code, signal) => {
      // Children that the plugin left in its group go with it.
      if (usesGroups && child.pid !== undefined) signalGroup(child.pid, 'SIGKILL');
      const wasExpected = expected;
      const ended = async (): Promise<ProcessExit> => {
        await settle(closed, child);
        return { code, signal, stderrTail: stderr.lines(), expected: wasExpected };
      };
      resolve(ended());
    });
  });
  return (pid) => ({
    pid,
    firstLine: first.result,
    exited,
    stderr,
    stdoutClosed,
    expectExit: () => {
      expected = true;
    },
    signal: (signal) => {
      if (child.exitCode === null && child.signalCode === null) signalGroup(pid, signal);
    },
  });
}

async function settle(closed: Promise<void>, child: ChildProcess): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const grace = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, PIPE_GRACE_MS);
  });
  await Promise.race([closed, grace]);
  clearTimeout(timer);
  child.stdout?.destroy();
  child.stderr?.destroy();
}
