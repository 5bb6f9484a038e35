// The plan: the resource calls of a turn, one item each (GATE-01..06).
import type { CallResult } from './call.js';
import type { JsonObject } from './json.js';
import type { OperationKind, Risk } from './operation.js';
import type { RenderTree } from './render.js';

export type PlanDecision = 'pending' | 'allow' | 'ask' | 'deny';

/** A snapshot taken when the plan is built; a later schema never changes it (GATE-03). */
export interface PlanItem {
  /** ULID. */
  readonly id: string;
  readonly callId: string;
  readonly provider: string;
  readonly operation: string;
  readonly input: JsonObject;
  readonly decision: PlanDecision;
  /** "policy:NAME", "policy:default", "hook:NAME", "user", "session-rule", … */
  readonly decidedBy: string;
  readonly kind: OperationKind;
  readonly risk: Risk;
  readonly description: string;
  readonly preview?: RenderTree;
}

export interface Plan {
  readonly turnId: string;
  readonly items: readonly PlanItem[];
}

export type ApplyOutcome = 'applied' | 'failed' | 'denied' | 'skipped';

/** What became of one item when the plan was applied. */
export interface ApplyItem {
  readonly planItemId: string;
  readonly callId: string;
  readonly outcome: ApplyOutcome;
  /** Absent when the item did not run and has no error to show. */
  readonly result?: CallResult;
}

export interface ApplyResult {
  readonly turnId: string;
  readonly items: readonly ApplyItem[];
}
