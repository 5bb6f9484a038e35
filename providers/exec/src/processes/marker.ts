// How the processes of one command are known again: a variable in their environment. It goes on to every
// child, also to one that made its own session or whose parents are gone; process groups and parent ids do
// not. A program that clears its environment is found by its parent or group while those live.
import { randomBytes } from 'node:crypto';

/** Name of the variable. Its value is unique per command or per shell session. */
export const MARKER_VARIABLE = 'TENON_EXEC_MARK';

/** A new value. */
export function newMarker(): string {
  return randomBytes(16).toString('hex');
}
