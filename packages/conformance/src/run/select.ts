// Which checks run: patterns of --only and --skip, matched against check ids, groups and requirement ids.
import type { CheckInfo } from '../model/check.js';

/** A pattern: `*` stands for any characters; a name alone also means everything below it. */
export function matches(pattern: string, check: CheckInfo): boolean {
  const source = pattern
    .split('*')
    .map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'))
    .join('.*');
  const whole = new RegExp(`^${source}$`, 'i');
  return [check.id, check.group, ...check.requirements].some((name) => whole.test(name));
}

/** Patterns that match no check are mistakes; they come back in `unmatched`. */
export function select(
  checks: readonly CheckInfo[],
  only: readonly string[],
  skip: readonly string[],
): { readonly selected: readonly CheckInfo[]; readonly unmatched: readonly string[] } {
  const hits = (patterns: readonly string[], check: CheckInfo): boolean =>
    patterns.some((pattern) => matches(pattern, check));
  return {
    selected: checks.filter(
      (check) => (only.length === 0 || hits(only, check)) && !hits(skip, check),
    ),
    unmatched: [...only, ...skip].filter(
      (pattern) => !checks.some((check) => matches(pattern, check)),
    ),
  };
}
