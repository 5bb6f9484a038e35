// The surface of the kernel that programs use. `createKernel` makes one.
import type {
  JsonObject,
  Message,
  ModelRef,
  Operation,
  PostModelResponsePayload,
  ProviderIdentity,
  RenderTree,
  Violation,
} from '@tenon/protocol';
import type { KernelConfig } from './config/model.js';
import type { InProcessHook } from './hooks/subscriber.js';
import type { KernelObserver } from './invoke/recorder.js';
import type { Journal } from './journal/journal.js';
import type { CallOutcome } from './outcome.js';
import type { Approver } from './plan/approver.js';

/** A call as the model made it. */
export interface RequestedCall {
  /** The model's own id for it (tool_use id), kept for the tool_result; made up when absent. */
  readonly id?: string;
  /** `provider.operation`; `provider__operation` is accepted, as model APIs allow no dots. */
  readonly name: string;
  readonly arguments: unknown;
}

export interface OperationListing {
  readonly provider: string;
  /** `provider.operation`. */
  readonly name: string;
  /** `provider__operation`, for model APIs. */
  readonly modelName: string;
  readonly operation: Operation;
}

export interface ProviderStatus {
  readonly name: string;
  readonly state: 'ready' | 'stopped' | 'crashed' | 'failed';
  readonly identity?: ProviderIdentity;
  readonly pid?: number;
  /** Why it failed or crashed. */
  readonly problem?: string;
  /** Operations refused at load, with the requirements they break (KND-03). */
  readonly refused: readonly {
    readonly operation: string;
    readonly violations: readonly Violation[];
  }[];
}

export interface RunOptions {
  readonly signal?: AbortSignal;
  readonly observer?: KernelObserver;
  readonly approver?: Approver;
  /** Overrides every deadline rule for these calls, in milliseconds (TMO-02). */
  readonly timeoutMs?: number;
}

export type TurnEnd =
  /** All calls have results; the model goes on. */
  | { readonly reason: 'continue' }
  /** A successful call of an operation with terminates_turn (TRM-02). */
  | { readonly reason: 'terminated'; readonly callId: string }
  | { readonly reason: 'doom_loop'; readonly message: string }
  /** A bound was hit: ask the model for a final answer without tools. */
  | {
      readonly reason: 'bound';
      readonly bound: 'max_turns' | 'wall_clock' | 'cost';
      readonly message: string;
    }
  | { readonly reason: 'aborted' };

export interface TurnResult {
  readonly turnId: string;
  /** In declaration order, one per requested call. */
  readonly outcomes: readonly CallOutcome[];
  readonly end: TurnEnd;
}

export interface SessionOptions {
  /** Absolute path; default: the process's working directory. */
  readonly workingDirectory?: string;
  readonly profile?: string;
  /** Removes resource operations from what the model is offered, and refuses them (GATE-09). */
  readonly planMode?: boolean;
  readonly parentSessionId?: string;
}

export interface Session {
  readonly id: string;
  readonly workingDirectory: string;
  planMode: boolean;
  /** What the model is offered now. */
  operations(): readonly OperationListing[];
  runTurn(calls: readonly RequestedCall[], options?: RunOptions): Promise<TurnResult>;
  /** A turn of one call. */
  call(call: RequestedCall, options?: RunOptions): Promise<CallOutcome>;
  /**
   * The hooks at pre-model-call: transforms may change the messages. Rejects with HookDenied when a veto, or a
   * failing transform, stops the model call.
   */
  beforeModelCall(messages: readonly Message[], model?: ModelRef): Promise<readonly Message[]>;
  /** The hooks at post-model-response. Rejects with HookDenied when a veto says that the answer must not be used. */
  afterModelResponse(response: Omit<PostModelResponsePayload, 'point'>): Promise<void>;
  /** Adds to the session's reported cost (bounds). */
  reportCost(usd: number): void;
  end(status?: 'completed' | 'cancelled' | 'failed'): Promise<void>;
}

export interface KernelOptions {
  readonly config: KernelConfig;
  /** Absent: every `ask` is denied with a message that says why. */
  readonly approver?: Approver;
  readonly observer?: KernelObserver;
  /** Absent: opened from `config.settings.journalPath`. */
  readonly journal?: Journal;
  /** Hooks as functions, after those of the configuration. */
  readonly hooks?: readonly InProcessHook[];
  /** Start only these providers; default all. Others start at their first call. */
  readonly start?: readonly string[];
}

export interface Kernel {
  readonly journal: Journal;
  operations(): readonly OperationListing[];
  providers(): readonly ProviderStatus[];
  /** Rejects with HookDenied when a hook at session-start denies it. */
  openSession(options?: SessionOptions): Promise<Session>;
  /** Opens a session for one call and ends it. */
  call(call: RequestedCall, options?: RunOptions & SessionOptions): Promise<CallOutcome>;
  /** Renders an opaque payload by its producer, or by the fallback (RND-02). */
  render(
    provider: string,
    payload: Uint8Array | JsonObject,
    schemaVersion: string,
  ): Promise<RenderTree>;
  /** Ends sessions, stops every provider, closes the journal. Nothing is left behind. */
  close(): Promise<void>;
}
