// How long to wait before the next attempt: exponential, with a random part, so that callers which failed
// together do not come back together.
import type { RetrySettings } from '../config/model.js';

/**
 * Milliseconds before attempt `attempt + 1`. Grows by the factor per attempt, up to `maxTotalMs`; `jitter` is
 * the share of it that is random. `random` gives 0 (inclusive) to 1.
 */
export function backoffMs(
  attempt: number,
  settings: Pick<RetrySettings, 'baseMs' | 'factor' | 'jitter' | 'maxTotalMs'>,
  random: () => number = Math.random,
): number {
  const grown = settings.baseMs * settings.factor ** (attempt - 1);
  const full = Math.min(grown, settings.maxTotalMs);
  return Math.round(full * (1 - settings.jitter * random()));
}
