// One call from its arguments to its outcome: the part of the data flow that runs when a call was allowed.
// What comes before (hooks, policy, plan, decision) is the turn's.
import { setMaxListeners } from 'node:events';
import type { ToolCall, ToolErrorData } from '@tenon/protocol';
import { readArguments } from './arguments/read-arguments.js';
import type { BreakerSignal } from './breaker/breaker.js';
import type { SessionBreakers } from './breaker/session-breakers.js';
import { findEntry } from './catalog/find-entry.js';
import type { Catalog, CatalogEntry } from './catalog/model.js';
import type { KernelSettings } from './config/model.js';
import { runAttempts } from './invoke/attempts.js';
import { observation } from './invoke/observation.js';
import type { CallRecorder, KernelObserver } from './invoke/recorder.js';
import { callSpan, endSpan } from './invoke/spans.js';
import { lockKeys, lockMode } from './locks/keys.js';
import type { LockKey, LockMode, LockTicket } from './locks/lock-table.js';
import type { CallOutcome } from './outcome.js';
import { cancelledBeforeStart, outcomeOf, refusedByBreaker } from './output/outcomes.js';

/** What the execution of a call needs of its session. */
export interface CallSession {
  readonly id: string;
  readonly breakers: SessionBreakers;
}

/** A call whose arguments fit its operation. */
export interface PreparedCall {
  readonly entry: CatalogEntry;
  readonly call: ToolCall;
  /** Together with `mode`: what it asks of the provider's lock table. */
  readonly keys: readonly LockKey[];
  readonly mode: LockMode;
}

export type Preparation =
  | { readonly ok: true; readonly prepared: PreparedCall }
  /** `not_found` with the nearest names, or `invalid_arguments` with every problem. */
  | { readonly ok: false; readonly error: ToolErrorData; readonly entry?: CatalogEntry };

export interface PrepareRequest {
  readonly catalog: Catalog;
  /** As the model wrote it. */
  readonly name: string;
  /** An object, JSON text, or undefined for none. */
  readonly arguments: unknown;
  readonly callId: string;
  readonly sessionId: string;
  readonly turnId: string;
  readonly workingDirectory: string;
}

/**
 * Resolves the name, validates the arguments and derives the lock keys. Runs nothing of the operation; a provider
 * that has not been started yet is, as only it knows its operations.
 */
export async function prepareCall(request: PrepareRequest): Promise<Preparation> {
  const found = await findEntry(request.catalog, request.name);
  if (!found.ok) return found;
  const { entry } = found;
  const read = readArguments(entry, request.arguments);
  if (!read.ok) return { ok: false, entry, error: read.error };
  const { operation } = entry;
  const { callId, sessionId, turnId, workingDirectory } = request;
  const call: ToolCall = {
    id: callId,
    toolName: operation.name,
    arguments: read.args,
    // RPC-05.
    context: { sessionId, turnId, workingDirectory },
  };
  const keys = await lockKeys(operation, read.args, workingDirectory);
  return { ok: true, prepared: { entry, call, keys, mode: lockMode(operation) } };
}

export interface ExecuteRequest {
  readonly prepared: PreparedCall;
  readonly session: CallSession;
  /** Aborted: the call is cancelled, wherever it stands. */
  readonly signal: AbortSignal;
  readonly recorder: CallRecorder;
  /** Told call_waiting, call_started, call_event and call_retrying. */
  readonly observer: KernelObserver;
  readonly settings: KernelSettings;
  /** Overrides every other deadline, in milliseconds (TMO-02). */
  readonly timeoutMs?: number;
  /** Whether the turn itself is being aborted (RCT-07). */
  readonly turnAborting: () => boolean;
  /** Already queued by the turn, in declaration order; released here. Absent: queued here. */
  readonly lock?: LockTicket;
}

/**
 * Runs an allowed call to its end: breaker, locks, attempts, reactions. Never rejects, and tells the session's
 * breaker what became of the call. A refusal by an open breaker is `denied` by "breaker".
 */
export async function executeCall(request: ExecuteRequest): Promise<CallOutcome> {
  const { prepared, session, settings } = request;
  const { entry, call } = prepared;
  // One signal may cancel any number of calls; Node warns at the eleventh listener.
  setMaxListeners(0, request.signal);
  const startedAt = performance.now();
  const observe = observation(request.observer);
  const breaker = session.breakers.of(entry.provider.name);
  let ticket = request.lock ?? entry.provider.locks.request(prepared.keys, prepared.mode);
  const span = callSpan(entry, call);
  const elapsed = (): number => Math.round(performance.now() - startedAt);
  try {
    const refusal = breaker.check();
    if (refusal.open) return refusedByBreaker(prepared, refusal, elapsed());
    if (ticket.state() === 'waiting') {
      void observe({ type: 'call_waiting', callId: call.id, reason: waitingFor(prepared) });
    }
    if (!(await grantedOrAborted(ticket, request.signal))) {
      return cancelledBeforeStart(prepared, elapsed());
    }
    // It may have opened while this call waited.
    const verdict = breaker.admit();
    if (verdict.open) return refusedByBreaker(prepared, verdict, elapsed());
    const ended = await runAttempts({
      prepared,
      signal: request.signal,
      recorder: request.recorder,
      observe,
      settings,
      timeoutMs: request.timeoutMs,
      turnAborting: request.turnAborting,
      span,
      // RCT-06: the whole provider, where the keys that the call holds are not enough.
      async holdAll() {
        if (ticket.mode === 'exclusive') return true;
        ticket.release();
        ticket = entry.provider.locks.request(prepared.keys, 'exclusive');
        return grantedOrAborted(ticket, request.signal);
      },
    });
    const outcome = outcomeOf(prepared, ended, elapsed());
    breaker.record(signalOf(outcome, ended.incarnation));
    endSpan(span, outcome.status === 'ok' ? undefined : outcome.error);
    return outcome;
  } finally {
    ticket.release();
    if (span.isRecording()) span.end();
  }
}

/** Resolves to whether the locks are held; a waiting ticket of an aborted call leaves the queue at once. */
async function grantedOrAborted(ticket: LockTicket, signal: AbortSignal): Promise<boolean> {
  if (signal.aborted) return false;
  if (ticket.state() === 'held') return true;
  const cancel = (): void => ticket.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    return await ticket.granted;
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

function waitingFor({ entry, mode, keys }: PreparedCall): string {
  if (mode === 'exclusive') return `${entry.qualifiedName} runs alone in its provider`;
  return keys.length === 0
    ? `a call is running alone in provider ${entry.provider.name}`
    : `another call holds ${keys.join(', ')}`;
}

/** What an outcome says of the provider (BRK-01): an error of the operation's own is a provider that works. */
function signalOf(outcome: CallOutcome, incarnation: number | undefined): BreakerSignal {
  if (outcome.status === 'ok') return { type: 'good' };
  switch (outcome.error.category) {
    case 'process_crashed':
      return {
        type: 'crashed',
        reason: outcome.error.message,
        ...(incarnation === undefined ? {} : { incarnation }),
      };
    case 'execution_failed':
    case 'not_found':
    case 'permission_denied':
    case 'invalid_arguments':
      return { type: 'good' };
    default:
      return { type: 'neutral' };
  }
}
