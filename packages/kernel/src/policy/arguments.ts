// Whether an argument of a call fits the pattern of a rule. What cannot be judged does not fit.
import picomatch from 'picomatch';
import type { ArgumentPattern, PolicySubject } from './model.js';

/** Why the argument does not fit; undefined when it fits. */
export function matchesArgument(
  name: string,
  pattern: ArgumentPattern,
  subject: PolicySubject,
): string | undefined {
  const value = Object.hasOwn(subject.arguments, name) ? subject.arguments[name] : undefined;
  if (typeof value !== 'string') return `its pattern on ${name} needs a text there`;
  if (pattern.type === 'command_prefix') return `${name} is judged by the command matcher`;
  return picomatch.isMatch(value, pattern.pattern, { dot: true })
    ? undefined
    : `${name} does not match ${pattern.pattern}`;
}
