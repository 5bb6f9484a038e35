// The processes of this machine as rows. Linux: read from /proc, with the marker of their environment.
// Elsewhere: from `ps`, without it.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { MARKER_VARIABLE } from './marker.js';

export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** Ended, but not yet reaped by its parent. */
  readonly zombie: boolean;
  /** Clock ticks since the system's start; undefined where that cannot be told. */
  readonly started: number | undefined;
}

const hasProc = existsSync('/proc/self/stat');

/** All processes. One that ends while the table is read may be missing. */
export function processTable(): ProcessRow[] {
  return hasProc ? fromProc() : fromPs();
}

function fromProc(): ProcessRow[] {
  const rows: ProcessRow[] = [];
  for (const name of readdirSync('/proc')) {
    const first = name.charCodeAt(0);
    if (first < 48 || first > 57) continue;
    const row = fromStat(Number(name));
    if (row !== undefined) rows.push(row);
  }
  return rows;
}

function fromStat(pid: number): ProcessRow | undefined {
  const text = readIfThere(`/proc/${pid}/stat`);
  if (text === undefined) return undefined;
  // The name stands in parentheses and may hold anything; the fields start after the last one.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ', 20);
  return {
    pid,
    parent: Number(fields[1]),
    group: Number(fields[2]),
    session: Number(fields[3]),
    zombie: fields[0] === 'Z' || fields[0] === 'X',
    started: Number(fields[19]),
  };
}

/** When a process was started, as in its row; undefined when it is gone or that cannot be told. */
export function startOf(pid: number): number | undefined {
  return hasProc ? fromStat(pid)?.started : undefined;
}

function fromPs(): ProcessRow[] {
  const text = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,pgid=,state='], { encoding: 'utf8' });
  return text.split('\n').flatMap((line) => {
    const [pid, parent, group, state] = line.trim().split(/\s+/);
    if (pid === undefined || state === undefined) return [];
    const row = { pid: Number(pid), parent: Number(parent), group: Number(group), session: 0 };
    return [{ ...row, zombie: state.startsWith('Z'), started: undefined }];
  });
}

/** Whether a process carries this marker in its environment. False where environments cannot be read. */
export function hasMarker(pid: number, marker: string): boolean {
  if (!hasProc) return false;
  const text = readIfThere(`/proc/${pid}/environ`);
  return text?.includes(`${MARKER_VARIABLE}=${marker}`) ?? false;
}

/** The command line of a process for people, cut at 200 characters. */
export function commandOf(pid: number): string {
  const text = hasProc ? readIfThere(`/proc/${pid}/cmdline`) : undefined;
  return (text ?? '').replaceAll('\0', ' ').trim().slice(0, 200);
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    // The process ended since it was listed, or belongs to someone else.
    return undefined;
  }
}
