// What the policy says of one call (POL-01..05). Pure but for the file system looks that a path pattern takes.
import { matchesArgument } from './arguments.js';
import type { CompiledPolicy } from './compile.js';
import type {
  PolicyAction,
  PolicyMatch,
  PolicyRule,
  PolicySubject,
  PolicyVerdict,
} from './model.js';
import { compareRanks, operationOfMatch, providerOfMatch, rankOf } from './specificity.js';

/** A decision that was made for the rest of a session (GATE-07). */
export interface SessionRule {
  readonly provider: string;
  readonly operation: string;
  readonly action: 'allow' | 'deny';
  readonly reason: string;
}

/**
 * The verdict on a call. A deny of the policy stands; otherwise a decision made for the session comes before
 * the policy; an ask that a person has answered for always is allowed; the policy comes before the default: ask for a resource, allow for the rest (POL-04). An ask on
 * a data_source or interactive call becomes a deny (POL-05).
 */
export function decide(
  policy: CompiledPolicy,
  subject: PolicySubject,
  sessionRules: readonly SessionRule[] = [],
): PolicyVerdict {
  const rule = winner(policy, subject);
  const ruled = rule === undefined ? byDefault(subject) : byRule(rule, subject);
  if (ruled.action === 'deny') return ruled;
  const session = sessionRules.findLast(
    (one) => one.provider === subject.provider && one.operation === subject.operation,
  );
  if (session === undefined)
    return ruled.action === 'ask' ? byAlways(policy, subject, ruled) : ruled;
  return {
    action: session.action,
    decidedBy: 'session-rule',
    reason: session.reason,
    downgraded: false,
  };
}

/** An ask that a person has answered for always. */
function byAlways(
  policy: CompiledPolicy,
  subject: PolicySubject,
  asked: PolicyVerdict,
): PolicyVerdict {
  const rule = policy.always.find((one) => matches(one.match, subject));
  return rule === undefined ? asked : byRule(rule, subject);
}

/** The rule that decides, if any: the first that matches of both lists, most specific first. */
export function winner(policy: CompiledPolicy, subject: PolicySubject): PolicyRule | undefined {
  const named = policy.byOperation
    .get(subject.operation)
    ?.find((one) => matches(one.match, subject));
  const general = policy.general.find((one) => matches(one.match, subject));
  if (named === undefined || general === undefined) return named ?? general;
  return compareRanks(rankOf(named.match), rankOf(general.match)) <= 0 ? named : general;
}

/** Everything that is given must match (POL-01). */
export function matches(match: PolicyMatch, subject: PolicySubject): boolean {
  return mismatch(match, subject) === undefined;
}

/** Why a match does not fit a call; undefined when it fits. */
export function mismatch(match: PolicyMatch, subject: PolicySubject): string | undefined {
  const operation = operationOfMatch(match);
  if (operation !== undefined && operation !== subject.operation) {
    return `it is for the tool ${match.toolName}`;
  }
  const provider = providerOfMatch(match);
  if (provider !== undefined && provider !== subject.provider) {
    return `it is for the provider ${provider}`;
  }
  if (match.provider !== undefined && match.provider !== subject.provider) {
    return `it is for the provider ${match.provider}`;
  }
  if (match.risk !== undefined && match.risk !== subject.risk) {
    return `it is for risk ${match.risk}, and this is ${subject.risk}`;
  }
  if (match.kind !== undefined && match.kind !== subject.kind) {
    return `it is for kind ${match.kind}, and this is ${subject.kind}`;
  }
  for (const [name, pattern] of Object.entries(match.args ?? {})) {
    const why = matchesArgument(name, pattern, subject);
    if (why !== undefined) return why;
  }
  return undefined;
}

function byRule(rule: PolicyRule, subject: PolicySubject): PolicyVerdict {
  const given = rule.reason ?? `policy "${rule.name}" says ${rule.action}`;
  return { ...settle(rule.action, given, subject), decidedBy: `policy:${rule.name}`, rule };
}

function byDefault(subject: PolicySubject): PolicyVerdict {
  const action = subject.kind === 'resource' ? 'ask' : 'allow';
  const reason = `no policy matches, and ${action} is the default for ${subject.kind}`;
  return { ...settle(action, reason, subject), decidedBy: 'policy:default' };
}

function settle(
  action: PolicyAction,
  reason: string,
  subject: PolicySubject,
): { action: PolicyAction; reason: string; downgraded: boolean } {
  if (action !== 'ask' || subject.kind === 'resource') return { action, reason, downgraded: false };
  return {
    action: 'deny',
    reason: `${reason}; only resource calls can be asked for, so it is denied (POL-05)`,
    downgraded: true,
  };
}
