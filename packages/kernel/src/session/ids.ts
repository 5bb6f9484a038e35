// Ids of sessions, turns, calls and events: ULIDs. The library draws each of their sixteen random characters from
// the system by itself, which costs more than all else that a call needs; here they come from a pool.
import { randomFillSync } from 'node:crypto';
import { ulid } from 'ulid';

const pool = Buffer.alloc(4_096);
let used = pool.length;

/** From 0 (inclusive) to 1, as strong as the system's own randomness. */
function random(): number {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  return (pool[used++] ?? 0) / 256;
}

/** A new ULID. */
export function newId(): string {
  return ulid(undefined, random);
}
