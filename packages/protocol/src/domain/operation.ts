// What a provider says of itself: its operations, its configuration, its identity.
import type { ConfigAttribute } from './config-schema.js';
import type { HookPoint } from './hook.js';
import type { ObjectSchema } from './schema.js';

/** KND-01. */
export type OperationKind = 'resource' | 'data_source' | 'interactive';
/** KND-02. */
export type Risk = 'read_only' | 'low' | 'moderate' | 'high' | 'critical';

/** CON-01..08. */
export interface ConcurrencySpec {
  readonly safe: boolean;
  /** Names of input properties; only with `safe: true` (CON-07). */
  readonly keyFields: readonly string[];
}

/**
 * One lock key computed from the arguments, on top of the literal `keyFields` (OPEN-02).
 * Carried by our extension service; kernels that do not know it ignore it.
 */
export interface DerivedKey {
  /** Property names separated by "/"; "*" stands for every item of an array. */
  readonly field: string;
  readonly derivation: 'literal' | 'path';
  /** Operations of one provider process that name the same space share its locks. Default: the operation's name. */
  readonly keySpace: string;
}

/** One callable thing of a provider, checked against the SCH, KND, CON and TRM rules. */
export interface Operation {
  readonly name: string;
  readonly kind: OperationKind;
  readonly risk: Risk;
  readonly description: string;
  readonly input: ObjectSchema;
  readonly output: ObjectSchema;
  readonly streaming: boolean;
  /** Absent counts as `safe: false` (CON-02); always absent for interactive (CON-03). */
  readonly concurrency?: ConcurrencySpec;
  /** Milliseconds (TMO-01). */
  readonly defaultTimeoutMs?: number;
  readonly idempotent: boolean;
  readonly terminatesTurn: boolean;
  readonly derivedKeys: readonly DerivedKey[];
}

export interface SlashCommand {
  readonly name: string;
  readonly description: string;
  readonly template: string;
}

/** GetSchema's answer, checked. */
export interface ProviderSchema {
  readonly operations: readonly Operation[];
  readonly slashCommands: readonly SlashCommand[];
  readonly config: readonly ConfigAttribute[];
  readonly supportedHookPoints: readonly HookPoint[];
}

/** Describe's answer (RPC-02). */
export interface ProviderIdentity {
  readonly name: string;
  readonly version: string;
  readonly source: string;
  /** 'tool' for a tool provider; other categories as the peer said. */
  readonly category: string;
  readonly protocolVersion: number;
}
