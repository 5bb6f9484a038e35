// Public index of @tenon/protocol.
export type { JsonArray, JsonObject, JsonPrimitive, JsonValue } from './domain/json.js';
export type {
  ArraySchema,
  BooleanSchema,
  NumberSchema,
  ObjectSchema,
  Schema,
  StringSchema,
} from './domain/schema.js';
export type {
  ConcurrencySpec,
  DerivedKey,
  Operation,
  OperationKind,
  ProviderIdentity,
  ProviderSchema,
  Risk,
  SlashCommand,
} from './domain/operation.js';
export type { ConfigAttribute, ConfigAttributeType } from './domain/config-schema.js';
export type { CallContext, ToolCall } from './domain/call.js';
export type {
  OutputStream,
  ReceivedEvent,
  ToolEvent,
  ToolEventType,
  Violation,
} from './domain/event.js';
export { HOOK_POINTS } from './domain/hook.js';
export type { HookErrorCategory, HookMode, HookPoint } from './domain/hook.js';
export type { DiffHunk, DiffLine, RenderNode, RenderTree, TextStyle } from './domain/render.js';
export type { ApplyOutcome, Plan, PlanDecision, PlanItem } from './domain/plan.js';
export type { LogEntry, LogLevel } from './domain/log.js';
export type {
  HookAnswer,
  HookDispatch,
  InProcessProvider,
  KernelCallbacks,
  ToolProvider,
} from './domain/tool-provider.js';
export { GRPC_CODE } from './errors/categories.js';
export type { BaseReaction, CategoryFacts, ToolErrorCategory } from './errors/categories.js';
export { ToolError } from './errors/tool-error.js';
export type { ToolErrorData } from './errors/tool-error.js';
