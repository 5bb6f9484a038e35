// Names of the domain ↔ numbers of the wire, one table per enum.
import type { ToolErrorCategory } from '../errors/categories.js';
import type { HookMode, HookPoint } from '../domain/hook.js';
import type { LogLevel } from '../domain/log.js';
import type { OperationKind, Risk } from '../domain/operation.js';
import type { ApplyOutcome, PlanDecision } from '../domain/plan.js';
import type { TextStyle } from '../domain/render.js';
import type { SessionStatus } from '../domain/session.js';
import type { ConfigAttributeType } from '../domain/config-schema.js';
import {
  Category,
  HookPoint as WireHookPoint,
} from '../gen/pluggableharness/common/v1/common_pb.js';
import { AttrType } from '../gen/pluggableharness/config/v1/config_pb.js';
import { HookMode as WireHookMode } from '../gen/pluggableharness/hook/v1/hook_pb.js';
import { EventKind } from '../gen/pluggableharness/kernel/v1/kernel_pb.js';
import { LogLevel as WireLogLevel } from '../gen/pluggableharness/log/v1/log_pb.js';
import {
  ApplyResult_ApplyOutcome,
  PlanDecision as WirePlanDecision,
} from '../gen/pluggableharness/plan/v1/plan_pb.js';
import {
  DiffLineOp,
  TextStyle as WireTextStyle,
} from '../gen/pluggableharness/render/v1/render_pb.js';
import { SessionStatus as WireSessionStatus } from '../gen/pluggableharness/session/v1/session_pb.js';
import {
  OutputStream,
  RiskClass,
  ToolErrorCategory as WireErrorCategory,
  ToolKind,
} from '../gen/pluggableharness/tool/v1/tool_pb.js';

export interface EnumTable<Name extends string, Wire extends number> {
  readonly toWire: (name: Name) => Wire;
  /** Undefined for the unspecified zero and for numbers that this version does not know. */
  readonly fromWire: (wire: number) => Name | undefined;
}

function table<Name extends string, Wire extends number>(
  byName: Readonly<Record<Name, Wire>>,
): EnumTable<Name, Wire> {
  const byNumber = new Map<number, Name>();
  for (const [name, number] of Object.entries(byName)) byNumber.set(number as Wire, name as Name);
  return {
    toWire: (name) => byName[name],
    fromWire: (wire) => byNumber.get(wire),
  };
}

export const kinds = table<OperationKind, ToolKind>({
  resource: ToolKind.RESOURCE,
  data_source: ToolKind.DATA_SOURCE,
  interactive: ToolKind.INTERACTIVE,
});

export const risks = table<Risk, RiskClass>({
  read_only: RiskClass.READ_ONLY,
  low: RiskClass.LOW,
  moderate: RiskClass.MODERATE,
  high: RiskClass.HIGH,
  critical: RiskClass.CRITICAL,
});

export const errorCategories = table<ToolErrorCategory, WireErrorCategory>({
  invalid_arguments: WireErrorCategory.INVALID_ARGUMENTS,
  not_found: WireErrorCategory.NOT_FOUND,
  permission_denied: WireErrorCategory.PERMISSION_DENIED,
  execution_failed: WireErrorCategory.EXECUTION_FAILED,
  timeout: WireErrorCategory.TIMEOUT,
  concurrency_conflict: WireErrorCategory.CONCURRENCY_CONFLICT,
  cancelled: WireErrorCategory.CANCELLED,
  process_crashed: WireErrorCategory.PROCESS_CRASHED,
  unknown: WireErrorCategory.UNKNOWN,
});

export const outputStreams = table<'stdout' | 'stderr', OutputStream>({
  stdout: OutputStream.STDOUT,
  stderr: OutputStream.STDERR,
});

export const hookPoints = table<HookPoint, WireHookPoint>({
  session_start: WireHookPoint.SESSION_START,
  pre_model_call: WireHookPoint.PRE_MODEL_CALL,
  post_model_response: WireHookPoint.POST_MODEL_RESPONSE,
  pre_tool_call: WireHookPoint.PRE_TOOL_CALL,
  plan_ready: WireHookPoint.PLAN_READY,
  post_tool_call: WireHookPoint.POST_TOOL_CALL,
  post_apply: WireHookPoint.POST_APPLY,
  session_end: WireHookPoint.SESSION_END,
});

