// The events of an Invoke stream (EVT-01..07). Exactly one of result or error ends it.
import type { ToolErrorData } from '../errors/tool-error.js';
import type { JsonObject } from './json.js';

export type OutputStream = 'stdout' | 'stderr';

export type ToolEvent =
  | { readonly type: 'output_chunk'; readonly stream: OutputStream; readonly data: Uint8Array }
  | { readonly type: 'progress'; readonly message: string; readonly fraction?: number }
  | { readonly type: 'partial_result'; readonly payload: JsonObject }
  | { readonly type: 'exit_status'; readonly exitCode: number; readonly signal?: string }
  | { readonly type: 'result'; readonly payload: JsonObject }
  | { readonly type: 'error'; readonly error: ToolErrorData };

export type ToolEventType = ToolEvent['type'];

/** What a rule break looks like, wherever it is found: which requirement, where, and what was seen. */
export interface Violation {
  /** Requirement id, such as "SCH-03". */
  readonly requirement: string;
  /** JSON pointer into the thing that was checked, '' for the whole. */
  readonly pointer: string;
  readonly message: string;
}

/** An event as it came from a peer that may break the rules. */
export type ReceivedEvent =
  | { readonly ok: true; readonly event: ToolEvent }
  | { readonly ok: false; readonly violations: readonly Violation[] };
