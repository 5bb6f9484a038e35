// The operations of a provider as an author writes them: three helpers, one per kind, whose zod schemas give the
// handler its types. Nothing is checked here; defineProvider checks, and names the operation in its errors.
import type { CallContext, DerivedKey, JsonObject, RenderTree, Risk } from '@tenon/protocol';
import type * as z from 'zod';
import type { ConfigOf, ConfigSchema } from './config/attr.js';
import type { Emit } from './call/emitter.js';
import type { CallKernel } from './callbacks/kernel.js';
import type { Log } from './callbacks/log.js';

/** What a call is, beside its arguments. */
export interface CallInfo {
  readonly id: string;
  readonly toolName: string;
  /** `workingDirectory` is what relative paths are relative to (RPC-06). */
  readonly context: CallContext;
}

/** What a handler gets. */
export interface HandlerContext<Args, Config, Emitter> {
  /** Checked against the input schema: nothing undeclared, nothing missing. */
  readonly args: Args;
  readonly call: CallInfo;
  /** Aborts when the call is cancelled (CAN-02). Hand it on to everything that takes one. */
  readonly signal: AbortSignal;
  /** Sends events while the call runs. What it can do depends on `streaming` and `processBacked` (EVT-03, EVT-04). */
  readonly emit: Emitter;
  readonly kernel: CallKernel;
  readonly log: Log;
  readonly config: Config;
}

/** What a preview gets: it looks, and changes nothing (PRV-02). */
export type PreviewContext<Args, Config> = Omit<
  HandlerContext<Args, Config, never>,
  'emit' | 'kernel'
>;

/** How calls of an operation may overlap (CON-01..07). `keyFields` needs `safe: true`. */
export type Concurrency<Field extends string> =
  | { readonly safe: false }
  | {
      readonly safe: true;
      /** Calls with equal values of these arguments run one after the other. */
      readonly keyFields?: readonly Field[];
    };

interface Common<
  I extends z.ZodObject,
  O extends z.ZodObject,
  C extends ConfigSchema<unknown>,
  S extends boolean,
  P extends boolean,
> {
  readonly description: string;
  readonly input: I;
  readonly output: O;
  /** The provider's config schema, when the handler reads `config`. */
  readonly config?: C;
  /** Whether output comes while the call runs (EVT-04). Default: false. */
  readonly streaming?: S;
  /** Whether a child process does the work, so that it may report an exit status (EVT-02, EVT-03). Default: false. */
  readonly processBacked?: P;
  /** Default: `{ safe: false }`, one call at a time in the whole provider. */
  readonly concurrency?: Concurrency<keyof z.infer<I> & string>;
  /** Lock keys computed from the arguments, such as the file that a path means (OPEN-02). */
  readonly keys?: readonly DerivedKey[];
  /** Milliseconds; the kernel's deadline unless the operator says otherwise (TMO-01). Default: 60,000. */
  readonly timeout?: number;
  /** Does the work. Returns the result; throws `fail.…` (or anything else, which becomes `unknown`). */
  handler(
    context: HandlerContext<z.infer<I>, ConfigOf<C>, Emit<S, P>>,
  ): z.infer<O> | Promise<z.infer<O>>;
}

interface Previewing<I extends z.ZodObject, C extends ConfigSchema<unknown>> {
  /** Shows what the call would do. Must change nothing (PRV-01, PRV-02). */
  preview?(
    context: PreviewContext<z.infer<I>, ConfigOf<C>>,
  ): RenderTree | undefined | Promise<RenderTree | undefined>;
}

/** An operation that only looks. */
export interface DataSourceOptions<
  I extends z.ZodObject,
  O extends z.ZodObject,
  C extends ConfigSchema<unknown>,
  S extends boolean,
  P extends boolean,
> extends Common<I, O, C, S, P> {}

/** An operation that changes something, and therefore needs a plan and a decision. */
export interface ResourceOptions<
  I extends z.ZodObject,
  O extends z.ZodObject,
  C extends ConfigSchema<unknown>,
  S extends boolean,
  P extends boolean,
> extends Common<I, O, C, S, P>,
    Previewing<I, C> {
  readonly risk: Exclude<Risk, 'read_only'>;
  /** Whether running it twice is the same as running it once; only then does the kernel retry it (RTY-01). */
  readonly idempotent?: boolean;
  /** Whether a success ends the turn (TRM-01). */
  readonly terminatesTurn?: boolean;
}

/** An operation that a human answers. The kernel asks; its output schema is the form of the answer. */
export interface InteractiveOptions<
  I extends z.ZodObject,
  O extends z.ZodObject,
  C extends ConfigSchema<unknown>,
