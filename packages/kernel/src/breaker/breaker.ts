// The circuit breaker of one provider in one session (BRK-01, RCT-09): a pure state machine over outcomes
// and times. Denials and crashes count on the same counter. It decides and tells; who is refused, journaled
// or shown is for others.
import type { BreakerSettings } from '../config/model.js';

/** What happened to one call, as far as the breaker cares. */
export type BreakerSignal =
  /** The provider did its job, also when its answer was an error of the operation's own. */
  | { readonly type: 'good' }
  /** Nothing can be said of the provider: timeouts, cancellations, unknown errors. */
  | { readonly type: 'neutral' }
  | { readonly type: 'denied'; readonly reason: string }
  /**
   * `incarnation`: which start of the provider died, so that all calls that one death takes count once; absent
   * when it could not be started.
   */
  | { readonly type: 'crashed'; readonly reason: string; readonly incarnation?: number };

export type BreakerState = 'closed' | 'open' | 'half_open';

export type BreakerVerdict =
  | { readonly open: false }
  | {
      readonly open: true;
      /** For the model and for people: why, and when it will be tried again. */
      readonly reason: string;
      /** Milliseconds since the epoch; when one call is let through again. */
      readonly closesAt: number;
    };

/** Told of each change, in order. */
export type BreakerListener = (state: BreakerState, reason: string) => void;

export interface Breaker {
  state(): BreakerState;
  /** Whether a call would be refused now. Changes nothing. */
  check(): BreakerVerdict;
  /**
   * Like `check`, for a call that is about to run: after the cooldown it takes the one trial that is
   * allowed. Whoever was admitted records what became of the call.
   */
  admit(): BreakerVerdict;
  record(signal: BreakerSignal): void;
}

export interface BreakerOptions {
  readonly provider: string;
  readonly settings: BreakerSettings;
  /** Milliseconds since the epoch; default the system's clock. */
  readonly now?: () => number;
  readonly onChange?: BreakerListener;
}

/** A closed breaker. */
export function createBreaker(options: BreakerOptions): Breaker {
  const { provider, settings, onChange } = options;
  const now = options.now ?? Date.now;
  let state: BreakerState = 'closed';
  let streak = 0;
  /** The last outcomes that said something, true for bad ones. */
  let window: boolean[] = [];
  let openedAt = 0;
  let why = '';
  let trialRunning = false;
  let lastCrash = 0;

  function change(next: BreakerState, reason: string): void {
    state = next;
    onChange?.(next, reason);
  }

  function open(reason: string): void {
    openedAt = now();
    why = reason;
    trialRunning = false;
    change('open', reason);
  }

  function close(): void {
    streak = 0;
    window = [];
    trialRunning = false;
    change('closed', `a call of ${provider} went well again`);
  }

  function push(isBad: boolean): void {
    window.push(isBad);
    if (window.length > settings.windowSize) window.shift();
  }

  function bad(reason: string): void {
    streak++;
    push(true);
    if (state === 'half_open') {
      open(`the trial call of ${provider} went wrong as well: ${reason}`);
      return;
    }
    if (state === 'open') return;
    const inWindow = window.filter(Boolean).length;
    if (streak >= settings.consecutive) {
      open(`${streak} calls of ${provider} in a row were denied or crashed; the last: ${reason}`);
    } else if (inWindow >= settings.windowBad) {
      open(
        `${inWindow} of the last ${window.length} calls of ${provider} were denied or crashed; the last: ${reason}`,
      );
    }
  }

  function refusal(): BreakerVerdict {
    const closesAt = openedAt + settings.cooldownMs;
    if (state === 'closed') return { open: false };
    if (state === 'half_open') {
      if (!trialRunning) return { open: false };
      return {
        open: true,
        closesAt: now(),
        reason: `Provider ${provider} is being tried out again with one call; ask again when that has ended. (${why})`,
      };
    }
    const left = closesAt - now();
    if (left <= 0) return { open: false };
    return {
      open: true,
      closesAt,
      reason:
        `Calls to provider ${provider} are suspended in this session: ${why}. ` +
        `One call will be let through again in ${Math.ceil(left / 1000)} s, at ${new Date(closesAt).toISOString()}; until then go on without it.`,
    };
  }

  return {
    state: () => state,
    check: refusal,
    admit() {
      const verdict = refusal();
      if (verdict.open || state === 'closed') return verdict;
      if (state === 'open') change('half_open', `the pause of provider ${provider} is over`);
      trialRunning = true;
      return verdict;
    },
    record(signal) {
      switch (signal.type) {
        case 'neutral':
          trialRunning = false;
          return;
        case 'good':
          if (state === 'half_open') close();
          if (state !== 'closed') return;
          streak = 0;
          push(false);
          return;
        case 'denied':
          bad(signal.reason);
          return;
        case 'crashed':
          trialRunning = false;
          if (signal.incarnation !== undefined) {
            if (signal.incarnation <= lastCrash) return;
            lastCrash = signal.incarnation;
          }
          bad(signal.reason);
          return;
      }
    },
  };
}
