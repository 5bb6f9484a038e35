// The results of a turn as the APIs of models want them back: one per call, in declaration order. Pure.
import type { JsonObject } from '@tenon/protocol';
import type { RequestedCall, TurnResult } from '../api.js';
import type { CallOutcome } from '../outcome.js';
import { resultText } from './result-text.js';

type Turn = Pick<TurnResult, 'outcomes' | 'end'>;

export interface AnthropicToolResult {
  readonly type: 'tool_result';
  readonly tool_use_id: string;
  readonly content: string;
  readonly is_error?: true;
}

/** The `tool_result` blocks of the next user message. `calls` are those that the turn was run with. */
export function toAnthropicToolResults(
  calls: readonly RequestedCall[],
  turn: Turn,
): AnthropicToolResult[] {
  return pairs(calls, turn).map(({ id, outcome }) => ({
    type: 'tool_result',
    tool_use_id: id,
    content: resultText(outcome),
    ...(isFailure(outcome, turn) ? { is_error: true as const } : {}),
  }));
}

export interface OpenAIToolMessage {
  readonly role: 'tool';
  readonly tool_call_id: string;
  readonly content: string;
}

/** The `tool` messages that follow the assistant's. That API has no mark for a failure: the text says it. */
export function toOpenAIToolMessages(
  calls: readonly RequestedCall[],
  turn: Turn,
): OpenAIToolMessage[] {
  return pairs(calls, turn).map(({ id, outcome }) => ({
    role: 'tool',
    tool_call_id: id,
    content: resultText(outcome),
  }));
}

export interface McpToolResult {
  readonly content: readonly { readonly type: 'text'; readonly text: string }[];
  readonly structuredContent?: JsonObject;
  readonly isError?: true;
}

/** The results of `tools/call`, one per request. */
export function toMcpToolResults(calls: readonly RequestedCall[], turn: Turn): McpToolResult[] {
  return pairs(calls, turn).map(({ outcome }) => ({
    content: [{ type: 'text', text: resultText(outcome) }],
    ...(outcome.status === 'ok' ? { structuredContent: outcome.payload } : {}),
    ...(isFailure(outcome, turn) ? { isError: true as const } : {}),
  }));
}

/** RCT-07: a cancelled call is no failure to the model, unless its turn is being aborted. */
function isFailure(outcome: CallOutcome, { end }: Turn): boolean {
  if (outcome.status === 'ok') return false;
  return outcome.status !== 'cancelled' || end.reason === 'aborted';
}

function pairs(
  calls: readonly RequestedCall[],
  { outcomes }: Turn,
): { readonly id: string; readonly outcome: CallOutcome }[] {
  if (calls.length !== outcomes.length) {
    throw new RangeError(
      `${calls.length} calls and ${outcomes.length} outcomes are not of the same turn`,
    );
  }
  return outcomes.map((outcome, index) => ({ id: calls[index]?.id ?? outcome.callId, outcome }));
}
