// From rules as they were written to a policy that decides quickly: checked for conflicts, sorted by rank,
// and indexed by operation name.
import type { SourceLocation } from '../config/model.js';
import { PolicyError, type PolicyProblem } from './errors.js';
import type { PolicyRule } from './model.js';
import {
  canOverlap,
  compareRanks,
  isEmptyMatch,
  operationOfMatch,
  providerOfMatch,
  rankOf,
} from './specificity.js';

export interface PolicyWarning {
  readonly message: string;
  readonly location?: SourceLocation;
}

/** A rule with its place in the order. */
export interface OrderedRule {
  readonly rule: PolicyRule;
  readonly order: number;
  /** That its tool name is bound to, as in "filesystem.read_file". */
  readonly provider: string | undefined;
}

/** Rules in the order in which they are tried: the most specific first. */
export interface CompiledPolicy {
  readonly rules: readonly PolicyRule[];
  /** Those that name an operation, by its own name. */
  readonly byOperation: ReadonlyMap<string, readonly OrderedRule[]>;
  /** Those that name none. */
  readonly general: readonly OrderedRule[];
  /** Decisions of a person that were made for always (GATE-07); they only ever turn an ask into an allow. */
  readonly always: readonly PolicyRule[];
}

/** Throws PolicyError with every conflict (POL-03) among `rules`; `always` are no rules of the operator. */
export function compilePolicy(
  rules: readonly PolicyRule[],
  always: readonly PolicyRule[] = [],
): {
  readonly policy: CompiledPolicy;
  readonly warnings: readonly PolicyWarning[];
} {
  const problems = [...sameNames(rules), ...conflicts(rules)];
  if (problems.length > 0) throw new PolicyError(problems);
  const sorted = rules
    .map((rule) => ({ rule, rank: rankOf(rule.match) }))
    .sort((a, b) => compareRanks(a.rank, b.rank) || strictness(b.rule) - strictness(a.rule))
    .map(({ rule }) => rule);
  const byOperation = new Map<string, OrderedRule[]>();
  const general: OrderedRule[] = [];
  for (const [order, rule] of sorted.entries()) {
    const ordered: OrderedRule = { rule, order, provider: providerOfMatch(rule.match) };
    const operation = operationOfMatch(rule.match);
    const named = operation === undefined ? undefined : byOperation.get(operation);
    if (operation === undefined) general.push(ordered);
    else if (named === undefined) byOperation.set(operation, [ordered]);
    else named.push(ordered);
  }
  return { policy: { rules: sorted, byOperation, general, always }, warnings: emptyMatches(rules) };
}

/**
 * Two rules of one rank can still meet in a call that holds several values (a list, a line of commands) or a path
 * with several readings: then the stricter one decides, never the place in the file.
 */
const strictness = ({ action }: PolicyRule): number => ['allow', 'ask', 'deny'].indexOf(action);

function emptyMatches(rules: readonly PolicyRule[]): PolicyWarning[] {
  return rules
    .filter((rule) => isEmptyMatch(rule.match))
    .map((rule) => ({
      message: `policy "${rule.name}" matches every call (POL-06): name a tool, provider, risk or kind if that is not meant`,
      ...(rule.location === undefined ? {} : { location: rule.location }),
    }));
}

function sameNames(rules: readonly PolicyRule[]): PolicyProblem[] {
  const byName = new Map<string, PolicyRule>();
  return rules.flatMap((rule) => {
    const first = byName.get(rule.name);
    if (first === undefined) {
      byName.set(rule.name, rule);
      return [];
    }
    return [
      {
        message: `two policies are named "${rule.name}" (${placesOf([first, rule])}); rename one of them`,
        locations: locationsOf([first, rule]),
      },
    ];
  });
}

/** Only rules of one rank can conflict, so only those are compared. */
function conflicts(rules: readonly PolicyRule[]): PolicyProblem[] {
  const byRank = new Map<string, PolicyRule[]>();
  for (const rule of rules) {
    const key = rankOf(rule.match).join('/');
    byRank.set(key, [...(byRank.get(key) ?? []), rule]);
  }
  const problems: PolicyProblem[] = [];
  for (const group of byRank.values()) {
    for (const [index, first] of group.entries()) {
      for (const second of group.slice(index + 1)) {
        if (!canOverlap(first.match, second.match)) continue;
        problems.push({
          message:
            `policies "${first.name}" and "${second.name}" (${placesOf([first, second])}) are equally specific and can ` +
            'match the same call, so neither would win (POL-03): make one of them more specific, or remove it',
          locations: locationsOf([first, second]),
        });
      }
    }
  }
  return problems;
}

function locationsOf(rules: readonly PolicyRule[]): SourceLocation[] {
  return rules.flatMap(({ location }) => (location === undefined ? [] : [location]));
}

function placesOf(rules: readonly PolicyRule[]): string {
  const places = locationsOf(rules).map(({ file, line }) => `${file}:${line}`);
  return places.length === 0 ? 'no location known' : places.join(' and ');
}
