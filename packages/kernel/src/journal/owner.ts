// Whether the kernel that wrote a session still lives. A process id alone comes again; together with the
// moment at which the process started it does not.
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

/** Boot id and clock tick of the start, on Linux; undefined elsewhere, and for a process that has ended. */
function startOf(pid: number): string | undefined {
  if (!existsSync('/proc/self/stat')) return undefined;
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
