// What is left of processes and file descriptors. Reads /proc where there is one, asks `ps` elsewhere.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** Whether a process runs. A zombie, which only waits for its parent, counts as ended. */
export function processAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  return stateOf(pid) !== 'Z';
}

/** Pids of the direct children of a process that run, zombies left out. */
export function childrenOf(pid: number): number[] {
  return table()
    .filter((row) => row.parent === pid && row.state !== 'Z')
    .map((row) => row.pid);
}

/** Pids of all processes below a process, zombies left out. One whose parent died is not found. */
export function descendantsOf(pid: number): number[] {
  const rows = table();
  const found: number[] = [];
  const queue = [pid];
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    for (const row of rows) {
      if (row.parent !== next) continue;
      queue.push(row.pid);
      if (row.state !== 'Z') found.push(row.pid);
    }
  }
  return found;
}

/** What each open file descriptor of a process is, such as "socket:[123]" or a path. Linux alone; else []. */
export function openFds(pid: number = process.pid): string[] {
  const folder = `/proc/${pid}/fd`;
  if (!existsSync(folder)) return [];
  const targets: string[] = [];
  for (const fd of readdirSync(folder)) {
    try {
      targets.push(readlinkSync(`${folder}/${fd}`));
    } catch {
      // Closed since the folder was read, such as the descriptor of that reading itself.
    }
  }
  return targets;
}

interface Row {
  readonly pid: number;
  readonly parent: number;
  readonly state: string;
}

function table(): Row[] {
  if (!existsSync('/proc/self/stat')) {
    const text = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,state='], { encoding: 'utf8' });
    return text.split('\n').flatMap((line) => {
      const [pid, parent, state] = line.trim().split(/\s+/);
      if (pid === undefined || parent === undefined || state === undefined) return [];
      return [{ pid: Number(pid), parent: Number(parent), state: state.charAt(0) }];
    });
  }
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    const row = rowOf(Number(name));
    return row === undefined ? [] : [row];
  });
}

function rowOf(pid: number): Row | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name stands in parentheses and may hold anything, so the fields start after the last one.
    const [state, parent] = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { pid, parent: Number(parent), state: state ?? '?' };
  } catch {
    // Ended since the table was listed.
    return undefined;
  }
}

function stateOf(pid: number): string | undefined {
  return existsSync('/proc/self/stat')
    ? rowOf(pid)?.state
    : table().find((row) => row.pid === pid)?.state;
}
