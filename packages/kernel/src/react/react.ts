// The decision about a failed attempt (RCT-01..10, RTY-01..06): one pure function over the category table. What
// a category means stands in that table, in @tenon/protocol; here is the retry gate on top of it.
import { CATEGORIES, type OperationKind, type ToolErrorCategory } from '@tenon/protocol';
import type { Reaction } from './reaction.js';

/** A failed attempt, as far as the decision needs to know it. */
export interface Failure {
  readonly category: ToolErrorCategory;
  /** As the error says. */
  readonly retryable: boolean;
  readonly kind: OperationKind;
  readonly idempotent: boolean;
  /** The attempt that failed, from 1. */
  readonly attempt: number;
  /** Whether the whole turn is being aborted (RCT-07). */
  readonly turnAborting: boolean;
}

/** What a further attempt may cost. */
export interface RetryBudget {
  readonly maxAttempts: number;
  /** How long the next attempt would wait, in milliseconds. */
  readonly delayMs: number;
  /** What is left of the call's deadline and of the retry time, in milliseconds. */
  readonly remainingMs: number;
}

/** What to do about a failure. */
export function react(failure: Failure, budget: RetryBudget): Reaction {
  switch (CATEGORIES[failure.category].reaction) {
    case 'surface':
      return surface(`${failure.category} is never tried again by the kernel`);
    case 'withhold':
      return failure.turnAborting
        ? surface('the turn itself is being aborted')
        : { type: 'withhold', why: 'a cancelled call is not a failure' };
    case 'retry_serialized':
      // RTY-05: neither idempotent nor retryable is asked; the provider says that it did not run.
      return (
        gate(failure) ?? again('retry_serialized', failure, budget, 'in the way of another call')
      );
    case 'retry_if_retryable':
      return (
        gate(failure) ??
        safetyGate(failure) ??
        again('retry', failure, budget, reasonToRetry(failure))
      );
  }
}

function surface(why: string): Reaction {
  return { type: 'surface', why };
}

/** What forbids any further attempt. */
function gate(failure: Failure): Reaction | undefined {
  if (failure.turnAborting) return surface('the turn is being aborted');
  // RTY-04.
  if (failure.kind === 'interactive') return surface('an interactive call is never tried again');
  return undefined;
}

/** What forbids to run the operation a second time when the first may have had an effect. */
function safetyGate(failure: Failure): Reaction | undefined {
  if (!failure.retryable) return surface('the error says that trying again would not help');
  // RTY-01, RTY-02; RTY-03: a data_source changes nothing, so it may.
  if (failure.kind === 'resource' && !failure.idempotent) {
    return surface('the operation is not idempotent: a second run could do its work twice');
  }
  return undefined;
}

function reasonToRetry(failure: Failure): string {
  return failure.kind === 'data_source'
    ? 'retryable, and a data_source changes nothing'
    : 'retryable, and the operation is idempotent';
}

function again(
  type: 'retry' | 'retry_serialized',
  failure: Failure,
  budget: RetryBudget,
  why: string,
): Reaction {
  if (failure.attempt >= budget.maxAttempts) {
    return surface(`attempt ${failure.attempt} of ${budget.maxAttempts} was the last`);
  }
  if (budget.delayMs >= budget.remainingMs) {
    return surface('the time allowed does not last for another attempt');
  }
  return { type, delayMs: budget.delayMs, why };
}
