// What the catalog is made of: providers that run or can be started, and the operations that they offer.
// Types alone; catalog.ts opens one.
import type {
  Operation,
  ProviderIdentity,
  ProviderSchema,
  ToolProvider,
  Violation,
} from '@tenon/protocol';
import type { ProviderStatus } from '../api.js';
import type { ProviderConfig } from '../config/model.js';
import type { LockTable } from '../locks/lock-table.js';

/** How a provider's process or in-process instance came to its end. */
export interface CrashReport {
  /** Which start of this provider it was, from 1; tells crashes of one process from those of the next. */
  readonly incarnation: number;
  /** One sentence for people: "exited with code 3", "was killed by SIGKILL". */
  readonly reason: string;
  /** Whether the kernel had asked for it. */
  readonly expected: boolean;
  readonly pid?: number;
  readonly exitCode?: number;
  readonly signal?: string;
  /** The last lines of stderr, oldest first. */
  readonly stderrTail: readonly string[];
}

/** One connection to one running provider; the process behind it is never replaced. */
export interface ProviderConnection extends ToolProvider {
  /** Which start of this provider it is, from 1. */
  readonly incarnation: number;
  /** Absent for a provider inside of this process. */
  readonly pid?: number;
  /** Settles once, when it has ended for whatever reason. Never rejects. */
  readonly closed: Promise<CrashReport>;
  /** Lets it end: Shutdown, grace, signals. Resolves when nothing of it is left. */
  stop(): Promise<void>;
  /** Ends it now; `reason` is what the calls in flight on it are told. */
  kill(reason: string): Promise<void>;
}

/** One configured provider across all of its starts. */
export interface ProviderRuntime {
  readonly name: string;
  readonly config: ProviderConfig;
  /** From Describe; before the first start, or of a provider without Describe, what the config says. */
  readonly identity: ProviderIdentity;
  /** From GetSchema, checked; without operations before the first start. */
  readonly schema: ProviderSchema;
  /** The operations that can be called, in the schema's order; empty before the first start. */
  entries(): readonly CatalogEntry[];
  status(): ProviderStatus;
  /**
   * The live connection, started when there is none, with backoff after crashes. Rejects with ToolError:
   * `process_crashed` when it cannot be started.
   */
  connection(): Promise<ProviderConnection>;
  /** Locks of this provider's calls (CON-04..06). */
  readonly locks: LockTable;
  /** The live connection, if there is one now. */
  live(): ProviderConnection | undefined;
  /**
   * Whether an operation is process-backed, as its first successful call has shown (EVT-03); undefined before.
   */
  processBacked(operation: string): boolean | undefined;
  /** A call went well: the provider works, and its operation has shown whether a process is behind it. */
  succeeded(operation: string, withExitStatus: boolean): void;
  /** Refuses new calls, then stops the process. */
  stop(): Promise<void>;
}

/** One operation that can be called. */
export interface CatalogEntry {
  /** `provider.operation`. */
  readonly qualifiedName: string;
  /** `provider__operation`, for model APIs that allow no dots. */
  readonly modelName: string;
  readonly provider: ProviderRuntime;
  readonly operation: Operation;
  /** Every violation of the input schema; empty when it conforms. */
  validateInput(value: unknown): readonly Violation[];
  /** Every violation of the output schema (OUT-01); empty when it conforms. */
  validateOutput(value: unknown): readonly Violation[];
}

/** All operations of all providers. */
export interface Catalog {
  /** In the order of the config, then of each provider's schema. */
  entries(): readonly CatalogEntry[];
  /**
   * By `provider.operation`, `provider__operation`, or a bare operation name that only one provider has.
   * The bare name of two is not resolved.
   */
  resolve(name: string): CatalogEntry | undefined;
  /** The nearest names, best first, for a name that does not resolve. */
  suggest(name: string): readonly string[];
  providers(): readonly ProviderRuntime[];
  /** Stops every provider; nothing is left behind. */
  close(): Promise<void>;
}
