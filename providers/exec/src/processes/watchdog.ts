// Ends the commands of a provider that was killed itself. A provider cannot clean up after SIGKILL, so a
// small shell waits at a pipe: when its other end is gone, it kills every process with the provider's mark.
import { type ChildProcess, spawn } from 'node:child_process';
import { newMarker } from './marker.js';

/** Name of the variable that all commands of this provider process carry. */
export const OWNER_VARIABLE = 'TENON_EXEC_OWNER';
const owner = newMarker();

let watchdog: ChildProcess | undefined;

// `read` returns when the provider's end of the pipe is closed, for whatever reason. Rounds, as a process
// may fork while it is being killed. The shell's own environment does not hold the mark.
const SCRIPT = `
trap '' INT TERM HUP
read -r line
round=0
while [ $round -lt 20 ]; do
  found=0
  for file in $(grep -la "${OWNER_VARIABLE}=$1" /proc/[0-9]*/environ 2>/dev/null); do
    pid="\${file#/proc/}"
    kill -9 "\${pid%/environ}" 2>/dev/null && found=1
  done
  [ $found = 0 ] && exit 0
  round=$((round + 1))
done
`;

/** Starts it, unless it runs. Without /proc (not Linux) there is none. */
export function startWatchdog(): void {
  if (process.platform !== 'linux' || watchdog !== undefined) return;
  watchdog = spawn('/bin/sh', ['-c', SCRIPT, 'tenon-exec-watchdog', owner], {
    // Its own session: the kernel kills the provider's process group, and the watchdog must outlive that.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { PATH: '/usr/bin:/bin' },
    cwd: '/',
  });
  watchdog.on('error', () => {
    // Commands run without it; the kernel still kills the provider's process group.
    watchdog = undefined;
  });
  watchdog.on('exit', () => {
    watchdog = undefined;
  });
  watchdog.unref();
  (watchdog.stdin as unknown as { unref(): void }).unref();
}

/** The variable for the environment of a command, by which the watchdog knows it. */
export function ownerEnvironment(): Record<string, string> {
  startWatchdog();
  return { [OWNER_VARIABLE]: owner };
}
