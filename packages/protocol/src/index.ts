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
export {
  CATEGORIES,
  categoryFromGrpcCode,
  categoryFromName,
  categoryFromWireNumber,
  PROVIDER_CATEGORIES,
} from './errors/categories.js';
export type { ProviderErrorCategory } from './errors/categories.js';
export {
  ERROR_DOMAIN,
  isUnimplemented,
  STATUS_DETAILS_KEY,
  toolErrorFromStatus,
  toolErrorToStatus,
} from './errors/status.js';
export type { GrpcStatus, ReceivedStatus } from './errors/status.js';
export type { CallResult } from './domain/call.js';
export type { ContentBlock, Message } from './domain/content.js';
export type {
  HookPayload,
  HookPayloadOf,
  ModelRef,
  PostApplyPayload,
  PostModelResponsePayload,
  PostToolCallPayload,
  PlanReadyPayload,
  PreModelCallPayload,
  PreToolCallPayload,
  SessionEndPayload,
  SessionStartPayload,
  Usage,
} from './domain/hook-payloads.js';
export type { ApplyItem, ApplyResult } from './domain/plan.js';
export { SESSION_STATUSES } from './domain/session.js';
export type { SessionStatus } from './domain/session.js';
export { checkJson, checkJsonValue, describeValue } from './json/check.js';
export type { JsonCheck } from './json/check.js';
export { parseJsonExact } from './json/parse.js';
export { MAX_JSON_DEPTH } from './json/limits.js';
export { escapeToken, pointerOf } from './json/pointer.js';
export { decodeMessage, encodeMessage } from './wire/codec.js';
export type { Received } from './convert/received.js';
export { toolCallFromWire, toolCallToWire } from './convert/tool-call.js';
export { toolErrorFromWire, toolErrorToWire } from './convert/tool-error.js';
export { toolEventFromBytes, toolEventFromWire, toolEventToWire } from './convert/tool-event.js';
export { identityFromWire, identityToWire } from './convert/identity.js';
export { MAX_RENDER_DEPTH, renderTreeFromWire, renderTreeToWire } from './convert/render-tree.js';
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
export { compileValidator } from './schema/compile.js';
export { nearest } from './schema/nearest.js';
export type { Validator, ValidatorOptions } from './schema/compile.js';
export { checkOperation, refusesOperation } from './schema/check-operation.js';
export type { OperationDraft } from './schema/check-operation.js';
export { checkProviderSchema } from './schema/check-provider-schema.js';
export type { ProviderSchemaDraft } from './schema/check-provider-schema.js';
export { checkRootSchema } from './schema/check-schema.js';
export { schemaFromWire, schemaToWire } from './convert/schema.js';
export { configSchemaFromWire, configSchemaToWire } from './convert/config-schema.js';
export {
  extensionsToWire,
  providerSchemaFromWire,
  providerSchemaToWire,
} from './convert/provider-schema.js';
export type { ReadProviderSchema, RefusedOperation } from './convert/provider-schema.js';
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
  contentBlockToWire,
  contentFromWire,
  messageFromWire,
  messageToWire,
} from './convert/content.js';
export { hookPayloadFromWire, hookPayloadToWire } from './convert/hook-payload.js';
export {
  hookAnswerFromWire,
  hookAnswerToWire,
  hookDispatchFromWire,
  hookDispatchToWire,
} from './convert/hook.js';
export {
  logEntryFromWire,
  logEntryToWire,
  logRequestFromWire,
  logRequestToWire,
} from './convert/log-entry.js';
export { sessionStatusFromWire, sessionStatusToWire } from './convert/session.js';
export { eventKinds, hookPoints } from './convert/enums.js';
export type { EmittedKind, ProviderCategory } from './convert/enums.js';
export { canonicalJson } from './json/canonical.js';
export { structFromWire, structToWire } from './wire/codec.js';
export { WireDecodeError, WireEncodeError } from './wire/errors.js';
export { REQUIREMENT_GROUPS, REQUIREMENTS, requirement } from './requirements/catalogue.js';
export type {
  Requirement,
  RequirementGroup,
  RequirementLevel,
  RequirementSide,
} from './requirements/requirement.js';
