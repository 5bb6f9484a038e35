// How long a provider that keeps dying is left alone before it is started again: a first crash costs nothing, a
// series of them slows down, so that a provider that cannot start does not spin. Pure.
import { backoffMs } from '../react/backoff.js';

const SETTINGS = { baseMs: 100, factor: 2, jitter: 0.25, maxTotalMs: 10_000 };

/** Milliseconds to wait after `failures` starts in a row that came to nothing. */
export function restartDelayMs(failures: number, random?: () => number): number {
  return failures < 2 ? 0 : backoffMs(failures - 1, SETTINGS, random);
}
