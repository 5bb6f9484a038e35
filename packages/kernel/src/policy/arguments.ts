// Whether the arguments of a call fit the patterns of a rule: globs, globs on paths, and the first words of commands.
import { certainlyRuns, possiblyRuns } from './command-match.js';
import type { Fit, Side } from './fit.js';
import { latest } from './latest.js';
import type { ArgumentPattern, PolicySubject } from './model.js';
import { fitPath, globMatcher, type Readings, readPath } from './path-match.js';
import { simpleCommand } from './shell-words.js';

/** Names of arguments that are paths, also where the operation does not say so by its lock keys. */
const PATH_NAME =
  /^(?:.*_)?(?:path|paths|file|files|filename|filepath|dir|dirs|directory|folder|root|roots|cwd)$/i;
/** Names of arguments that a shell reads. */
const COMMAND_NAME = /^(?:.*_)?(?:command|cmd|script|shell)$/i;

const isPathName = latest((name) => PATH_NAME.test(name));
const textGlobs = new Map<string, (text: string) => boolean>();

function textGlob(pattern: string): (text: string) => boolean {
  const known = textGlobs.get(pattern) ?? globMatcher(pattern);
  textGlobs.set(pattern, known);
  return known;
}

/** A list fits as a whole where all of it must, and by one of its values where one is enough. */
export function fitArgument(
  name: string,
  pattern: ArgumentPattern,
  subject: PolicySubject,
  side: Side,
): Fit {
  const value = Object.hasOwn(subject.arguments, name) ? subject.arguments[name] : undefined;
  if (value === undefined) return { fits: 'no', why: () => `${name} is not given` };
  if (!Array.isArray(value)) return fitValue(name, pattern, value, subject, side);
  const values: readonly unknown[] = value;
  const fits = values.map((one) => fitValue(name, pattern, one, subject, side));
  const order = side === 'certain' ? (['no', 'maybe'] as const) : (['yes', 'maybe'] as const);
  for (const kind of order) {
    const found = fits.find((fit) => fit.fits === kind);
    if (found !== undefined) return found;
  }
  return fits[0] ?? { fits: 'no', why: () => `${name} is empty` };
}

function fitValue(
  name: string,
  pattern: ArgumentPattern,
  value: unknown,
  subject: PolicySubject,
  side: Side,
): Fit {
  if (typeof value !== 'string') {
    const why = (): string => `its pattern on ${name} needs a text there`;
    return side === 'certain' ? { fits: 'no', why } : { fits: 'maybe', why };
  }
  if (pattern.type === 'command_prefix') {
    return side === 'certain'
      ? certainlyRuns(pattern.words, value)
      : possiblyRuns(pattern.words, value);
  }
  if (isPathName(name) || subject.pathArguments?.includes(name) === true) {
    return fitPath(pattern.pattern, value, readingsOf(value, subject), side);
  }
  return fitText(name, pattern.pattern, value, side);
}

/** One call is held against many rules; its paths are looked at once, and again for the next call. */
const readings = new WeakMap<PolicySubject, Map<string, Readings>>();

function readingsOf(path: string, subject: PolicySubject): Readings {
  const known = readings.get(subject) ?? new Map<string, Readings>();
  readings.set(subject, known);
  if (!known.has(path)) known.set(path, readPath(path, subject.workingDirectory));
  return known.get(path);
}

function fitText(name: string, pattern: string, value: string, side: Side): Fit {
  const matches = textGlob(pattern);
  const no: Fit = { fits: 'no', why: () => `${name} does not match ${pattern}` };
  if (side === 'certain') {
    // "git status*" would fit "git status; x" as well.
    if (COMMAND_NAME.test(name) && simpleCommand(value) === undefined) {
      return { fits: 'no', why: () => `${name} is more than one simple command` };
    }
    return matches(value) ? { fits: 'yes' } : no;
  }
  // A wildcard ends at a line end; what is denied must not get through by one.
  return matches(value) || matches(value.replaceAll(/[\r\n]+/g, ' ')) ? { fits: 'yes' } : no;
}
