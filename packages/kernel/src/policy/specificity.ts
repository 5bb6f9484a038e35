// How specific a rule is, and whether two rules can match the same call (POL-02, POL-03). Pure.
import type { ArgumentPattern, PolicyMatch } from './model.js';

/**
 * Higher is more specific. The four fields of the protocol rank as tool_name > provider > risk > kind, each
 * outweighing all after it. Argument patterns only break ties among rules that give the same fields: more
 * arguments first, then the longer fixed part of the patterns.
 */
export type Rank = readonly [fields: number, args: number, fixed: number];

/** The rank of a match. */
export function rankOf(match: PolicyMatch): Rank {
  const fields =
    (match.toolName === undefined ? 0 : 8) +
    (match.provider === undefined ? 0 : 4) +
    (match.risk === undefined ? 0 : 2) +
    (match.kind === undefined ? 0 : 1);
  const patterns = Object.values(match.args ?? {});
  return [fields, patterns.length, patterns.reduce((sum, one) => sum + fixedLength(one), 0)];
}

/** Negative: `a` is more specific. */
export function compareRanks(a: Rank, b: Rank): number {
  return b[0] - a[0] || b[1] - a[1] || b[2] - a[2];
}

/** Whether a match names nothing at all (POL-06). */
export function isEmptyMatch(match: PolicyMatch): boolean {
  const [fields, args] = rankOf(match);
  return fields === 0 && args === 0;
}

function fixedLength(pattern: ArgumentPattern): number {
  if (pattern.type === 'command_prefix') return pattern.words.join(' ').length;
  return fixedPrefix(pattern.pattern).length;
}

/** The part of a glob before its first wildcard. */
export function fixedPrefix(glob: string): string {
  const wildcard = glob.search(/^!|[*?[{(\\]|[!+@](?=\()/);
  return wildcard < 0 ? glob : glob.slice(0, wildcard);
}

/**
 * Whether one call could match both. Errs towards yes: two globs are told apart only by their fixed
 * beginnings, so that a conflict that exists is always found.
 */
export function canOverlap(a: PolicyMatch, b: PolicyMatch): boolean {
  return (
    toolsOverlap(a, b) &&
    sameIfBoth(a.provider, b.provider) &&
    sameIfBoth(a.risk, b.risk) &&
    sameIfBoth(a.kind, b.kind) &&
    argumentsOverlap(a.args ?? {}, b.args ?? {})
  );
}

function sameIfBoth(a: string | undefined, b: string | undefined): boolean {
  return a === undefined || b === undefined || a === b;
}

/** The provider that a match is bound to, also by a tool name such as "filesystem.read_file". */
export function providerOfMatch(match: PolicyMatch): string | undefined {
  const dot = match.toolName?.indexOf('.') ?? -1;
  return match.provider ?? (dot < 0 ? undefined : match.toolName?.slice(0, dot));
}

/** The operation's own name in a match's tool name. */
export function operationOfMatch(match: PolicyMatch): string | undefined {
  return match.toolName?.slice(match.toolName.indexOf('.') + 1);
}

function toolsOverlap(a: PolicyMatch, b: PolicyMatch): boolean {
  return (
    sameIfBoth(operationOfMatch(a), operationOfMatch(b)) &&
    sameIfBoth(providerOfMatch(a), providerOfMatch(b))
  );
}

function argumentsOverlap(
  a: Readonly<Record<string, ArgumentPattern>>,
  b: Readonly<Record<string, ArgumentPattern>>,
): boolean {
  return Object.keys(a).every((name) => {
    const one = a[name];
    const other = Object.hasOwn(b, name) ? b[name] : undefined;
    return one === undefined || other === undefined || patternsOverlap(one, other);
  });
}

const isAbsoluteGlob = (pattern: string): boolean => /^(?:~?\/|[A-Za-z]:[\\/])/.test(pattern);

const withoutDot = (pattern: string): string => pattern.replace(/^(?:\.\/)+/, '');

function patternsOverlap(a: ArgumentPattern, b: ArgumentPattern): boolean {
  if (a.type === 'command_prefix' && b.type === 'command_prefix') {
    const shorter = Math.min(a.words.length, b.words.length);
    return a.words.slice(0, shorter).join('\0') === b.words.slice(0, shorter).join('\0');
  }
  if (a.type === 'glob' && b.type === 'glob') {
    // Where an absolute one lies, seen from the working directory, is known with the call alone.
    if (isAbsoluteGlob(a.pattern) !== isAbsoluteGlob(b.pattern)) return true;
    const [first, second] = [withoutDot(a.pattern), withoutDot(b.pattern)];
    const [one, other] = [fixedPrefix(first), fixedPrefix(second)];
    const bothFixed = one === first && other === second;
    return bothFixed ? one === other : one.startsWith(other) || other.startsWith(one);
  }
  return true;
}
