// The commands that shell_read may run, each with the arguments that keep it a reading. Only what is known to
// be harmless is let through: a command that is not listed, or an option that could write, run a program or
// read one's configuration, is refused with the reason.

/** Why the arguments are refused; undefined: they are fine. */
type Check = (args: readonly string[]) => string | undefined;

export interface ReadOnlyCommand {
  readonly check: Check;
  /** The arguments that run, made of the caller's. */
  readonly rewrite?: (args: readonly string[]) => readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

const anything: Check = () => undefined;

/** Refuses these options, also as `--name=value`, as an abbreviation, and, for short ones, inside a cluster. */
function without(...options: readonly string[]): Check {
  const long = options.filter((option) => option.startsWith('--'));
  const short = options
    .filter((option) => /^-[^-]$/.test(option))
    .map((option) => option.charAt(1));
  const words = options.filter((option) => /^-[^-]./.test(option));
  return (args) => {
    for (const arg of args) {
      const name = arg.split('=', 1)[0] ?? '';
      const hit =
        words.includes(name) ||
        // GNU programs take any unambiguous beginning of a long option.
        (arg.startsWith('--') &&
          name.length > 2 &&
          long.some((option) => option.startsWith(name))) ||
        (/^-[^-]/.test(arg) && short.some((letter) => arg.includes(letter)));
      if (hit) return `its option ${arg} could write, or run another program`;
    }
    return undefined;
  };
}

/** find's actions are words of their own among its arguments. */
const FIND_ACTIONS = /^-(?:exec|execdir|ok|okdir|delete|fprint|fprint0|fprintf|fls|files0-from)$/;

const find: Check = (args) => {
  const action = args.find((arg) => FIND_ACTIONS.test(arg));
  return action === undefined
    ? undefined
    : `its action ${action} could write, or run another program`;
};

const GIT_READS: Readonly<Record<string, Check>> = {
  status: anything,
  log: without('--output', '--ext-diff', '--textconv'),
  show: without('--output', '--ext-diff', '--textconv'),
  diff: without('--output', '--ext-diff', '--textconv', '--no-index'),
  blame: without('--contents'),
  'ls-files': anything,
  'ls-tree': anything,
  'rev-parse': anything,
  'rev-list': anything,
  describe: anything,
  shortlog: without('--output'),
  'cat-file': without('--textconv', '--filters'),
};

const git: Check = ([command, ...args]) => {
  if (command === undefined) return 'name a git command';
  const check = Object.hasOwn(GIT_READS, command) ? GIT_READS[command] : undefined;
  if (check === undefined) {
    return `only these git commands are read-only here: ${Object.keys(GIT_READS).join(', ')}`;
  }
  return check(args);
};

// A repository's own configuration may name programs; these are those that a reading command would run.
const GIT_OPTIONS = [
  '--no-pager',
  ...[
    'core.fsmonitor=false',
    'core.hooksPath=/dev/null',
    'core.pager=cat',
    'diff.external=',
    'log.showSignature=false',
    'submodule.recurse=false',
  ].flatMap((setting) => ['-c', setting]),
];
const SHOWS_CHANGES = ['log', 'show', 'diff'];

const gitArguments = ([command = '', ...args]: readonly string[]): readonly string[] => [
  ...GIT_OPTIONS,
  command,
  ...(SHOWS_CHANGES.includes(command) ? ['--no-ext-diff', '--no-textconv'] : []),
  ...(command === 'blame' ? ['--no-textconv'] : []),
  ...args,
];

/** A bare word would set the clock. */
const date: Check = (args) =>
  without('-s', '--set')(args) ??
  (args.some((arg) => /^\d/.test(arg)) ? 'a number would set the clock' : undefined);

const COMMANDS: Readonly<Record<string, ReadOnlyCommand>> = {
  basename: { check: anything },
  cat: { check: anything },
  cmp: { check: anything },
  comm: { check: anything },
  cut: { check: anything },
  date: { check: date },
  df: { check: anything },
  diff: { check: without('--paginate', '-l') },
  dirname: { check: anything },
  du: { check: anything },
  echo: { check: anything },
  file: { check: without('-C', '--compile', '-m', '--magic-file', '-z', '-Z', '--uncompress') },
  find: { check: find },
  git: {
    check: git,
    rewrite: gitArguments,
    env: { GIT_OPTIONAL_LOCKS: '0', GIT_CONFIG_NOSYSTEM: '1' },
  },
  grep: { check: anything },
  head: { check: anything },
  id: { check: anything },
  ls: { check: anything },
  md5sum: { check: anything },
  nl: { check: anything },
  od: { check: anything },
  printf: { check: anything },
  pwd: { check: anything },
  readlink: { check: anything },
  realpath: { check: anything },
  rg: { check: without('--pre', '--pre-glob', '--search-zip', '-z', '--hostname-bin') },
  sha1sum: { check: anything },
  sha256sum: { check: anything },
  sort: {
    check: without('-o', '--output', '--compress-program', '-T', '--temporary-directory'),
  },
  stat: { check: anything },
  tail: { check: without('--pid') },
  tr: { check: anything },
  tree: { check: without('-o', '-R', '--fromfile') },
  uname: { check: anything },
  uniq: {
    check: (args) =>
      args.filter((arg) => !arg.startsWith('-')).length > 1
        ? 'its second file is one that it writes'
        : undefined,
  },
  wc: { check: without('--files0-from') },
  which: { check: anything },
  whoami: { check: anything },
};

/** The names, for descriptions and errors. */
export const READ_ONLY_NAMES: readonly string[] = Object.keys(COMMANDS);

export type Judgement =
  | { readonly ok: true; readonly command: ReadOnlyCommand }
  | { readonly ok: false; readonly reason: string };

/** Whether a program may run with these arguments (KND-04). */
export function judge(program: string, args: readonly string[]): Judgement {
  if ([program, ...args].some((word) => word.includes('\0'))) {
    return { ok: false, reason: 'an argument contains a NUL character' };
  }
  const command = Object.hasOwn(COMMANDS, program) ? COMMANDS[program] : undefined;
  if (command === undefined) {
    const known = READ_ONLY_NAMES.join(', ');
    return { ok: false, reason: `${program} is not one of the read-only commands: ${known}` };
  }
  const reason = command.check(args);
  return reason === undefined
    ? { ok: true, command }
    : { ok: false, reason: `${program}: ${reason}` };
}
