// What the kit and the adapter of a kernel say to each other: one JSON object per line, requests on the adapter's
// stdin, one answer per request on its stdout, in any order. Documented in docs/guide/conformance.md.
import type { JsonObject, ToolErrorCategory } from '@tenon/protocol';

export interface AdapterProvider {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** The only variables to set, beside those that the kernel gives to every provider. */
  readonly env: Readonly<Record<string, string>>;
  /** The operator's deadlines by operation, in milliseconds. */
  readonly timeoutsMs: Readonly<Record<string, number>>;
  /** Checksum that the program of the provider is locked to; absent: none is. */
  readonly sha256?: string;
}

export interface AdapterPolicy {
  readonly name: string;
  readonly match: {
    readonly tool_name?: string;
    readonly provider?: string;
    readonly risk?: string;
    readonly kind?: string;
  };
  readonly action: 'allow' | 'ask' | 'deny';
  readonly reason?: string;
}

export interface AdapterHook {
  readonly name: string;
  readonly point: string;
  readonly mode: 'observe' | 'transform' | 'veto';
  readonly provider: string;
  readonly timeoutMs: number;
}

/** Starts a kernel and a session. Only one runs at a time. */
export interface StartRequest {
  readonly op: 'start';
  readonly workingDirectory: string;
  readonly providers: readonly AdapterProvider[];
  readonly policies: readonly AdapterPolicy[];
  readonly hooks: readonly AdapterHook[];
  readonly settings: {
    readonly defaultTimeoutMs: number;
    readonly previewTimeoutMs: number;
    readonly cancelGraceMs: number;
    /** Bad outcomes in a row that open the breaker. */
    readonly breakerConsecutive: number;
  };
  readonly planMode: boolean;
  /** Whatever the options of the kit say for this adapter. */
  readonly extra: JsonObject;
}

export interface StartAnswer {
  /** Operations that the model is offered, as `provider.operation`. */
  readonly offered: readonly string[];
  /** Operations that were refused at load, and why. */
  readonly refused: readonly { readonly operation: string; readonly reason: string }[];
  readonly warnings: readonly string[];
}

export interface AdapterCall {
  readonly id: string;
  /** `provider.operation`. */
  readonly name: string;
  readonly arguments: JsonObject;
}

/** What a person would decide about a call that is asked for. A call without one is not decided: nobody is there. */
export interface AdapterDecision {
  readonly action: 'allow' | 'deny';
  readonly scope?: 'once' | 'session' | 'always';
  readonly reason?: string;
  readonly arguments?: JsonObject;
  /** How long the person thinks. */
  readonly afterMs?: number;
}

export interface TurnRequest {
  readonly op: 'turn';
  readonly calls: readonly AdapterCall[];
  readonly decisions: Readonly<Record<string, AdapterDecision>>;
  /** Answers to interactive calls, by call id. */
  readonly answers: Readonly<Record<string, JsonObject>>;
  /** Cancel the turn after so long. */
  readonly cancelAfterMs?: number;
}

export interface AdapterResult {
  readonly callId: string;
  readonly status: 'ok' | 'error' | 'denied' | 'cancelled';
  readonly payload?: JsonObject;
  readonly error?: {
    readonly category: ToolErrorCategory;
    readonly message: string;
    readonly details?: JsonObject;
  };
  /** Exactly what the model would be given as the tool_result, as text. */
  readonly modelSees: string;
  /** Whether that is an error to the model. */
  readonly isError: boolean;
  /** The joined output_chunks that an observer saw. */
  readonly output: string;
}

export interface AdapterPlanItem {
  readonly callId: string;
  readonly operation: string;
  readonly kind: string;
  readonly risk: string;
  readonly description: string;
  readonly hasPreview: boolean;
}

export interface TurnAnswer {
  /** `continue`, `terminated`, or another word of the kernel's. */
  readonly end: string;
  /** In the order of the calls. */
  readonly results: readonly AdapterResult[];
  readonly plan: readonly AdapterPlanItem[];
  /** Calls that a person was asked to decide. */
  readonly asked: readonly string[];
}

/** What the kernel's record says of a call, or of all. */
export interface ReportRequest {
  readonly op: 'report';
}
export interface ReportAnswer {
  readonly calls: readonly {
    readonly callId: string;
    readonly attempts: number;
    /** Texts of chunks and partial results that were recorded. */
    readonly recorded: string;
    /** Requirement ids of violations, or any words that say what was wrong. */
    readonly violations: readonly string[];
    readonly downgraded: boolean;
    readonly originalArguments?: JsonObject;
  }[];
}

export interface RenderRequest {
  readonly op: 'render';
  readonly provider: string;
  readonly payload: JsonObject;
  readonly schemaVersion: string;
}
export interface RenderAnswer {
  /** Everything that the picture shows, as text. */
  readonly text: string;
}

/** Ends the kernel: nothing of it is left. */
export interface StopRequest {
  readonly op: 'stop';
}

export type AdapterRequest =
  | StartRequest
  | TurnRequest
  | ReportRequest
  | RenderRequest
  | StopRequest;

/** `unsupported`: the kernel has nothing of the kind; the checks that need it are not reached. */
export type AdapterReply =
  | { readonly id: number; readonly ok: true; readonly answer: unknown }
  | {
      readonly id: number;
      readonly ok: false;
      readonly error: string;
      readonly unsupported?: boolean;
    };
