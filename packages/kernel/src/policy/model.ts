// Policy rules and their answers as plain data (POL-01..06, GATE-02).
import type { JsonObject, OperationKind, Risk } from '@tenon/protocol';
import type { SourceLocation } from '../config/model.js';

export type PolicyAction = 'allow' | 'ask' | 'deny';

/** Everything that is given must match; what is omitted matches anything (POL-01). */
export interface PolicyMatch {
  readonly toolName?: string;
  readonly provider?: string;
  readonly risk?: Risk;
  readonly kind?: OperationKind;
  /** Beyond the protocol: patterns on argument values, by property name. */
  readonly args?: Readonly<Record<string, ArgumentPattern>>;
}

export type ArgumentPattern =
  /** Glob on the value. A path is matched as it is written and as it resolves; a relative glob stays inside of the working directory. */
  | { readonly type: 'glob'; readonly pattern: string }
  /**
   * The first words of a shell command. To allow, it must be one simple command; to deny or ask, it is looked for in
   * lists, pipes, substitutions and behind programs that run others.
   */
  | { readonly type: 'command_prefix'; readonly words: readonly string[] };

export interface PolicyRule {
  readonly name: string;
  readonly match: PolicyMatch;
  readonly action: PolicyAction;
  readonly reason?: string;
  readonly location?: SourceLocation;
}

/** What a rule is matched against. */
export interface PolicySubject {
  readonly provider: string;
  readonly operation: string;
  readonly kind: OperationKind;
  readonly risk: Risk;
  readonly arguments: JsonObject;
  readonly workingDirectory: string;
  /** Arguments that are paths because the operation derives its lock keys from them so (OPEN-02). */
  readonly pathArguments?: readonly string[];
}

export interface PolicyVerdict {
  readonly action: PolicyAction;
  /** "policy:NAME", "policy:default" or "session-rule". */
  readonly decidedBy: string;
  readonly reason: string;
  readonly rule?: PolicyRule;
  /** An ask on a read that became a deny (POL-05). */
  readonly downgraded: boolean;
}
