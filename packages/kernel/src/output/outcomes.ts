// From how the attempts ended to the outcome that model, journal and program see.
import type { PreparedCall } from '../call.js';
import type { AttemptsEnd } from '../invoke/attempts.js';
import type { CallOutcome } from '../outcome.js';

/** The outcome of a call that ran. */
export function outcomeOf(
  prepared: PreparedCall,
  ended: AttemptsEnd,
  durationMs: number,
): CallOutcome {
  const { result } = ended;
  const base = {
    ...describe(prepared),
    attempts: ended.attempts,
    durationMs,
    ...(result.exitStatus === undefined ? {} : { exitStatus: result.exitStatus }),
  };
  if (result.status === 'ok') {
    return { ...base, partial: [], status: 'ok', payload: result.payload };
  }
  const status = result.error.category === 'cancelled' ? 'cancelled' : 'error';
  return { ...base, partial: ended.partial, status, error: result.error };
}

/** A call that was cancelled while it waited for its locks. */
export function cancelledBeforeStart(prepared: PreparedCall, durationMs: number): CallOutcome {
  return {
    ...describe(prepared),
    attempts: 0,
    durationMs,
    partial: [],
    status: 'cancelled',
    error: {
      category: 'cancelled',
      message: `${prepared.entry.qualifiedName} was cancelled before it started; it has done nothing.`,
      retryable: false,
    },
  };
}

/** BRK-01. */
export function refusedByBreaker(
  prepared: PreparedCall,
  refusal: { readonly reason: string; readonly closesAt: number },
  durationMs: number,
): CallOutcome {
  return {
    ...describe(prepared),
    attempts: 0,
    durationMs,
    partial: [],
    status: 'denied',
    reason: refusal.reason,
    decidedBy: 'breaker',
    error: {
      category: 'permission_denied',
      message: refusal.reason,
      retryable: false,
      details: { breaker: 'open', closes_at: new Date(refusal.closesAt).toISOString() },
    },
  };
}

function describe({ entry, call }: PreparedCall) {
  return {
    callId: call.id,
    provider: entry.provider.name,
    operation: entry.operation.name,
    kind: entry.operation.kind,
    arguments: call.arguments,
  };
}
