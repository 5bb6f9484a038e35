// Public index of @tenon/protocol: domain types, failures, schemas, JSON, converters, the codec and the catalogue
// of requirements. Every export is documented where it is defined.

// JSON as the protocol carries it.
export type { JsonArray, JsonObject, JsonPrimitive, JsonValue } from './domain/json.js';
export { canonicalJson } from './json/canonical.js';
export { checkJson, checkJsonValue, describeValue } from './json/check.js';
export type { JsonCheck } from './json/check.js';
export { MAX_JSON_DEPTH } from './json/limits.js';
export { setOwn } from './json/own.js';
export { parseJsonExact } from './json/parse.js';
export { escapeToken, pointerOf } from './json/pointer.js';

// What a provider says of itself.
export type { ConfigAttribute, ConfigAttributeType } from './domain/config-schema.js';
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
export type {
  ArraySchema,
  BooleanSchema,
  NumberSchema,
  ObjectSchema,
  Schema,
  StringSchema,
} from './domain/schema.js';

// Calls and what comes of them.
export type { CallContext, CallResult, ToolCall } from './domain/call.js';
export type {
  OutputStream,
  ReceivedEvent,
  ToolEvent,
  ToolEventType,
  Violation,
} from './domain/event.js';
export type { LogEntry, LogLevel } from './domain/log.js';
export type {
  ApplyItem,
  ApplyOutcome,
  ApplyResult,
  Plan,
  PlanDecision,
  PlanItem,
} from './domain/plan.js';
export type { DiffHunk, DiffLine, RenderNode, RenderTree, TextStyle } from './domain/render.js';
export { SESSION_STATUSES } from './domain/session.js';
export type { SessionStatus } from './domain/session.js';

// Hooks.
export type { ContentBlock, Message } from './domain/content.js';
export { HOOK_POINTS } from './domain/hook.js';
export type { HookErrorCategory, HookMode, HookPoint } from './domain/hook.js';
export type {
  HookPayload,
  HookPayloadOf,
  ModelRef,
  PlanReadyPayload,
  PostApplyPayload,
  PostModelResponsePayload,
  PostToolCallPayload,
  PreModelCallPayload,
  PreToolCallPayload,
  SessionEndPayload,
  SessionStartPayload,
  Usage,
} from './domain/hook-payloads.js';

// A running provider, whatever carries the calls.
export type {
  HookAnswer,
  HookDispatch,
  InProcessProvider,
  KernelCallbacks,
  ToolProvider,
} from './domain/tool-provider.js';

// Failures.
export {
  CATEGORIES,
  categoryFromGrpcCode,
  categoryFromName,
  categoryFromWireNumber,
  GRPC_CODE,
  PROVIDER_CATEGORIES,
} from './errors/categories.js';
export type {
  BaseReaction,
  CategoryFacts,
  ProviderErrorCategory,
  ToolErrorCategory,
} from './errors/categories.js';
export {
  ERROR_DOMAIN,
  isUnimplemented,
  STATUS_DETAILS_KEY,
  toolErrorFromStatus,
  toolErrorToStatus,
} from './errors/status.js';
export type { GrpcStatus, ReceivedStatus } from './errors/status.js';
export { ToolError } from './errors/tool-error.js';
export type { ToolErrorData } from './errors/tool-error.js';

// The schema subset: checking values, and the static rules of what a provider declares.
export { checkOperation, refusesOperation } from './schema/check-operation.js';
export type { OperationDraft } from './schema/check-operation.js';
export { checkProviderSchema } from './schema/check-provider-schema.js';
export type { ProviderSchemaDraft } from './schema/check-provider-schema.js';
export { checkRootSchema } from './schema/check-schema.js';
export { compileValidator } from './schema/compile.js';
export { nearest } from './schema/nearest.js';
export type { Validator, ValidatorOptions } from './schema/compile.js';

// Domain ↔ messages.
export { configSchemaFromWire, configSchemaToWire } from './convert/config-schema.js';
export {
  contentBlockToWire,
  contentFromWire,
  messageFromWire,
  messageToWire,
} from './convert/content.js';
export { eventKinds, hookPoints } from './convert/enums.js';
export type { EmittedKind, EnumTable, ProviderCategory } from './convert/enums.js';
export {
  hookAnswerFromWire,
  hookAnswerToWire,
  hookDispatchFromWire,
  hookDispatchToWire,
} from './convert/hook.js';
export { hookPayloadFromWire, hookPayloadToWire } from './convert/hook-payload.js';
export { identityFromWire, identityToWire } from './convert/identity.js';
export {
  logEntryFromWire,
  logEntryToWire,
  logRequestFromWire,
  logRequestToWire,
} from './convert/log-entry.js';
export { operationFromWire, operationToWire } from './convert/operation.js';
export type { ReadOperation } from './convert/operation.js';
export {
  applyResultFromWire,
  applyResultToWire,
  planFromWire,
  planItemFromWire,
  planItemToWire,
  planToWire,
} from './convert/plan.js';
export {
  extensionsToWire,
  providerSchemaFromWire,
  providerSchemaToWire,
} from './convert/provider-schema.js';
export type { ReadProviderSchema, RefusedOperation } from './convert/provider-schema.js';
export type { Received } from './convert/received.js';
export { MAX_RENDER_DEPTH, renderTreeFromWire, renderTreeToWire } from './convert/render-tree.js';
export { schemaFromWire, schemaToWire } from './convert/schema.js';
export { sessionStatusFromWire, sessionStatusToWire } from './convert/session.js';
export { toolCallFromWire, toolCallToWire } from './convert/tool-call.js';
export { toolErrorFromWire, toolErrorToWire } from './convert/tool-error.js';
export { toolEventFromBytes, toolEventFromWire, toolEventToWire } from './convert/tool-event.js';

// Messages ↔ bytes.
export { decodeMessage, encodeMessage, structFromWire, structToWire } from './wire/codec.js';
export { WireDecodeError, WireEncodeError } from './wire/errors.js';

// The catalogue of requirements.
export { REQUIREMENT_GROUPS, REQUIREMENTS, requirement } from './requirements/catalogue.js';
export type {
  Requirement,
  RequirementGroup,
  RequirementLevel,
  RequirementSide,
} from './requirements/requirement.js';

// The generated messages and services, for those who speak the wire: the kernel's gRPC connection, the SDK's
// server, the conformance kit.
export * as commonV1 from './gen/pluggableharness/common/v1/common_pb.js';
export * as configV1 from './gen/pluggableharness/config/v1/config_pb.js';
export * as contentV1 from './gen/pluggableharness/content/v1/content_pb.js';
export * as extensionV1 from './gen/tenon/extension/v1/extension_pb.js';
export * as hookV1 from './gen/pluggableharness/hook/v1/hook_pb.js';
export * as kernelV1 from './gen/pluggableharness/kernel/v1/kernel_pb.js';
export * as logV1 from './gen/pluggableharness/log/v1/log_pb.js';
export * as modelV1 from './gen/pluggableharness/model/v1/model_pb.js';
export * as planV1 from './gen/pluggableharness/plan/v1/plan_pb.js';
export * as renderV1 from './gen/pluggableharness/render/v1/render_pb.js';
export * as schemaV1 from './gen/pluggableharness/schema/v1/schema_pb.js';
export * as sessionV1 from './gen/pluggableharness/session/v1/session_pb.js';
export * as toolV1 from './gen/pluggableharness/tool/v1/tool_pb.js';
