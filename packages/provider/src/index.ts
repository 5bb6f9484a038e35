// Public index of @tenon/provider.
export { defineProvider } from './define-provider.js';
export type {
  Provider,
  ProviderContext,
  ProviderDefinition,
  ProviderOptions,
} from './define-provider.js';
export { dataSource, interactive, literalKey, pathKey, resource } from './operation.js';
export type {
  CallInfo,
  Concurrency,
  DataSourceOptions,
  HandlerContext,
  InteractiveOptions,
  OperationDefinition,
  PreviewContext,
  ResourceOptions,
} from './operation.js';
export type { Emit } from './call/emitter.js';
export type { CallKernel, SessionEvent } from './callbacks/kernel.js';
export type { Log } from './callbacks/log.js';
export { attr, configSchema } from './config/attr.js';
export type {
  Attribute,
  AttributeOptions,
  Attributes,
  ConfigOf,
  ConfigSchema,
  ConfigValues,
} from './config/attr.js';
export { fail, isToolError } from './errors/fail.js';
export type { Fail, FailOptions } from './errors/fail.js';
export { DefinitionError } from './errors/definition-error.js';
export type { DefinitionProblem } from './errors/definition-error.js';
export type { HookContext, Hooks } from './hooks/hooks.js';
export { HANDSHAKE } from './serve/handshake.js';
/** The domain types that an author's code sees. */
export type {
  CallContext,
  DerivedKey,
  DiffHunk,
  DiffLine,
  InProcessProvider,
  JsonObject,
  JsonValue,
  LogLevel,
  RenderNode,
  RenderTree,
  ReceivedEvent,
  SlashCommand,
  ToolCall,
  ToolError,
  ToolErrorData,
  ToolEvent,
} from '@tenon/protocol';
