// How a call ended, as the model, the journal and the embedding program see it.
import type { JsonObject, OperationKind, ToolErrorData, ToolEvent } from '@tenon/protocol';

interface OutcomeBase {
  readonly callId: string;
  readonly provider: string;
  readonly operation: string;
  /** Absent when the call named no known operation. */
  readonly kind?: OperationKind;
  /** The arguments that ran: corrected ones, if a decision corrected them (GATE-06). */
  readonly arguments: JsonObject;
  /** Attempts made; 0 when it never ran. */
  readonly attempts: number;
  readonly durationMs: number;
  /** From the stream, where the operation is process-backed. */
  readonly exitStatus?: { readonly exitCode: number; readonly signal?: string };
  /** What the provider had reported before the end, for calls that did not succeed (CAN-05). */
  readonly partial: readonly ToolEvent[];
}

export type CallOutcome =
  | (OutcomeBase & { readonly status: 'ok'; readonly payload: JsonObject })
  | (OutcomeBase & { readonly status: 'error'; readonly error: ToolErrorData })
  /** Refused by a policy, a hook, a person or an open breaker; it never ran. */
  | (OutcomeBase & {
      readonly status: 'denied';
      readonly reason: string;
      readonly decidedBy: string;
      readonly error: ToolErrorData;
    })
  | (OutcomeBase & { readonly status: 'cancelled'; readonly error: ToolErrorData });

export type CallStatus = CallOutcome['status'];
