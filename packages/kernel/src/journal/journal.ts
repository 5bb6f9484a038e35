// The durable record of sessions as an interface; sqlite.ts is the one that ships. Entries are appended in
// order; `sequence` is the ordering authority, times are for display.
import type { JsonObject, PlanItem, ToolErrorData, Violation } from '@tenon/protocol';
import type { AttemptEnd, AttemptStart } from '../invoke/recorder.js';
import type { CallOutcome, CallStatus } from '../outcome.js';

export type JournalEntry =
  | {
      readonly type: 'session_started';
      readonly sessionId: string;
      readonly workingDirectory: string;
      readonly profile: string;
      readonly parentSessionId?: string;
      readonly kernelPid: number;
    }
  | { readonly type: 'session_ended'; readonly sessionId: string; readonly status: string }
  | {
      readonly type: 'turn_started';
      readonly sessionId: string;
      readonly turnId: string;
      readonly callIds: readonly string[];
    }
  | {
      readonly type: 'turn_ended';
      readonly sessionId: string;
      readonly turnId: string;
      readonly reason: string;
      readonly message?: string;
    }
  | {
      readonly type: 'call_requested';
      readonly sessionId: string;
      readonly turnId: string;
      readonly callId: string;
      readonly index: number;
      readonly name: string;
      readonly provider: string;
      readonly operation: string;
      readonly kind?: string;
      readonly risk?: string;
      readonly modelCallId?: string;
      readonly arguments: JsonObject | string;
    }
  | {
      readonly type: 'plan_item';
      readonly sessionId: string;
      readonly turnId: string;
      readonly item: PlanItem;
    }
  | {
      readonly type: 'decision';
      readonly sessionId: string;
      readonly turnId: string;
      readonly callId: string;
      readonly action: 'allow' | 'deny';
      readonly decidedBy: string;
      readonly reason: string;
      readonly scope: string;
      readonly downgraded: boolean;
      readonly originalArguments?: JsonObject;
      readonly arguments?: JsonObject;
    }
  /** Written durably before a resource call may have an effect. */
  | {
      readonly type: 'intent';
      readonly sessionId: string;
      readonly turnId: string;
      readonly callId: string;
      readonly arguments: JsonObject;
      readonly idempotent: boolean;
    }
  | ({
      readonly type: 'attempt_started';
      readonly sessionId: string;
      readonly callId: string;
    } & AttemptStart)
  | {
      readonly type: 'event';
      readonly sessionId: string;
      readonly callId: string;
      readonly attempt: number;
      readonly event: JsonObject;
      readonly chunk?: Uint8Array;
    }
  | {
      readonly type: 'chunks_dropped';
      readonly sessionId: string;
      readonly callId: string;
      readonly attempt: number;
      readonly count: number;
      readonly bytes: number;
    }
  | ({
      readonly type: 'attempt_ended';
      readonly sessionId: string;
      readonly callId: string;
    } & AttemptEnd)
  | {
      readonly type: 'outcome';
      readonly sessionId: string;
      readonly turnId: string;
      readonly outcome: CallOutcome;
    }
  | {
      readonly type: 'emit';
      readonly sessionId: string;
      readonly id: string;
      readonly provider: string;
      readonly providerVersion: string;
      readonly kind: string;
      readonly schemaVersion: string;
      readonly payload: Uint8Array;
    }
  | {
      readonly type: 'provider_log';
      readonly sessionId?: string;
      readonly provider: string;
      readonly level: string;
      readonly message: string;
      readonly fields: JsonObject;
    }
  | {
      readonly type: 'provider_fault';
      readonly sessionId?: string;
      readonly provider: string;
      readonly callId?: string;
      readonly message: string;
      readonly violations: readonly Violation[];
    }
  | {
      readonly type: 'hook_error';
      readonly sessionId: string;
      readonly point: string;
      readonly subscriber: string;
      readonly mode: string;
      readonly category: string;
      readonly message: string;
    }
  | {
      readonly type: 'breaker';
      readonly sessionId: string;
      readonly provider: string;
      readonly state: 'open' | 'half_open' | 'closed';
      readonly reason: string;
    };

export type StoredEntry = JournalEntry & {
  readonly sequence: number;
  /** Milliseconds since the epoch. */
  readonly time: number;
};

export interface CallSummary {
  readonly callId: string;
  readonly sessionId: string;
  readonly turnId: string;
  readonly sequence: number;
  readonly time: number;
  readonly provider: string;
  readonly operation: string;
  readonly kind?: string;
  readonly risk?: string;
  /** 'running' while its kernel lives; 'outcome_unknown' when it died between intent and outcome. */
  readonly status: CallStatus | 'running' | 'outcome_unknown' | 'not_run';
  readonly decidedBy?: string;
  readonly error?: ToolErrorData;
  readonly attempts: number;
  readonly durationMs?: number;
}

export interface CallFilter {
  readonly sessionId?: string;
  readonly turnId?: string;
  readonly provider?: string;
  readonly operation?: string;
  readonly status?: CallSummary['status'];
  /** Milliseconds since the epoch. */
  readonly since?: number;
  readonly afterSequence?: number;
  /** Newest first are taken, oldest first are given. */
  readonly limit?: number;
}

export interface Journal {
  /** Appends; durable soon (group commit). Resolves to the entry's sequence. Order of calls is order of sequences. */
  append(entry: JournalEntry): Promise<number>;
  /** Appends; resolves when it, and all before it, would survive a crash of the machine. */
  appendDurably(entry: JournalEntry): Promise<number>;
  calls(filter: CallFilter): readonly CallSummary[];
  /** All entries of one call, in order. */
  call(callId: string): readonly StoredEntry[];
  /** All entries of one session, in order. */
  session(sessionId: string): Iterable<StoredEntry>;
  sessions(limit: number): readonly {
    sessionId: string;
    time: number;
    status: string;
    calls: number;
    workingDirectory: string;
  }[];
  /** Entries after a sequence, for following. */
  since(sequence: number, limit: number): readonly StoredEntry[];
  flush(): Promise<void>;
  close(): Promise<void>;
}
