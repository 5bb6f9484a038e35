// The payloads of the eight hook points ↔ wire.
import type { CallResult } from '../domain/call.js';
import type { Violation } from '../domain/event.js';
import type { HookPayload, PreModelCallPayload, Usage } from '../domain/hook-payloads.js';
import type { Message } from '../domain/content.js';
import type {
  HookPayload as WireHookPayload,
  PostModelResponsePayload as WirePostModelResponse,
  PostToolCallPayload as WirePostToolCall,
  PreModelCallPayload as WirePreModelCall,
  PreToolCallPayload as WirePreToolCall,
} from '../gen/pluggableharness/hook/v1/hook_pb.js';
import type { Usage as WireUsage } from '../gen/pluggableharness/model/v1/model_pb.js';
import type { ToolCall as WireToolCall } from '../gen/pluggableharness/tool/v1/tool_pb.js';
import { checkJson } from '../json/check.js';
import { messageFromWire, messageToWire } from './content.js';
import { sessionStatuses } from './enums.js';
import { identityFromWire, identityToWire } from './identity.js';
import {
  applyResultFromWire,
  applyResultToWire,
  callErrorFromWire,
  callResultFromWire,
  planFromWire,
  planItemFromWire,
  planItemToWire,
  planToWire,
  toolResultToWire,
} from './plan.js';
import { type Received, received, refused } from './received.js';
import { toolCallFromWire, toolCallToWire } from './tool-call.js';
import { toolErrorToWire } from './tool-error.js';

export function hookPayloadToWire(payload: HookPayload): WireHookPayload {
  return { $typeName: 'pluggableharness.hook.v1.HookPayload', payload: bodyToWire(payload) };
}

function bodyToWire(payload: HookPayload): WireHookPayload['payload'] {
  switch (payload.point) {
    case 'session_start':
      return {
        case: 'sessionStart',
        value: {
          $typeName: 'pluggableharness.hook.v1.SessionStartPayload',
          sessionId: payload.sessionId,
          profile: payload.profile,
          parentSessionId: payload.parentSessionId,
          workingDirectory: payload.workingDirectory,
        },
      };
    case 'pre_model_call':
      return {
        case: 'preModelCall',
        value: {
          $typeName: 'pluggableharness.hook.v1.PreModelCallPayload',
          messages: payload.messages.map(messageToWire),
          model:
            payload.model === undefined
              ? undefined
              : {
                  $typeName: 'pluggableharness.model.v1.ModelRef',
                  provider: payload.model.provider,
                  id: payload.model.id,
                },
        },
      };
    case 'post_model_response':
      return {
        case: 'postModelResponse',
        value: {
          $typeName: 'pluggableharness.hook.v1.PostModelResponsePayload',
          message: messageToWire(payload.message),
          model: payload.model === undefined ? undefined : identityToWire(payload.model),
          usage: payload.usage === undefined ? undefined : usageToWire(payload.usage),
          costUsd: payload.costUsd,
        },
      };
    case 'pre_tool_call':
      return {
        case: 'preToolCall',
        value: {
          $typeName: 'pluggableharness.hook.v1.PreToolCallPayload',
          call: toolCallToWire(payload.call),
          planItem: payload.planItem === undefined ? undefined : planItemToWire(payload.planItem),
        },
      };
    case 'plan_ready':
      return {
        case: 'planReady',
        value: {
          $typeName: 'pluggableharness.hook.v1.PlanReadyPayload',
          plan: planToWire(payload.plan),
        },
      };
    case 'post_tool_call':
      return {
        case: 'postToolCall',
        value: {
          $typeName: 'pluggableharness.hook.v1.PostToolCallPayload',
          call: toolCallToWire(payload.call),
          outcome: outcomeToWire(payload.outcome),
        },
      };
    case 'post_apply':
      return {
        case: 'postApply',
        value: {
          $typeName: 'pluggableharness.hook.v1.PostApplyPayload',
          apply: applyResultToWire(payload.apply),
        },
      };
    case 'session_end':
      return {
        case: 'sessionEnd',
        value: {
          $typeName: 'pluggableharness.hook.v1.SessionEndPayload',
          sessionId: payload.sessionId,
          status: sessionStatuses.toWire(payload.status),
        },
      };
  }
}

function outcomeToWire(outcome: CallResult): WirePostToolCall['outcome'] {
  return outcome.type === 'result'
    ? { case: 'result', value: toolResultToWire(outcome.payload) }
    : { case: 'error', value: toolErrorToWire(outcome.error) };
}

function usageToWire(usage: Usage): WireUsage {
  const { cacheReadTokens: read, cacheWriteTokens: write, reasoningTokens: reasoning } = usage;
  return {
    $typeName: 'pluggableharness.model.v1.Usage',
    inputTokens: BigInt(usage.inputTokens),
    outputTokens: BigInt(usage.outputTokens),
    cacheReadTokens: read === undefined ? undefined : BigInt(read),
    cacheWriteTokens: write === undefined ? undefined : BigInt(write),
    reasoningTokens: reasoning === undefined ? undefined : BigInt(reasoning),
  };
}

