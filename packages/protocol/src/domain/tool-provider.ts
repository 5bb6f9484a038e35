// A provider as a kernel sees it once it runs, whatever carries the calls: an SDK provider in the same
// process implements it directly, a subprocess through the kernel's gRPC connection.
import type { ToolCall } from './call.js';
import type { HookMode } from './hook.js';
import type { HookPayload } from './hook-payloads.js';
import type { JsonObject } from './json.js';
import type { LogEntry } from './log.js';
import type { ProviderIdentity, ProviderSchema } from './operation.js';
import type { RenderTree } from './render.js';
import type { ReceivedEvent } from './event.js';

/** What the kernel offers to a provider (the callback service), already bound to that provider. */
export interface KernelCallbacks {
  /** Appends an opaque event to the session. Resolves to its id and sequence. */
  emit(event: {
    sessionId: string;
    kind: string;
    schemaVersion: string;
    payload: Uint8Array;
  }): Promise<{ id: string; sequence: number }>;
  log(entry: LogEntry, sessionId?: string): void;
}

/** One event of a hook point on its way to one subscriber; `payload.point` says which point. */
export interface HookDispatch {
  readonly mode: HookMode;
  /** Tells apart several subscriptions of one provider. */
  readonly subscriptionId?: string;
  readonly payload: HookPayload;
}
export type HookAnswer =
  | { readonly type: 'observe' }
  /** The payload that replaces the one sent; of the same point. */
  | { readonly type: 'transform'; readonly payload: HookPayload }
  /** 'unspecified' is what a peer says that does not decide; it counts as deny (GATE-08). */
  | { readonly type: 'veto'; readonly decision: 'allow' | 'deny' | 'unspecified' };

/** Methods reject with ToolError. */
export interface ToolProvider {
  describe(): Promise<ProviderIdentity>;
  schema(): Promise<ProviderSchema>;
  /** Rejects with `invalid_arguments` and the list of problems (CFG-01). */
  configure(config: JsonObject): Promise<void>;
  /**
   * Yields the events in order. Ends after the terminal event; a rule break of the provider arrives as
   * `{ ok: false }`, never as a throw. Aborting `signal` cancels the call (CAN-01). Not consuming the
   * iterator slows the provider down (EVT-07).
   */
  invoke(call: ToolCall, options: { signal: AbortSignal }): AsyncIterable<ReceivedEvent>;
  /** Resolves to undefined when the provider has no Preview (RPC-07). */
  preview(call: ToolCall, options: { signal: AbortSignal }): Promise<RenderTree | undefined>;
  /** Resolves to undefined when the provider has no Render (RPC-07). */
  render(payload: Uint8Array, schemaVersion: string): Promise<RenderTree | undefined>;
  /** Resolves to undefined when the provider serves no hooks. */
  dispatchHook(
    dispatch: HookDispatch,
    options: { signal: AbortSignal },
  ): Promise<HookAnswer | undefined>;
}

/** An SDK provider that runs in the embedding process: made anew for each kernel, with that kernel's callbacks. */
export interface InProcessProvider {
  start(callbacks: KernelCallbacks): Promise<ToolProvider & { stop(): Promise<void> }>;
}
