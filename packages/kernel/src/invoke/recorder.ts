// What the execution of a call tells the journal, and what it tells a live observer. The execution knows
// nothing of SQL or of a terminal; both implement these.
import type { OperationKind, ToolErrorData, ToolEvent, Violation } from '@tenon/protocol';
import type { Reaction } from '../react/reaction.js';

export interface AttemptStart {
  /** From 1. */
  readonly attempt: number;
  readonly pid?: number;
  readonly providerVersion: string;
  readonly deadlineMs: number;
  readonly lockKeys: readonly string[];
}

export type AttemptEnd =
  | { readonly attempt: number; readonly status: 'ok' }
  | {
      readonly attempt: number;
      readonly status: 'error';
      readonly error: ToolErrorData;
      readonly reaction: Reaction;
      /** Rules that the provider broke, where that is why it failed (EVT-06). */
      readonly violations: readonly Violation[];
    };

/** One call's line to the journal. Calls are made in order; none throws. */
export interface CallRecorder {
  attemptStarted(start: AttemptStart): void;
  event(attempt: number, event: ToolEvent): void;
  attemptEnded(end: AttemptEnd): void;
}

/** Things that happen while the kernel works, for live display and for programs. */
export type KernelEvent =
  | {
      readonly type: 'provider_started';
      readonly provider: string;
      readonly pid?: number;
      readonly version: string;
    }
  | {
      readonly type: 'provider_exited';
      readonly provider: string;
      readonly reason: string;
      readonly expected: boolean;
    }
  | {
      readonly type: 'provider_output';
      readonly provider: string;
      readonly stream: 'stdout' | 'stderr';
      readonly text: string;
    }
  | {
      readonly type: 'call_started';
      readonly callId: string;
      readonly provider: string;
      readonly operation: string;
      readonly kind: OperationKind;
    }
  | { readonly type: 'call_waiting'; readonly callId: string; readonly reason: string }
  | { readonly type: 'call_event'; readonly callId: string; readonly event: ToolEvent }
  | {
      readonly type: 'call_retrying';
      readonly callId: string;
      readonly attempt: number;
      readonly delayMs: number;
      readonly error: ToolErrorData;
    }
  | {
      readonly type: 'breaker';
      readonly sessionId: string;
      readonly provider: string;
      readonly state: 'open' | 'half_open' | 'closed';
      readonly reason: string;
    }
  | {
      readonly type: 'hook_error';
      readonly point: string;
      readonly subscriber: string;
      readonly message: string;
    }
  | {
      readonly type: 'log';
      readonly provider: string;
      readonly level: string;
      readonly message: string;
    };

/**
 * Sees every event in order. Returning a promise from a `call_event` slows the provider of that call down
 * until it settles (EVT-07); a rejection ends the observation, never the call.
 */
export type KernelObserver = (event: KernelEvent) => void | Promise<void>;
