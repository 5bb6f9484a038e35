// What the steps of one turn share, and the record of each of its calls.
import type { ToolErrorData } from '@tenon/protocol';
import type { RequestedCall } from '../api.js';
import type { PreparedCall } from '../call.js';
import type { KernelObserver } from '../invoke/recorder.js';
import type { CallOutcome } from '../outcome.js';
import type { Approver } from '../plan/approver.js';
import type { KernelState, SessionState } from './state.js';

export interface TurnContext {
  readonly kernel: KernelState;
  readonly session: SessionState;
  readonly turnId: string;
  /** Aborted: the turn is being aborted. */
  readonly signal: AbortSignal;
  readonly observer: KernelObserver;
  readonly approver: Approver | undefined;
  readonly timeoutMs: number | undefined;
}

/** One call of a turn on its way. */
export interface TurnCall {
  readonly callId: string;
  readonly index: number;
  readonly requested: RequestedCall;
  readonly startedAt: number;
  /** Set when the arguments fit; replaced by a correction. */
  prepared: PreparedCall | undefined;
  /** Set once, when it has ended. */
  outcome: CallOutcome | undefined;
  /** Whether the outcome is in the journal. */
  journaled: boolean;
}

/** Journals the outcome of a call that has ended, once. */
export function journalOutcome({ kernel, session, turnId }: TurnContext, call: TurnCall): void {
  if (call.outcome === undefined || call.journaled) return;
  call.journaled = true;
  kernel.record({ type: 'outcome', sessionId: session.id, turnId, outcome: call.outcome });
}

/** Ends a call that never ran: by an error of its arguments, a refusal, or a cancel. */
export function endWithout(
  call: TurnCall,
  how:
    | { readonly status: 'error' | 'cancelled'; readonly error: ToolErrorData }
    | { readonly status: 'denied'; readonly reason: string; readonly decidedBy: string },
): void {
  const error: ToolErrorData =
    how.status === 'denied'
      ? { category: 'permission_denied', message: how.reason, retryable: false }
      : how.error;
  const refusal = how.status === 'denied' ? { reason: how.reason, decidedBy: how.decidedBy } : {};
  call.outcome = {
    ...describe(call),
    attempts: 0,
    durationMs: Math.round(performance.now() - call.startedAt),
    partial: [],
    status: how.status,
    error,
    ...refusal,
  } as CallOutcome;
}

/** Ends a call that was still waiting when its turn was aborted. */
export function endCancelled(call: TurnCall): void {
  const { operation } = describe(call);
  const message = `${operation} was cancelled before it started; it has done nothing.`;
  endWithout(call, {
    status: 'cancelled',
    error: { category: 'cancelled', message, retryable: false },
  });
}

/** The parts of an outcome that say which call it is. */
export function describe(call: TurnCall) {
  const { prepared, requested } = call;
  if (prepared === undefined) {
    const [provider = '', ...rest] = requested.name.split(/\.|__/);
    const operation = rest.join('.');
    return {
      callId: call.callId,
      provider: operation === '' ? '' : provider,
      operation: operation === '' ? provider : operation,
      arguments: {},
    };
  }
  return {
    callId: call.callId,
    provider: prepared.entry.provider.name,
    operation: prepared.entry.operation.name,
    kind: prepared.entry.operation.kind,
    arguments: prepared.call.arguments,
  };
}
