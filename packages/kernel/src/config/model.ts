// The configuration of a kernel as plain data. `agent.hcl`, its JSON form and an embedding program all end
// here; nothing below this file knows where a setting came from, except to name its place in an error.
import type { HookMode, HookPoint, InProcessProvider, JsonObject } from '@tenon/protocol';
import type { PolicyRule } from '../policy/model.js';

/** A place in a configuration file, both counted from 1. */
export interface SourceLocation {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** How the kernel reaches a provider. */
export type ProviderLaunch =
  | {
      readonly type: 'command';
      /** Absolute path, or a name looked up on PATH. */
      readonly command: string;
      readonly args: readonly string[];
      readonly cwd?: string;
      /** Variables set for this provider, literally. */
      readonly env: Readonly<Record<string, string>>;
      /** Names passed through from the kernel's environment, beside the fixed allow-list (RPC-10). */
      readonly envAllow: readonly string[];
      /** 'off' accepts a provider without TLS, for stacks that cannot do it. */
      readonly tls: 'mutual' | 'off';
      readonly startTimeoutMs?: number;
    }
  | { readonly type: 'in_process'; readonly provider: InProcessProvider };

export interface ProviderConfig {
  /** The name that calls use: `NAME.operation`. */
  readonly name: string;
  readonly launch: ProviderLaunch;
  /** A local command without lock entry; its identity comes from Describe. */
  readonly dev: boolean;
  readonly source?: string;
  readonly version?: string;
  /** The block that goes to Configure, decoded against the provider's own schema at start. */
  readonly settings: JsonObject;
  /** Where each setting stands, by JSON pointer; '' is the block. */
  readonly locations: ReadonlyMap<string, SourceLocation>;
  /** Operator's deadlines by operation name, in milliseconds (TMO-02). */
  readonly timeoutsMs: Readonly<Record<string, number>>;
}

export interface HookSubscription {
  readonly name: string;
  readonly point: HookPoint;
  readonly mode: HookMode;
  /** Name of the provider that serves it (HKP-02). */
  readonly provider: string;
  readonly timeoutMs?: number;
  readonly location?: SourceLocation;
}

export interface RetrySettings {
  readonly baseMs: number;
  readonly factor: number;
  /** 0..1: how much of the delay is random. */
  readonly jitter: number;
  readonly maxAttempts: number;
  /** Ceiling of the time from the first attempt's start, in milliseconds. */
  readonly maxTotalMs: number;
}

export interface BreakerSettings {
  /** Bad outcomes in a row that open it. */
  readonly consecutive: number;
  /** Bad outcomes among the last `windowSize` that open it. */
  readonly windowBad: number;
  readonly windowSize: number;
  readonly cooldownMs: number;
}

export interface Bounds {
  readonly maxTurns?: number;
  readonly wallClockMs?: number;
  readonly costUsd?: number;
}

export interface KernelSettings {
  readonly defaultTimeoutMs: number;
  readonly previewTimeoutMs: number;
  readonly hookTimeoutMs: number;
  /** How long a provider may take to end a cancelled call before it is killed. */
  readonly cancelGraceMs: number;
  readonly startTimeoutMs: number;
  readonly shutdownGraceMs: number;
  readonly pingIntervalMs: number;
  readonly pingTimeoutMs: number;
  readonly retry: RetrySettings;
  readonly breaker: BreakerSettings;
  /** Same call this many times in a row stops the loop (3..5). */
  readonly doomLoopThreshold: number;
  readonly bounds: Bounds;
  /** Journal file; ':memory:' for none on disk. */
  readonly journalPath: string;
  /** Bytes of output chunks journaled per call; what is over is counted, not kept. */
  readonly journalChunkCapBytes: number;
}

export const DEFAULT_SETTINGS: KernelSettings = {
  defaultTimeoutMs: 120_000,
  previewTimeoutMs: 3_000,
  hookTimeoutMs: 5_000,
  cancelGraceMs: 2_000,
  startTimeoutMs: 60_000,
  shutdownGraceMs: 2_000,
  pingIntervalMs: 1_000,
  pingTimeoutMs: 3_000,
  retry: { baseMs: 200, factor: 2, jitter: 0.5, maxAttempts: 3, maxTotalMs: 30_000 },
  breaker: { consecutive: 5, windowBad: 8, windowSize: 20, cooldownMs: 30_000 },
  doomLoopThreshold: 3,
  bounds: {},
  journalPath: ':memory:',
  journalChunkCapBytes: 64 * 1024,
};

export interface KernelConfig {
  /** The file this came from; absent when a program passed an object. */
  readonly path?: string;
  readonly providers: readonly ProviderConfig[];
  readonly policies: readonly PolicyRule[];
  readonly hooks: readonly HookSubscription[];
  readonly settings: KernelSettings;
  /** The rules of that file: decisions of a person, which only turn an ask into an allow. */
  readonly alwaysRules?: readonly PolicyRule[];
  /** Where "always" decisions are appended (GATE-07); absent: they are refused. */
  readonly alwaysPath?: string;
  /** The lock file beside the config; absent: none is checked. */
  readonly lockPath?: string;
  /** Problems that do not stop the load, such as a rule with an empty match (POL-06). */
  readonly warnings: readonly { readonly message: string; readonly location?: SourceLocation }[];
}
