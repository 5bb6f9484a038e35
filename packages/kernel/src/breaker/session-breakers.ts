// The breakers of one session, one per provider, made at their first use.
import type { BreakerSettings } from '../config/model.js';
import { type Breaker, type BreakerState, createBreaker } from './breaker.js';

export interface SessionBreakers {
  of(provider: string): Breaker;
}

export interface SessionBreakersOptions {
  readonly settings: BreakerSettings;
  readonly now?: () => number;
  /** For the journal and the observer: told of each change of each provider's breaker, in order. */
  readonly onChange?: (provider: string, state: BreakerState, reason: string) => void;
}

export function createSessionBreakers(options: SessionBreakersOptions): SessionBreakers {
  const { settings, now, onChange } = options;
  const breakers = new Map<string, Breaker>();
  return {
    of(provider) {
      const known = breakers.get(provider);
      if (known !== undefined) return known;
      const breaker = createBreaker({
        provider,
        settings,
        ...(now === undefined ? {} : { now }),
        ...(onChange === undefined
          ? {}
          : { onChange: (state, reason) => onChange(provider, state, reason) }),
      });
      breakers.set(provider, breaker);
      return breaker;
    },
  };
}
