// One request to run an operation, as it goes to the provider.
import type { ToolErrorData } from '../errors/tool-error.js';
import type { JsonObject } from './json.js';

/** Set on every Invoke (RPC-05). */
export interface CallContext {
  readonly sessionId: string;
  readonly turnId: string;
  /** Absolute path; relative path arguments resolve against it (RPC-06). */
  readonly workingDirectory: string;
}

export interface ToolCall {
  /** ULID. */
  readonly id: string;
  readonly toolName: string;
  readonly arguments: JsonObject;
  readonly context: CallContext;
}

/** How a call ended, as hooks and apply results carry it. */
export type CallResult =
  | { readonly type: 'result'; readonly payload: JsonObject }
  | { readonly type: 'error'; readonly error: ToolErrorData };
