// The options of the command as commander gives them, and their mistakes.
export interface ConformFlags {
  readonly cases?: string;
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  readonly knownFailing?: string;
  readonly strict?: boolean;
  readonly complete?: boolean;
  readonly bail?: boolean;
  readonly timeout: string;
  readonly seed?: string;
  readonly env: readonly string[];
  readonly tls: boolean;
  readonly kernel?: boolean;
  readonly report: readonly string[];
  readonly color: boolean;
  readonly list?: boolean;
  readonly explain?: string;
}

/** Mistakes of the command line or of a file it names: every one that was found. Exit code 2. */
export class FlagError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'));
  }
}

/** Writes the problems to stderr. Resolves to the exit code of a run that could not be made. */
export function reportProblems(problems: readonly string[]): 2 {
  for (const problem of problems) process.stderr.write(`error: ${problem}\n`);
  return 2;
}

/** NAME=value pairs. */
export function readEnv(pairs: readonly string[], problems: string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.flatMap((pair) => {
      const at = pair.indexOf('=');
      if (at > 0) return [[pair.slice(0, at), pair.slice(at + 1)] as const];
      problems.push(`--env ${pair}: must be NAME=value`);
      return [];
    }),
  );
}

/** A whole number from 1. */
export function readNumber(
  text: string | undefined,
  name: string,
  problems: string[],
): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (Number.isSafeInteger(value) && value > 0) return value;
  problems.push(`${name} ${text}: must be a whole number above zero`);
  return undefined;
}
