// What the policy says of one call (POL-01..05). Pure but for the file system looks that a path pattern takes.
import { fitArgument } from './arguments.js';
import type { CompiledPolicy, OrderedRule } from './compile.js';
import type { Fit, Side } from './fit.js';
import type {
  PolicyAction,
  PolicyMatch,
  PolicyRule,
  PolicySubject,
  PolicyVerdict,
} from './model.js';
import { simpleCommand } from './shell-words.js';
import { operationOfMatch, providerOfMatch, rankOf } from './specificity.js';

/** A decision that was made for the rest of a session (GATE-07). */
export interface SessionRule {
  readonly provider: string;
  readonly operation: string;
  readonly action: 'allow' | 'deny';
  readonly reason: string;
}

/**
 * The verdict on a call. A deny of the policy stands; otherwise a decision made for the session comes before the
 * policy; an ask that a person has answered for always is allowed; the policy comes before the default: ask for a
 * resource, allow for the rest (POL-04). An ask on a data_source or interactive call becomes a deny (POL-05).
 *
 * Where it cannot be told whether a rule that denies applies (a command that is made up when it runs), the call is asked
 * for each time, whatever would allow it.
 */
export function decide(
  policy: CompiledPolicy,
  subject: PolicySubject,
  sessionRules: readonly SessionRule[] = [],
): PolicyVerdict {
  const { rule, doubt } = winner(policy, subject);
  const ruled = rule === undefined ? byDefault(subject) : byRule(rule, subject);
  if (ruled.action === 'deny') return ruled;
  const session = sessionRules.findLast(
    (one) => one.provider === subject.provider && one.operation === subject.operation,
  );
  if (session?.action === 'deny') return bySession(session);
  if (doubt !== undefined) return byDoubt(doubt, subject);
  if (session !== undefined) return bySession(session);
  return ruled.action === 'ask' ? byAlways(policy, subject, ruled) : ruled;
}

function bySession({ action, reason }: SessionRule): PolicyVerdict {
  return { action, decidedBy: 'session-rule', reason, downgraded: false };
}

function byDoubt({ rule, why }: Doubt, subject: PolicySubject): PolicyVerdict {
  const reason = `policy "${rule.name}" denies such calls, and whether this is one cannot be told: ${why}`;
  return { ...settle('ask', reason, subject), decidedBy: `policy:${rule.name}`, rule };
}

/** An ask that a person has answered for always. */
function byAlways(
  policy: CompiledPolicy,
  subject: PolicySubject,
  asked: PolicyVerdict,
): PolicyVerdict {
  const rule = policy.always.find((one) => mismatch(one.match, subject) === undefined);
  return rule === undefined ? asked : byRule(rule, subject);
}

interface Doubt {
  readonly rule: PolicyRule;
  readonly why: string;
}

/** The first rule that decides, most specific first; and the first one before it that may deny. */
function winner(
  policy: CompiledPolicy,
  subject: PolicySubject,
): { readonly rule?: PolicyRule; readonly doubt?: Doubt } {
  let doubt: Doubt | undefined;
  for (const { rule, provider } of inOrder(policy, subject)) {
    const { match, action } = rule;
    if (provider !== undefined && provider !== subject.provider) continue;
    if (match.provider !== undefined && match.provider !== subject.provider) continue;
    if (match.risk !== undefined && match.risk !== subject.risk) continue;
    if (match.kind !== undefined && match.kind !== subject.kind) continue;
    const fit = fitArguments(match, subject, sideOf(action));
    if (fit.fits === 'no') continue;
    // A rule that asks does so when in doubt, too.
    if (fit.fits === 'yes' || action === 'ask') {
      const denied = deniedBeside(policy, rule, subject);
      if (denied?.fits === 'yes') return { rule: denied.rule };
      if (denied !== undefined && action === 'ask') doubt ??= denied;
      return { rule, ...(doubt && { doubt }) };
    }
    if (action === 'deny') doubt ??= { rule, why: fit.why() };
  }
  return doubt === undefined ? {} : { doubt };
}