/** Reads a payload of a peer; refused, with every reason, when it is of no known point or cannot be read. */
export function hookPayloadFromWire(
  wire: WireHookPayload | undefined,
  pointer = '/payload',
): Received<HookPayload> {
  const body = wire?.payload;
  switch (body?.case) {
    case 'sessionStart': {
      const { sessionId, profile, parentSessionId, workingDirectory } = body.value;
      return received({
        point: 'session_start',
        sessionId,
        profile,
        workingDirectory,
        ...(parentSessionId === undefined ? {} : { parentSessionId }),
      });
    }
    case 'preModelCall':
      return readPreModelCall(body.value, `${pointer}/pre_model_call`);
    case 'postModelResponse':
      return readPostModelResponse(body.value, `${pointer}/post_model_response`);
    case 'preToolCall':
      return readPreToolCall(body.value, `${pointer}/pre_tool_call`);
    case 'planReady': {
      const at = `${pointer}/plan_ready/plan`;
      if (body.value.plan === undefined) return refused('HKP-01', at, 'the plan is missing');
      const plan = planFromWire(body.value.plan, at);
      return plan.ok ? received({ point: 'plan_ready', plan: plan.value }) : plan;
    }
    case 'postToolCall':
      return readPostToolCall(body.value, `${pointer}/post_tool_call`);
    case 'postApply': {
      const at = `${pointer}/post_apply/apply`;
      if (body.value.apply === undefined) return refused('HKP-01', at, 'the result is missing');
      const apply = applyResultFromWire(body.value.apply, at);
      return apply.ok ? received({ point: 'post_apply', apply: apply.value }) : apply;
    }
    case 'sessionEnd': {
      const status = sessionStatuses.fromWire(body.value.status);
      if (status === undefined) {
        const message = `status number ${body.value.status} is not known here`;
        return refused('HKP-01', `${pointer}/session_end/status`, message);
      }
      return received({ point: 'session_end', sessionId: body.value.sessionId, status });
    }
    default:
      return refused(
        'HKP-01',
        pointer,
        'the payload is of no known hook point: its oneof is not set',
      );
  }
}

function readPreModelCall(wire: WirePreModelCall, pointer: string): Received<PreModelCallPayload> {
  const messages: Message[] = [];
  const violations: Violation[] = [];
  for (const [index, message] of wire.messages.entries()) {
    const read = messageFromWire(message, `${pointer}/messages/${index}`);
    if (read.ok) messages.push(read.value);
    else violations.push(...read.violations);
  }
  if (violations.length > 0) return { ok: false, violations };
  const model =
    wire.model === undefined ? {} : { model: { provider: wire.model.provider, id: wire.model.id } };
  return received({ point: 'pre_model_call', messages, ...model });
}

function readPostModelResponse(
  wire: WirePostModelResponse,
  pointer: string,
): Received<HookPayload> {
  if (wire.message === undefined) {
    return refused('HKP-01', `${pointer}/message`, 'the message is missing');
  }
  const message = messageFromWire(wire.message, `${pointer}/message`);
  if (!message.ok) return message;
  return received({
    point: 'post_model_response',
    message: message.value,
    costUsd: wire.costUsd,
    ...(wire.model === undefined ? {} : { model: identityFromWire(wire.model) }),
    ...(wire.usage === undefined ? {} : { usage: usageFromWire(wire.usage) }),
  });
}

/** Token counts are far below 2^53. */
function usageFromWire(wire: WireUsage): Usage {
  const { cacheReadTokens: read, cacheWriteTokens: write, reasoningTokens: reasoning } = wire;
  return {
    inputTokens: Number(wire.inputTokens),
    outputTokens: Number(wire.outputTokens),
    ...(read === undefined ? {} : { cacheReadTokens: Number(read) }),
    ...(write === undefined ? {} : { cacheWriteTokens: Number(write) }),
    ...(reasoning === undefined ? {} : { reasoningTokens: Number(reasoning) }),
  };
}

function readCall(wire: WireToolCall | undefined, pointer: string) {
  if (wire === undefined) return refused('HKP-01', pointer, 'the call is missing');
  const json = checkJson(wire.arguments ?? {}, 'ERR-03');
  if (json.ok) return received(toolCallFromWire(wire));
  const violations = json.violations.map((found) => ({
    ...found,
    pointer: `${pointer}/arguments${found.pointer}`,
  }));
  return { ok: false, violations } as const;
}

function readPreToolCall(wire: WirePreToolCall, pointer: string): Received<HookPayload> {
  const call = readCall(wire.call, `${pointer}/call`);
  if (!call.ok) return call;
  if (wire.planItem === undefined) return received({ point: 'pre_tool_call', call: call.value });
  const item = planItemFromWire(wire.planItem, `${pointer}/plan_item`);
  if (!item.ok) return item;
  return received({ point: 'pre_tool_call', call: call.value, planItem: item.value });
}

function readPostToolCall(wire: WirePostToolCall, pointer: string): Received<HookPayload> {
  const call = readCall(wire.call, `${pointer}/call`);
  if (!call.ok) return call;
  const outcome = readOutcome(wire.outcome, pointer);
  if (!outcome.ok) return outcome;
  return received({ point: 'post_tool_call', call: call.value, outcome: outcome.value });
}

function readOutcome(wire: WirePostToolCall['outcome'], pointer: string): Received<CallResult> {
  switch (wire.case) {
    case 'result':
      return callResultFromWire(wire.value, `${pointer}/result`);
    case 'error':
      return callErrorFromWire(wire.value, `${pointer}/error`);
    default:
      return refused('HKP-01', pointer, 'the outcome is neither a result nor an error');
  }
}
