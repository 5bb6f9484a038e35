// Whether the kernel that wrote a session still lives. A process id alone comes again; together with the
// moment at which the process started it does not.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** What tells one process of this machine from every other: "PID:START", START empty where it is not known. */
export function ownerOf(pid: number): string {
  return `${pid}:${startOf(pid) ?? ''}`;
}

/** Whether the process of that mark still runs. */
export function ownerLives(owner: string): boolean {
  const [pidText = '', start = ''] = owner.split(':', 2);
  const pid = Number(pidText);
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  const now = startOf(pid);
  return start === '' || now === undefined || now === start;
}

/** What no later process of the same id has; undefined where the system does not tell. */
function startOf(pid: number): string | undefined {
  if (existsSync('/proc/self/stat')) return startByProc(pid);
  return process.platform === 'win32' ? undefined : startByPs(pid);
}

/** Boot id, and the clock tick at which the process started. */
function startByProc(pid: number): string {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may hold anything; state is the first field after it, the start the 20th.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return 'ended';
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${fields[19]}@${boot}`;
  } catch {
    // It has ended.
    return 'ended';
  }
}

/** The second at which the process started, without blanks. */
function startByPs(pid: number): string | undefined {
  try {
    const text = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], {
      encoding: 'utf8',
      env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return text.trim().replaceAll(/[\s:]+/g, '-');
  } catch {
    // `ps` fails for a process that has ended.
    return 'ended';
  }
}