export const hookModes = table<HookMode, WireHookMode>({
  observe: WireHookMode.OBSERVE,
  transform: WireHookMode.TRANSFORM,
  veto: WireHookMode.VETO,
});

export const logLevels = table<LogLevel, WireLogLevel>({
  trace: WireLogLevel.TRACE,
  debug: WireLogLevel.DEBUG,
  info: WireLogLevel.INFO,
  warn: WireLogLevel.WARN,
  error: WireLogLevel.ERROR,
  fatal: WireLogLevel.FATAL,
});

export const planDecisions = table<PlanDecision, WirePlanDecision>({
  pending: WirePlanDecision.PENDING,
  allow: WirePlanDecision.ALLOW,
  ask: WirePlanDecision.ASK,
  deny: WirePlanDecision.DENY,
});

export const applyOutcomes = table<ApplyOutcome, ApplyResult_ApplyOutcome>({
  applied: ApplyResult_ApplyOutcome.APPLIED,
  failed: ApplyResult_ApplyOutcome.FAILED,
  denied: ApplyResult_ApplyOutcome.DENIED,
  skipped: ApplyResult_ApplyOutcome.SKIPPED,
});

export const sessionStatuses = table<SessionStatus, WireSessionStatus>({
  running: WireSessionStatus.RUNNING,
  completed: WireSessionStatus.COMPLETED,
  error_max_turns: WireSessionStatus.ERROR_MAX_TURNS,
  error_max_budget_usd: WireSessionStatus.ERROR_MAX_BUDGET_USD,
  error_max_wall_clock: WireSessionStatus.ERROR_MAX_WALL_CLOCK,
  cancelled: WireSessionStatus.CANCELLED,
  failed: WireSessionStatus.FAILED,
});

export const attributeTypes = table<ConfigAttributeType, AttrType>({
  string: AttrType.STRING,
  number: AttrType.NUMBER,
  bool: AttrType.BOOL,
  list_string: AttrType.LIST_STRING,
  list_number: AttrType.LIST_NUMBER,
  map_string: AttrType.MAP_STRING,
  object: AttrType.OBJECT,
});

export const textStyles = table<TextStyle, WireTextStyle>({
  normal: WireTextStyle.NORMAL,
  bold: WireTextStyle.BOLD,
  italic: WireTextStyle.ITALIC,
  code: WireTextStyle.CODE,
  dim: WireTextStyle.DIM,
  error: WireTextStyle.ERROR,
  warning: WireTextStyle.WARNING,
  success: WireTextStyle.SUCCESS,
});

export const diffLineOps = table<'context' | 'add' | 'remove', DiffLineOp>({
  context: DiffLineOp.CONTEXT,
  add: DiffLineOp.ADD,
  remove: DiffLineOp.REMOVE,
});

/** Categories of providers; Describe of a provider of another category shows one of these. */
export type ProviderCategory =
  | 'unspecified'
  | 'model'
  | 'tool'
  | 'context'
  | 'memory'
  | 'frontend'
  | 'widget'
  | 'slashcommand';

export const categories = table<ProviderCategory, Category>({
  unspecified: Category.UNSPECIFIED,
  model: Category.MODEL,
  tool: Category.TOOL,
  context: Category.CONTEXT,
  memory: Category.MEMORY,
  frontend: Category.FRONTEND,
  widget: Category.WIDGET,
  slashcommand: Category.SLASHCOMMAND,
});

/** Kinds of the events that a provider appends to a session. */
export type EmittedKind =
  | 'message'
  | 'tool_call'
  | 'tool_result'
  | 'plan'
  | 'apply'
  | 'context_contribution'
  | 'memory_write'
  | 'memory_update'
  | 'memory_delete'
  | 'hook_error';

export const eventKinds = table<EmittedKind, EventKind>({
  message: EventKind.MESSAGE,
  tool_call: EventKind.TOOL_CALL,
  tool_result: EventKind.TOOL_RESULT,
  plan: EventKind.PLAN,
  apply: EventKind.APPLY,
  context_contribution: EventKind.CONTEXT_CONTRIBUTION,
  memory_write: EventKind.MEMORY_WRITE,
  memory_update: EventKind.MEMORY_UPDATE,
  memory_delete: EventKind.MEMORY_DELETE,
  hook_error: EventKind.HOOK_ERROR,
});
