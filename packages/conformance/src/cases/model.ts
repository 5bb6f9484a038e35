// What an author tells the kit beside the schema: settings, fixtures, calls and what they should end in. Read from
// a case file by `read.ts`; without a file, `NO_CASES`.
import type { JsonObject, ToolErrorCategory } from '@tenon/protocol';

/** Something that lies in the working directory of each call. */
export type Fixture =
  | {
      readonly path: string;
      readonly kind: 'file';
      readonly content: Buffer;
      readonly mode?: number;
    }
  | { readonly path: string; readonly kind: 'folder'; readonly mode?: number }
  | { readonly path: string; readonly kind: 'link'; readonly to: string };

export type Expectation =
  | {
      readonly type: 'result';
      /** What the payload must contain; absent: anything. */
      readonly payload?: JsonObject;
      /** The joined output_chunks of a stream, exactly (EVT-05). */
      readonly stdout?: string;
      readonly stderr?: string;
    }
  | { readonly type: 'error'; readonly category: ToolErrorCategory };

export interface OtherCall {
  readonly operation: string;
  readonly arguments: JsonObject;
}

export interface ProviderCase extends OtherCall {
  readonly name: string;
  readonly expect: Expectation;
  /** Settings for this case alone, laid over those of the file: it gets a process of its own. */
  readonly config?: JsonObject;
  /** Runs a child process to its end, so that one exit_status is due (EVT-02). */
  readonly exitStatus: boolean;
  /** Goes beyond a boundary that the settings draw (CFG-03). */
  readonly boundary: boolean;
  /** Names something in the working directory by a relative path (RPC-06). */
  readonly relativePath: boolean;
  /** Runs until it is cancelled, or for several seconds. */
  readonly longRunning: boolean;
  /** When it is cancelled, something has happened that is to be reported (CAN-03). */
  readonly reports: boolean;
  /** A call that runs already when this one is made. */
  readonly whileRunning?: OtherCall;
  readonly line: number;
}

export interface RenderCase {
  readonly name: string;
  readonly payload: Buffer;
  readonly schemaVersion: string;
  readonly expect: 'tree' | 'error';
  /** Of an older version of the provider (RND-03). */
  readonly older: boolean;
}

export interface CaseFile {
  /** Where it was read from; undefined when there is none. */
  readonly path: string | undefined;
  readonly config: JsonObject;
  /** Whether resources may be called, in a throw-away directory. */
  readonly runResources: boolean;
  readonly fixtures: readonly Fixture[];
  /** Operations that run child processes, and so may send exit_status (EVT-03). */
  readonly processBacked: ReadonlySet<string>;
  readonly cases: readonly ProviderCase[];
  readonly render: readonly RenderCase[];
  /** Requirement or check id → the author's reason why there is nothing to check. */
  readonly notApplicable: ReadonlyMap<string, string>;
}

export const NO_CASES: CaseFile = {
  path: undefined,
  config: {},
  runResources: false,
  fixtures: [],
  processBacked: new Set(),
  cases: [],
  render: [],
  notApplicable: new Map(),
};