> extends Omit<
    Common<I, O, C, false, false>,
    'streaming' | 'processBacked' | 'concurrency' | 'keys' | 'handler'
  > {
  /** For kernels that leave the asking to the provider. Absent: such a call fails. */
  handler?(
    context: HandlerContext<z.infer<I>, ConfigOf<C>, Emit<false, false>>,
  ): z.infer<O> | Promise<z.infer<O>>;
}

/** An operation of any types, as defineProvider takes it. Made by dataSource, resource and interactive. */
export interface OperationDefinition {
  readonly kind: 'data_source' | 'resource' | 'interactive';
  readonly risk: Risk;
  readonly description: string;
  readonly input: z.ZodObject;
  readonly output: z.ZodObject;
  readonly config: ConfigSchema<unknown> | undefined;
  readonly streaming: boolean;
  readonly processBacked: boolean;
  readonly concurrency:
    | { readonly safe: boolean; readonly keyFields: readonly string[] }
    | undefined;
  readonly keys: readonly DerivedKey[];
  readonly timeoutMs: number;
  readonly idempotent: boolean;
  readonly terminatesTurn: boolean;
  readonly handler: ((context: ErasedContext) => unknown) | undefined;
  readonly preview: ((context: ErasedContext) => unknown) | undefined;
}

/** The context of a handler whose types are no longer known. */
export type ErasedContext = HandlerContext<JsonObject, unknown, Emit<true, true>>;

const DEFAULT_TIMEOUT_MS = 60_000;
const INTERACTIVE_TIMEOUT_MS = 600_000;

/** Declares an operation that only looks (KND-01, KND-04). */
export function dataSource<
  I extends z.ZodObject,
  O extends z.ZodObject,
  C extends ConfigSchema<unknown> = ConfigSchema<Record<string, never>>,
  S extends boolean = false,
  P extends boolean = false,
>(options: DataSourceOptions<I, O, C, S, P>): OperationDefinition {
  return {
    ...common(options),
    kind: 'data_source',
    risk: 'read_only',
    idempotent: true,
    terminatesTurn: false,
    preview: undefined,
  };
}

/** Declares an operation that changes something (KND-01, KND-02). */
export function resource<
  I extends z.ZodObject,
  O extends z.ZodObject,
  C extends ConfigSchema<unknown> = ConfigSchema<Record<string, never>>,
  S extends boolean = false,
  P extends boolean = false,
>(options: ResourceOptions<I, O, C, S, P>): OperationDefinition {
  return {
    ...common(options),
    kind: 'resource',
    risk: options.risk,
    idempotent: options.idempotent ?? false,
    terminatesTurn: options.terminatesTurn ?? false,
    preview: options.preview?.bind(options) as OperationDefinition['preview'],
  };
}

/** Declares an operation that a human answers (KND-05, CON-03). */
export function interactive<
  I extends z.ZodObject,
  O extends z.ZodObject,
  C extends ConfigSchema<unknown> = ConfigSchema<Record<string, never>>,
>(options: InteractiveOptions<I, O, C>): OperationDefinition {
  return {
    kind: 'interactive',
    risk: 'read_only',
    description: options.description,
    input: options.input,
    output: options.output,
    config: options.config,
    streaming: false,
    processBacked: false,
    concurrency: undefined,
    keys: [],
    timeoutMs: options.timeout ?? INTERACTIVE_TIMEOUT_MS,
    idempotent: false,
    terminatesTurn: false,
    handler: options.handler?.bind(options) as OperationDefinition['handler'],
    preview: undefined,
  };
}

function common<
  I extends z.ZodObject,
  O extends z.ZodObject,
  C extends ConfigSchema<unknown>,
  S extends boolean,
  P extends boolean,
>(options: Common<I, O, C, S, P>) {
  const { concurrency } = options;
  return {
    description: options.description,
    input: options.input,
    output: options.output,
    config: options.config,
    streaming: options.streaming ?? false,
    processBacked: options.processBacked ?? false,
    concurrency: {
      safe: concurrency?.safe ?? false,
      // Read also where the types forbid it, so that defineProvider can refuse it (CON-07).
      keyFields: (concurrency as { keyFields?: readonly string[] } | undefined)?.keyFields ?? [],
    },
    keys: options.keys ?? [],
    timeoutMs: options.timeout ?? DEFAULT_TIMEOUT_MS,
    handler: options.handler.bind(options) as unknown as OperationDefinition['handler'],
  };
}

/**
 * A lock key that is a file: relative spellings, "..", and symbolic links of one file are one key (OPEN-02).
 * `field` is a path of property names such as "path" or "edits/*\/path". Operations that name the same space
 * share its locks; without one, the space is the operation's own.
 */
export function pathKey(field: string, keySpace = ''): DerivedKey {
  return { field, derivation: 'path', keySpace };
}

/** A lock key that is the value as it stands; see {@link pathKey}. */
export function literalKey(field: string, keySpace = ''): DerivedKey {
  return { field, derivation: 'literal', keySpace };
}
