// The environment of a command: an allow-list, never all that the provider has.

/** Names that commands get when the provider has them. */
export const DEFAULT_NAMES: readonly string[] = [
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'LANG',
  'LC_ALL',
  'LC_CTYPE',
  'TZ',
  'TMPDIR',
  'SystemRoot',
];

/** What is set for every command: nothing should page, ask or colour where no one is looking. */
const FIXED: Readonly<Record<string, string>> = {
  TERM: 'dumb',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  GIT_TERMINAL_PROMPT: '0',
  DEBIAN_FRONTEND: 'noninteractive',
};

/** The variables of a command: allowed names, then the fixed ones, then what the operator set. */
export function commandEnvironment(
  allowed: readonly string[],
  set: Readonly<Record<string, string>>,
  from: NodeJS.ProcessEnv = process.env,
): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const name of [...DEFAULT_NAMES, ...allowed]) {
    const value = from[name];
    if (value !== undefined) environment[name] = value;
  }
  return { ...environment, ...FIXED, ...set };
}
