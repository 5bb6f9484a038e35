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
  for folder in /proc/[0-9]*; do
    if grep -qa "${OWNER_VARIABLE}=$1" "$folder/environ" 2>/dev/null; then
      found=1
      kill -9 "\${folder#/proc/}" 2>/dev/null
    fi
  done
  [ $found = 0 ] && exit 0
  round=$((round + 1))
done
`;

/**
 * The variable for the environment of a command; starts the watchdog on the first use. Without /proc
 * (not Linux) there is none, and only the kernel's end of the provider's process group remains.
 */
export function ownerEnvironment(): Record<string, string> {
  if (process.platform === 'linux' && watchdog === undefined) {
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
  return { [OWNER_VARIABLE]: owner };
}
