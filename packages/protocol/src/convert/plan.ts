// Plan, PlanItem and ApplyResult ↔ wire (GATE-01..03).
import type { CallResult } from '../domain/call.js';
import type { Violation } from '../domain/event.js';
import type { ApplyItem, ApplyResult, Plan, PlanItem } from '../domain/plan.js';
import { Category } from '../gen/pluggableharness/common/v1/common_pb.js';
import type {
  ApplyResult as WireApplyResult,
  ApplyResult_ApplyItem as WireApplyItem,
  Plan as WirePlan,
  PlanItem as WirePlanItem,
} from '../gen/pluggableharness/plan/v1/plan_pb.js';
import type { ToolError, ToolResult } from '../gen/pluggableharness/tool/v1/tool_pb.js';
import { checkJson } from '../json/check.js';
import { applyOutcomes, kinds, planDecisions, risks } from './enums.js';
import { jsonToWire } from './json.js';
import type { Received } from './received.js';
import { renderTreeFromWire, renderTreeToWire } from './render-tree.js';
import { toolErrorFromWire, toolErrorToWire } from './tool-error.js';

export function planItemToWire(item: PlanItem): WirePlanItem {
  return {
    $typeName: 'pluggableharness.plan.v1.PlanItem',
    id: item.id,
    callId: item.callId,
    provider: item.provider,
    operationName: item.operation,
    input: jsonToWire(item.input),
    decision: planDecisions.toWire(item.decision),
    decidedBy: item.decidedBy,
    kind: kinds.toWire(item.kind),
    risk: risks.toWire(item.risk),
    description: item.description,
    preview: item.preview === undefined ? undefined : renderTreeToWire(item.preview),
    producerCategory: Category.TOOL,
  };
}

/**
 * Reads an item of a kernel. What an older kernel leaves out is read the careful way: no kind is a resource, no
 * risk is critical, no decision is pending. Refused is an input that is not JSON (GATE-06).
 */
export function planItemFromWire(wire: WirePlanItem, pointer = ''): Received<PlanItem> {
  const input = checkJson(wire.input ?? {}, 'GATE-06');
  if (!input.ok) return { ok: false, violations: below(`${pointer}/input`, input.violations) };
  return {
    ok: true,
    value: {
      id: wire.id,
      callId: wire.callId,
      provider: wire.provider,
      operation: wire.operationName,
      input: input.value,
      decision: planDecisions.fromWire(wire.decision) ?? 'pending',
      decidedBy: wire.decidedBy,
      kind: kinds.fromWire(wire.kind) ?? 'resource',
      risk: risks.fromWire(wire.risk) ?? 'critical',
      description: wire.description,
      ...(wire.preview === undefined ? {} : { preview: renderTreeFromWire(wire.preview) }),
    },
  };
}

export function planToWire(plan: Plan): WirePlan {
  return {
    $typeName: 'pluggableharness.plan.v1.Plan',
    turnId: plan.turnId,
    items: plan.items.map(planItemToWire),
  };
}

/** Refused when one of its items is. */
export function planFromWire(wire: WirePlan, pointer = ''): Received<Plan> {
  const items = readAll(wire.items, `${pointer}/items`, planItemFromWire);
  return items.ok ? { ok: true, value: { turnId: wire.turnId, items: items.value } } : items;
}

export function applyResultToWire(apply: ApplyResult): WireApplyResult {
  return {
    $typeName: 'pluggableharness.plan.v1.ApplyResult',
    turnId: apply.turnId,
    items: apply.items.map(applyItemToWire),
  };
}

function applyItemToWire(item: ApplyItem): WireApplyItem {
  return {
    $typeName: 'pluggableharness.plan.v1.ApplyResult.ApplyItem',
    planItemId: item.planItemId,
    toolCallId: item.callId,
    outcome: applyOutcomes.toWire(item.outcome),
    result: resultToWire(item.result),
  };
}

function resultToWire(result: CallResult | undefined): WireApplyItem['result'] {
  if (result === undefined) return { case: undefined };
  return result.type === 'result'
    ? { case: 'toolResult', value: toolResultToWire(result.payload) }
    : { case: 'toolError', value: toolErrorToWire(result.error) };
}

/** A result's payload as its message. */
export function toolResultToWire(payload: Parameters<typeof jsonToWire>[0]): ToolResult {
  return { $typeName: 'pluggableharness.tool.v1.ToolResult', payload: jsonToWire(payload) };
}

/** Refused when an item has an outcome unknown here, or a result that cannot be read. */
export function applyResultFromWire(wire: WireApplyResult, pointer = ''): Received<ApplyResult> {
  const items = readAll(wire.items, `${pointer}/items`, applyItemFromWire);
  return items.ok ? { ok: true, value: { turnId: wire.turnId, items: items.value } } : items;
}

function applyItemFromWire(wire: WireApplyItem, pointer: string): Received<ApplyItem> {
  const outcome = applyOutcomes.fromWire(wire.outcome);
  if (outcome === undefined) {
    const message = `outcome number ${wire.outcome} is not known here`;
    return {
      ok: false,
      violations: [{ requirement: 'GATE-02', pointer: `${pointer}/outcome`, message }],
    };
  }
  const base = { planItemId: wire.planItemId, callId: wire.toolCallId, outcome };
  switch (wire.result.case) {
    case 'toolResult':
      return withResult(base, callResultFromWire(wire.result.value, `${pointer}/tool_result`));
    case 'toolError':
      return withResult(base, callErrorFromWire(wire.result.value, `${pointer}/tool_error`));
    default:
      return { ok: true, value: base };
  }
}

function withResult(
  base: Omit<ApplyItem, 'result'>,
  result: Received<CallResult>,
): Received<ApplyItem> {
  return result.ok ? { ok: true, value: { ...base, result: result.value } } : result;
}

/** A ToolResult as the end of a call. */
export function callResultFromWire(wire: ToolResult, pointer: string): Received<CallResult> {
  const payload = checkJson(wire.payload ?? {}, 'EVT-06');
  return payload.ok
    ? { ok: true, value: { type: 'result', payload: payload.value } }
    : { ok: false, violations: below(`${pointer}/payload`, payload.violations) };
}

/** A ToolError as the end of a call. */
export function callErrorFromWire(wire: ToolError, pointer: string): Received<CallResult> {
  const error = toolErrorFromWire(wire, pointer);
  return error.ok ? { ok: true, value: { type: 'error', error: error.value } } : error;
}

function below(pointer: string, violations: readonly Violation[]): Violation[] {
  return violations.map((violation) => ({
    ...violation,
    pointer: `${pointer}${violation.pointer}`,
  }));
}

function readAll<W, T>(
  wire: readonly W[],
  pointer: string,
  read: (wire: W, pointer: string) => Received<T>,
): Received<T[]> {
  const value: T[] = [];
  const violations: Violation[] = [];
  for (const [index, item] of wire.entries()) {
    const one = read(item, `${pointer}/${index}`);
    if (one.ok) value.push(one.value);
    else violations.push(...one.violations);
  }
  return violations.length === 0 ? { ok: true, value } : { ok: false, violations };
}
