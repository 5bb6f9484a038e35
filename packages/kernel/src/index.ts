// Public index of @tenon/kernel.
export type * from './api.js';
export type * from './config/model.js';
export { DEFAULT_SETTINGS } from './config/model.js';
export type * from './policy/model.js';
export type * from './plan/approver.js';
export type * from './outcome.js';
export type * from './invoke/recorder.js';
export type * from './react/reaction.js';
export type * from './journal/journal.js';
export { createKernel } from './kernel.js';
export type { InProcessHook } from './hooks/subscriber.js';
export { HookLoadError } from './hooks/check.js';
export { HookDenied } from './session/session.js';
export { compilePolicy } from './policy/compile.js';
export type { CompiledPolicy, PolicyWarning } from './policy/compile.js';
export { decide, mismatch } from './policy/decide.js';
export type { SessionRule } from './policy/decide.js';
export { PolicyError } from './policy/errors.js';
export { openJournal, openMemoryJournal } from './journal/sqlite.js';
export type { JournalOptions, OpenJournal } from './journal/sqlite.js';
export { JournalError } from './journal/errors.js';
export type { JournalProblem } from './journal/errors.js';
export { pruneJournal } from './journal/prune.js';
export type { PruneOptions, PruneResult } from './journal/prune.js';
export { exportJournal, parseExportedLine } from './journal/export.js';
export type { ExportOptions } from './journal/export.js';
export { fallbackTree } from './output/fallback-tree.js';
export { configFromObject, loadConfig } from './config/load.js';
export { ConfigError, problemText } from './config/error.js';
export type { ConfigProblem } from './config/error.js';
export { decodeSettings } from './config/settings.js';
export type { DecodedSettings } from './config/settings.js';
export { LockError } from './lockfile/error.js';
export type { FileHashes, LockedProvider, LockFile } from './lockfile/model.js';
export { readLockFile } from './lockfile/read.js';
export { verifyLock } from './lockfile/verify.js';
export { makeLockFile, writeLockFile } from './lockfile/write.js';
export type { LockInput } from './lockfile/write.js';
export { toAnthropicTools, toMcpTools, toOpenAITools } from './adapters/tools.js';
export type { AnthropicTool, McpTool, OpenAITool } from './adapters/tools.js';
export {
  toAnthropicToolResults,
  toMcpToolResults,
  toOpenAIToolMessages,
} from './adapters/results.js';
export type { AnthropicToolResult, McpToolResult, OpenAIToolMessage } from './adapters/results.js';
export { resultText } from './adapters/result-text.js';
export { toJsonSchema } from './adapters/json-schema.js';
export { renderedBy, replaySession } from './session/replay.js';
export type { EmitEntry, RenderEvent, ReplayedEntry } from './session/replay.js';
