// What a run gives to its checks, as types; `context.ts` makes it, `exercise.ts` runs through the cases.
import type { JsonObject, Operation, ReadProviderSchema } from '@tenon/protocol';
import type { CaseFile, ProviderCase } from '../cases/model.js';
import type { Workspaces } from '../cases/workspace.js';
import type { RunningProvider } from '../probe/provider.js';
import type { ProviderProcess, SpawnOptions, Target } from '../probe/provider-process.js';
import type { Recording } from '../probe/stream.js';
import type { Transcript } from '../probe/transcript.js';
import type { Random } from './random.js';
import type { PlannedConfig } from './settings.js';

/** A check cannot be carried out; the reason is for the author. */
export class Unreached extends Error {}

export interface ContextOptions {
  readonly target: Target;
  readonly cases: CaseFile;
  readonly seed: number;
  /** For one call; starting may take three times as long. */
  readonly timeoutMs: number;
  /** Whether the host offers TLS. */
  readonly tls: boolean;
}

/** GetSchema's answer, as bytes and as it was read. */
export interface Survey extends ReadProviderSchema {
  readonly bytes: Buffer;
  readonly config: PlannedConfig;
}

/** What lives for the whole run. */
export interface RunContext {
  readonly options: ContextOptions;
  readonly cases: CaseFile;
  readonly timeoutMs: number;
  readonly transcript: Transcript;
  readonly workspaces: Workspaces;
  /** The working directory of the processes under test: empty, and no call's. */
  readonly home: string;
  random(name: string): Random;
  /** @throws StartError, Unreached */
  survey(): Promise<Survey>;
  /** A configured provider that undestructive checks share; started again when it has died. */
  shared(): Promise<RunningProvider>;
  exercise(): Promise<Exercise>;
  start(options?: Partial<SpawnOptions>): Promise<RunningProvider>;
  startConfigured(config?: JsonObject): Promise<RunningProvider>;
  dispose(): Promise<void>;
}

/** The context of one check: what it starts ends with it. */
export interface CheckContext extends RunContext {
  spawn(options?: Partial<SpawnOptions>): Promise<ProviderProcess>;
  /** Runs when the check is over. */
  defer(action: () => void | Promise<void>): void;
}

/** One call that was made. */
export interface Exercised {
  /** Absent for a generated call. */
  readonly case: ProviderCase | undefined;
  /** Absent for an operation that the schema does not list. */
  readonly operation: Operation | undefined;
  readonly recording: Recording;
  /** Entries that appeared in the process's own working directory, where no call works. */
  readonly strays: readonly string[];
}

export interface Exercise {
  readonly calls: readonly Exercised[];
  /** Cases that could not be run, with the reason. */
  readonly skipped: readonly { readonly case: ProviderCase; readonly reason: string }[];
}
