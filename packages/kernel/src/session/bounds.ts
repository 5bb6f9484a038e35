// The bounds of a session: turns, wall-clock time, cost. Each is checked on its own, before a turn runs. Pure.
import type { Bounds } from '../config/model.js';
import type { TurnEnd } from '../api.js';

export interface BoundsState {
  /** Turns run so far. */
  readonly turns: number;
  readonly elapsedMs: number;
  readonly costUsd: number;
}

/** The bound that the next turn would break, if any. */
export function brokenBound(
  bounds: Bounds,
  state: BoundsState,
): Extract<TurnEnd, { reason: 'bound' }> | undefined {
  const end = (bound: 'max_turns' | 'wall_clock' | 'cost', what: string) =>
    ({
      reason: 'bound',
      bound,
      message: `${what}; no more tools are run in this session: give a final answer without them`,
    }) as const;
  if (bounds.maxTurns !== undefined && state.turns >= bounds.maxTurns) {
    return end('max_turns', `the limit of ${bounds.maxTurns} turns is reached`);
  }
  if (bounds.wallClockMs !== undefined && state.elapsedMs >= bounds.wallClockMs) {
    return end('wall_clock', `the session has run for its limit of ${bounds.wallClockMs} ms`);
  }
  if (bounds.costUsd !== undefined && state.costUsd >= bounds.costUsd) {
    return end('cost', `the session has cost its limit of ${bounds.costUsd} USD`);
  }
  return undefined;
}
