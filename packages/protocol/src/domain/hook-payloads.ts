// What a subscriber of each hook point is told. `point` says which payload it is, so that a dispatch can
// never carry the payload of another point.
import type { CallResult, ToolCall } from './call.js';
import type { Message } from './content.js';
import type { HookPoint } from './hook.js';
import type { ProviderIdentity } from './operation.js';
import type { ApplyResult, Plan, PlanItem } from './plan.js';
import type { SessionStatus } from './session.js';

/** Names one model of one model provider. */
export interface ModelRef {
  readonly provider: string;
  readonly id: string;
}

/** Token counts of one model answer. Absent: the model provider did not say. */
export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens?: number;
  readonly cacheWriteTokens?: number;
  readonly reasoningTokens?: number;
}

export interface SessionStartPayload {
  readonly point: 'session_start';
  readonly sessionId: string;
  readonly profile: string;
  readonly parentSessionId?: string;
  readonly workingDirectory: string;
}

/** The only payload that a transform may change: its messages. */
export interface PreModelCallPayload {
  readonly point: 'pre_model_call';
  readonly messages: readonly Message[];
  readonly model?: ModelRef;
}

export interface PostModelResponsePayload {
  readonly point: 'post_model_response';
  readonly message: Message;
  /** The model provider that answered. */
  readonly model?: ProviderIdentity;
  readonly usage?: Usage;
  readonly costUsd: number;
}

export interface PreToolCallPayload {
  readonly point: 'pre_tool_call';
  readonly call: ToolCall;
  /** Where the caller has planned the call already. */
  readonly planItem?: PlanItem;
}

export interface PlanReadyPayload {
  readonly point: 'plan_ready';
  readonly plan: Plan;
}

export interface PostToolCallPayload {
  readonly point: 'post_tool_call';
  readonly call: ToolCall;
  readonly outcome: CallResult;
}

export interface PostApplyPayload {
  readonly point: 'post_apply';
  readonly apply: ApplyResult;
}

export interface SessionEndPayload {
  readonly point: 'session_end';
  readonly sessionId: string;
  readonly status: SessionStatus;
}

export type HookPayload =
  | SessionStartPayload
  | PreModelCallPayload
  | PostModelResponsePayload
  | PreToolCallPayload
  | PlanReadyPayload
  | PostToolCallPayload
  | PostApplyPayload
  | SessionEndPayload;

/** The payload of one point. */
export type HookPayloadOf<P extends HookPoint> = Extract<HookPayload, { readonly point: P }>;