/**
 * A rule on a command wins for what its own words say. What else the same text runs ("git push; rm x", "sudo git push")
 * is for the rules that deny, also those with fewer words; but of one simple command, "git push" is an exception to
 * "git".
 */
function deniedBeside(
  policy: CompiledPolicy,
  deciding: PolicyRule,
  subject: PolicySubject,
): (Doubt & { readonly fits: 'yes' | 'maybe' }) | undefined {
  if (deciding.action === 'deny') return undefined;
  let doubt: (Doubt & { readonly fits: 'maybe' }) | undefined;
  for (const [name, pattern] of Object.entries(deciding.match.args ?? {})) {
    if (pattern.type !== 'command_prefix') continue;
    const [fields] = rankOf(deciding.match);
    const text = subject.arguments[name];
    const isSimple = typeof text === 'string' && simpleCommand(text) !== undefined;
    for (const { rule } of inOrder(policy, subject)) {
      const other = rule.match.args?.[name];
      if (rule.action !== 'deny' || other?.type !== 'command_prefix') continue;
      if (isSimple && other.words.every((word, at) => pattern.words[at] === word)) continue;
      if (rankOf(rule.match)[0] !== fields || !fieldsFit(rule.match, subject)) continue;
      const fit = fitArguments(rule.match, subject, 'possible');
      if (fit.fits === 'yes') return { rule, why: '', fits: 'yes' };
      if (fit.fits === 'maybe') doubt ??= { rule, why: fit.why(), fits: 'maybe' };
    }
  }
  return doubt;
}

function fieldsFit(match: PolicyMatch, subject: PolicySubject): boolean {
  const operation = operationOfMatch(match);
  const provider = providerOfMatch(match);
  return (
    (operation === undefined || operation === subject.operation) &&
    (provider === undefined || provider === subject.provider) &&
    (match.provider === undefined || match.provider === subject.provider) &&
    (match.risk === undefined || match.risk === subject.risk) &&
    (match.kind === undefined || match.kind === subject.kind)
  );
}

/** Those that name the operation and those that name none, merged by rank. */
function* inOrder(policy: CompiledPolicy, { operation }: PolicySubject): Iterable<OrderedRule> {
  const named = policy.byOperation.get(operation) ?? [];
  const { general } = policy;
  let [one, other] = [0, 0];
  while (one < named.length || other < general.length) {
    const [left, right] = [named[one], general[other]];
    if (right === undefined || (left !== undefined && left.order < right.order)) {
      yield left as OrderedRule;
      one += 1;
    } else {
      yield right;
      other += 1;
    }
  }
}

const sideOf = (action: PolicyAction): Side => (action === 'allow' ? 'certain' : 'possible');

const YES: Fit = { fits: 'yes' };

/** All of them must fit; what can be told of one counts before what cannot. */
function fitArguments(match: PolicyMatch, subject: PolicySubject, side: Side): Fit {
  if (match.args === undefined) return YES;
  let doubt: Fit | undefined;
  for (const name in match.args) {
    const pattern = match.args[name];
    if (pattern === undefined || !Object.hasOwn(match.args, name)) continue;
    const fit = fitArgument(name, pattern, subject, side);
    if (fit.fits === 'no') return fit;
    if (fit.fits === 'maybe') doubt ??= fit;
  }
  return doubt ?? YES;
}

/**
 * Why a match does not fit a call; undefined when it fits (POL-01). `action` says how its argument patterns are read:
 * those of a rule that allows must fit for certain, those of one that denies or asks need only be possible.
 */
export function mismatch(
  match: PolicyMatch,
  subject: PolicySubject,
  action: PolicyAction = 'allow',
): string | undefined {
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
  const fit = fitArguments(match, subject, sideOf(action));
  return fit.fits === 'no' ? fit.why() : undefined;
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
