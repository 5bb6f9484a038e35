// Whether this process leads its process group, so that it may end the group with itself.
import { readFileSync } from 'node:fs';

/**
 * Kills everything in this process's group, this process included, if it is the group's leader.
 * For a plugin whose host died: nobody else is left to end the children that it did not end itself.
 * Known on Linux alone; elsewhere, and for a plugin in another's group, nothing happens.
 */
export function killOwnGroup(): void {
  if (process.platform !== 'linux' || !leadsGroup()) return;
  process.kill(-process.pid, 'SIGKILL');
}

function leadsGroup(): boolean {
  try {
    // "pid (name) state ppid pgrp …"; the name may hold spaces and parentheses.
    const stat = readFileSync('/proc/self/stat', 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return Number(fields[2]) === process.pid;
  } catch {
    return false; // No /proc in this sandbox: better leave a child behind than kill a stranger.
  }
}
