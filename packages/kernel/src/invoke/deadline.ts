// How long a call may take (TMO-02). The deadline is for the call as a whole, all its attempts and the pauses
// between them; it starts when the call holds its locks and its provider runs. Progress does not extend it: it
// is the ceiling, so that an operation which needs longer says so, or its operator does.
import type { Operation } from '@tenon/protocol';
import type { ProviderConfig } from '../config/model.js';

/** The longest that a timer of Node can wait: about 24 days. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Milliseconds: the caller's override, else the operator's for this operation, else what the operation declares,
 * else the kernel's default. Zero and less is nobody's deadline and is passed over.
 */
export function deadlineMs(
  operation: Operation,
  config: Pick<ProviderConfig, 'timeoutsMs'>,
  defaultMs: number,
  override?: number,
): number {
  const operators = Object.hasOwn(config.timeoutsMs, operation.name)
    ? config.timeoutsMs[operation.name]
    : undefined;
  for (const ms of [override, operators, operation.defaultTimeoutMs]) {
    if (ms !== undefined && ms > 0) return Math.min(ms, MAX_TIMER_MS);
  }
  return Math.min(defaultMs, MAX_TIMER_MS);
}
