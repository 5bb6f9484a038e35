// One call from its arguments to its outcome: the part of the data flow that runs when a call was allowed.
// What comes before (hooks, policy, plan, decision) is the turn's.
import type { ToolCall, ToolErrorData } from '@tenon/protocol';
import type { SessionBreakers } from './breaker/session-breakers.js';
import type { Catalog, CatalogEntry } from './catalog/model.js';
import type { KernelSettings } from './config/model.js';
import type { CallRecorder, KernelObserver } from './invoke/recorder.js';
import type { LockKey, LockMode, LockTicket } from './locks/lock-table.js';
import type { CallOutcome } from './outcome.js';

/** What the execution of a call needs of its session. */
export interface CallSession {
  readonly id: string;
  readonly breakers: SessionBreakers;
}

/** A call whose arguments fit its operation. */
export interface PreparedCall {
  readonly entry: CatalogEntry;
  readonly call: ToolCall;
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
  readonly arguments: unknown;
  readonly callId: string;
  readonly sessionId: string;
  readonly turnId: string;
  readonly workingDirectory: string;
}

/** Resolves the name, validates the arguments and derives the lock keys. Touches no provider. */
export function prepareCall(request: PrepareRequest): Promise<Preparation> {
  return Promise.reject(new Error(`not built yet: ${request.name}`));
}

export interface ExecuteRequest {
  readonly prepared: PreparedCall;
  readonly session: CallSession;
  /** Aborted: the call is cancelled, wherever it stands. */
  readonly signal: AbortSignal;
  readonly recorder: CallRecorder;
  readonly observer: KernelObserver;
  readonly settings: KernelSettings;
  /** Overrides every other deadline, in milliseconds (TMO-02). */
  readonly timeoutMs?: number;
  /** Whether the turn itself is being aborted (RCT-07). */
  readonly turnAborting: () => boolean;
  /** Already queued by the turn, in declaration order; released here. Absent: queued here. */
  readonly lock?: LockTicket;
}

/** Runs an allowed call to its end: breaker, locks, attempts, reactions. Never rejects. */
export function executeCall(request: ExecuteRequest): Promise<CallOutcome> {
  return Promise.reject(new Error(`not built yet: ${request.prepared.call.id}`));
}
