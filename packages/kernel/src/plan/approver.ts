// Who is asked when a plan item needs a decision, and when an interactive call needs an answer.
// A terminal, a program, a web page and an MCP client each implement this one interface.
import type { JsonObject, ObjectSchema, PlanItem } from '@tenon/protocol';

export type DecisionScope = 'once' | 'session' | 'always';

export interface ApprovalRequest {
  readonly item: PlanItem;
  readonly sessionId: string;
  readonly turnId: string;
  readonly workingDirectory: string;
  /** For checking corrected arguments while they are typed. */
  readonly input: ObjectSchema;
  /** Why it is asked, such as the policy rule's reason. */
  readonly reason: string;
  /** Problems of the correction given before, when the item is asked again. */
  readonly problems: readonly string[];
}

export type ApprovalDecision =
  | {
      readonly action: 'allow';
      readonly scope: DecisionScope;
      /** Replaces the arguments; validated again before anything runs (GATE-06). */
      readonly arguments?: JsonObject;
      /** Who decided, such as "user". */
      readonly by: string;
    }
  | {
      readonly action: 'deny';
      readonly scope: 'once' | 'session';
      readonly reason: string;
      readonly by: string;
    };

export interface Question {
  readonly callId: string;
  readonly provider: string;
  readonly operation: string;
  readonly description: string;
  readonly arguments: JsonObject;
  /** The form of the answer. */
  readonly output: ObjectSchema;
  readonly problems: readonly string[];
}

export interface Approver {
  /**
   * Asked once per item that needs a decision, all items of a plan at the same time; an implementation may
   * gather them into one screen. A rejection concerns that item alone and denies it. Aborting `signal`
   * means that the answer is no longer wanted.
   */
  decide(request: ApprovalRequest, options: { signal: AbortSignal }): Promise<ApprovalDecision>;
  /** Absent: interactive calls are refused at once, never a hang. */
  answer?(question: Question, options: { signal: AbortSignal }): Promise<JsonObject>;
}
