// Everything that a command started, and its end: found by marker, parent, group and session, and killed
// until none is left.
import { setTimeout as delay } from 'node:timers/promises';
import { hasMarker, type ProcessRow, processTable } from './table.js';

/** What is known of a command's processes. */
export interface TreeRoot {
  /** The shell, if it is the command's own: it leads a process group and a session. */
  readonly pid?: number;
  readonly marker: string;
  /** When the first of them was started, in the clock of the process table: older ones are not looked at. */
  readonly since?: number | undefined;
}

/** Pids of all living processes of the command, the shell included while it lives. */
export function processesOf(
  root: TreeRoot,
  table: readonly ProcessRow[] = processTable(),
): number[] {
  const found = new Set<number>();
  const belongs = (row: ProcessRow): boolean =>
    row.pid === root.pid ||
    row.group === root.pid ||
    row.session === root.pid ||
    found.has(row.parent) ||
    hasMarker(row.pid, root.marker);
  // A child can be listed before its parent: go on until a pass finds nothing new.
  for (let grown = true; grown; ) {
    grown = false;
    for (const row of table) {
      if (row.zombie || found.has(row.pid) || row.pid === process.pid) continue;
      if (row.started !== undefined && row.started < (root.since ?? 0)) continue;
      if (!belongs(row)) continue;
      found.add(row.pid);
      grown = true;
    }
  }
  return [...found];
}

/** Sends a signal; a process that is gone is no error. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

const POLL_MS = 10;
// A fork bomb is frozen before it is killed, so a few rounds are enough; this many is a bug or a stuck kernel.
const MAX_ROUNDS = 200;

/**
 * Ends the whole tree: SIGTERM, `graceMs` to obey, then SIGKILL in rounds until a look finds nobody.
 * `keep` spares one process (a session's shell). Resolves to how many were killed the hard way.
 * Rejects when processes remain that cannot be killed, and names them.
 */
export async function endTree(
  root: TreeRoot,
  { graceMs, keep }: { graceMs: number; keep?: number },
): Promise<{ killed: number }> {
  const others = (): number[] => processesOf(root).filter((pid) => pid !== keep);
  const hardest = new Set<number>();
  let alive = others();
  if (alive.length === 0) return { killed: 0 };
  for (const pid of alive) signal(pid, 'SIGTERM');
  const deadline = performance.now() + graceMs;
  while (performance.now() < deadline) {
    alive = others();
    if (alive.length === 0) return { killed: 0 };
    await delay(POLL_MS);
  }
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    alive = others();
    if (alive.length === 0) return { killed: hardest.size };
    // Stopped first, so that none of them can fork while the others are being killed.
    for (const pid of alive) signal(pid, 'SIGSTOP');
    for (const pid of others()) {
      hardest.add(pid);
      signal(pid, 'SIGKILL');
    }
    await delay(POLL_MS);
  }
  throw new Error(`processes ${alive.join(', ')} do not end, not even by SIGKILL`);
}
