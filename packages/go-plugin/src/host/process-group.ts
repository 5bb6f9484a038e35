// Signals to a plugin and everything it started, and the promise that none of it outlives this host.
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';

const onWindows = process.platform === 'win32';

/** Whether plugins are started as leaders of process groups of their own. */
export const usesGroups = !onWindows;

/**
 * Signals the whole group that `pid` leads. Nothing happens when none of it is left. On Windows
 * every signal ends the tree of processes, there is nothing gentler.
 */
export function signalGroup(pid: number, signal: NodeJS.Signals): void {
  if (onWindows) {
    spawn('taskkill', ['/T', '/F', '/PID', String(pid)], { stdio: 'ignore', windowsHide: true })
      // taskkill is part of Windows; where it cannot be run the leader at least is ended.
      .on('error', () => signalOne(pid, signal))
      .unref();
    return;
  }
  signalOne(-pid, signal);
}

function signalOne(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // ESRCH: already gone, which is what was wanted. EPERM: on macOS, a group of zombies.
    const code = (error as NodeJS.ErrnoException).code;
    if (code !== 'ESRCH' && code !== 'EPERM') throw error;
  }
}

/** What is to be removed when this process exits without having stopped its plugins. */
export interface Remains {
  readonly pid: number;
  readonly dir: string | undefined;
}

const live = new Set<Remains>();
let hooked = false;

/** Registers a plugin; the returned function strikes it off again. */
export function guardAgainstExit(remains: Remains): () => void {
  live.add(remains);
  if (!hooked) {
    hooked = true;
    process.on('exit', () => {
      for (const { pid, dir } of live) {
        signalGroup(pid, 'SIGKILL');
        if (dir !== undefined) rmSync(dir, { recursive: true, force: true });
      }
    });
  }
  return () => {
    live.delete(remains);
  };
}
