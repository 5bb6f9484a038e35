// What a process has: children, open files, memory. Reads /proc; elsewhere nothing can be said.
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';

export const hasProc: boolean = existsSync('/proc/self/stat');

export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  readonly state: string;
  readonly command: string;
}

/** All processes that run, zombies left out. */
export function processTable(): ProcessRow[] {
  if (!hasProc) return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readRow(Number(name)) ?? [])
    .filter((row) => row.state !== 'Z' && row.state !== 'X');
}

function readRow(pid: number): ProcessRow | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name stands in parentheses and may hold anything.
    const close = text.lastIndexOf(')');
    const [state = '?', parent, group, session] = text.slice(close + 2).split(' ');
    return {
      pid,
      parent: Number(parent),
      group: Number(group),
      session: Number(session),
      state,
      command: text.slice(text.indexOf('(') + 1, close),
    };
  } catch {
    return undefined; // Ended since the folder was listed.
  }
}

export function isAlive(pid: number): boolean {
  if (hasProc) {
    const row = readRow(pid);
    return row !== undefined && row.state !== 'Z' && row.state !== 'X';
  }
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false; // No such process.
  }
}

/** The processes below one, itself left out. */
export function descendants(root: number): ProcessRow[] {
  const rows = processTable();
  const found: ProcessRow[] = [];
  const queue = [root];
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    for (const row of rows) {
      if (row.parent !== next || found.includes(row)) continue;
      found.push(row);
      queue.push(row.pid);
    }
  }
  return found;
}

/**
 * The processes that carry a mark in their environment, whoever their parent is by now. The mark is put into
 * the provider's environment at its launch, and children inherit it.
 */
export function marked(mark: string): ProcessRow[] {
  return processTable().filter((row) => {
    try {
      return readFileSync(`/proc/${row.pid}/environ`).includes(mark);
    } catch {
      return false; // Ended, or another user's.
    }
  });
}

export interface Footprint {
  readonly fds: number;
  /** Resident memory, in bytes. */
  readonly memory: number;
  readonly children: number;
}

export function footprint(pid: number): Footprint | undefined {
  if (!hasProc) return undefined;
  try {
    const fds = readdirSync(`/proc/${pid}/fd`).length;
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const memory = Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024;
    return { fds, memory, children: descendants(pid).length };
  } catch {
    return undefined; // Ended.
  }
}

/** What the open descriptors of a process lead to; those that were closed meanwhile are left out. */
export function openFiles(pid: number): string[] {
  if (!hasProc) return [];
  try {
    return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
      try {
        return [readlinkSync(`/proc/${pid}/fd/${fd}`)];
      } catch {
        return []; // Closed meanwhile.
      }
    });
  } catch {
    return []; // Ended.
  }
}
