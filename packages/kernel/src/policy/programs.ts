// What is known of programs that run other programs, or that change something where one would not think it: so that a
// rule about one program is not a way to another. Data and small questions about it. Pure.

/** Run the command that their arguments name. */
const WRAPPERS = new Set(
  (
    'aa-exec arch builtin bunx bwrap caffeinate capsh catchsegv cgexec chpst chroot chronic chrt command ' +
    'dbus-run-session doas dumb-init entr env eval exec fakeroot faketime firejail flock gosu gtime hyperfine i386 ' +
    'ionice linux32 linux64 ltrace nice nohup npx nsenter numactl parallel pkexec prlimit proot rlwrap ' +
    'runcon runuser schroot script setarch setpriv setsid sg softlimit ssh stdbuf strace su su-exec sudo ' +
    'systemd-inhibit systemd-run taskset time timeout tini torsocks toybox trap unbuffer unshare uvx watch ' +
    'x86_64 xargs xvfb-run'
  ).split(' '),
);

export const SHELLS = new Set([
  'sh',
  'bash',
  'rbash',
  'yash',
  'dash',
  'zsh',
  'ksh',
  'mksh',
  'ash',
  'fish',
  'csh',
  'tcsh',
]);

/** The options of interpreters that are followed by a program. */
const CODE_OPTIONS: Readonly<Record<string, RegExp>> = {
  python: /^-[A-Za-z]*c/,
  pypy: /^-[A-Za-z]*c/,
  node: /^(?:-[a-z]*[ep]|--eval|--print|--import|--require|--loader|--experimental-loader|-r)/,
  bun: /^(?:-e|--eval|-p|--print|x$)/,
  deno: /^eval$/,
  ruby: /^-[^-]*e/,
  perl: /^-[^-]*[eEM]/,
  php: /^-[a-z]*[rBRE]/,
  lua: /^-e/,
  osascript: /^-e/,
  pwsh: /^-(?:c|e|ec|command|encodedcommand)/i,
  powershell: /^-(?:c|e|ec|command|encodedcommand)/i,
  awk: /system|\||>|getline|^-[fiE]|^--/,
  sed: /^-[^-]*[eif]|^--[eif]/,
};

/**
 * Options by which a program that looks does more than that. `runs` and `writes` are long names without their dashes, which
 * many programs take shortened as well ("--comp" for "--compress-program"); `letters` are short ones, found in any
 * place of a bundle ("-uo"); `other` is for programs with a way of their own.
 */
interface Risky {
  readonly runs?: readonly string[];
  readonly writes?: readonly string[];
  readonly runLetters?: string;
  readonly letters?: string;
  readonly other?: RegExp;
}

const RISKY_OPTIONS: Readonly<Record<string, Risky>> = {
  find: { other: /^-(?:exec|execdir|ok|okdir|delete|fprint|fprint0|fprintf|fls)$/ },
  fd: { runs: ['exec', 'exec-batch'], runLetters: 'xX' },
  git: {
    runs: [
      'upload-pack',
      'receive-pack',
      'exec',
      'exec-path',
      'open-files-in-pager',
      'ext-diff',
      'textconv',
      'config-env',
    ],
    writes: ['output'],
    runLetters: 'O',
    other: /^-c$/,
  },
  rg: { runs: ['pre', 'hostname-bin'] },
  tar: {
    runs: [
      'to-command',
      'checkpoint-action',
      'use-compress-program',
      'rsh-command',
      'info-script',
      'new-volume-script',
    ],
    runLetters: 'IF',
  },
  sort: { runs: ['compress-program'], writes: ['output'], letters: 'o' },
  rsync: { runs: ['rsh', 'rsync-path', 'remote-option'], runLetters: 'eM' },
  man: { runs: ['pager', 'html'], runLetters: 'PH' },
  date: { writes: ['set'], letters: 's' },
  curl: {
    writes: [
      'output',
      'output-dir',
      'remote-name',
      'remote-name-all',
      'config',
      'upload-file',
      'dump-header',
      'cookie-jar',
      'trace',
      'trace-ascii',
      'stderr',
      'libcurl',
      'etag-save',
      'hsts',
      'alt-svc',
    ],
    letters: 'oOKTDc',
  },
  wget: {
    runs: ['use-askpass', 'execute'],
    writes: ['output-document', 'output-file', 'append-output', 'input-file'],
    letters: 'Ooaie',
  },
  go: { other: /^--?(?:exec|toolexec|vettool|overlay)/ },
  vim: { other: /^[-+]/ },
  yq: { writes: ['inplace'], letters: 'i' },
  tee: { other: /./ },
  python: { letters: 'm' },
  perl: { letters: 'mxd' },
  awk: { other: /^-[lodpD]/ },
  php: { letters: 'd' },
};

/** Whether it is, or is the beginning of, one of these long options. */
function isLong(arg: string, names: readonly string[]): boolean {
  if (!/^--[^=]/.test(arg)) return false;
  const given = arg.slice(2).split('=', 1)[0] ?? '';
  return names.some((name) => name.startsWith(given));
}

function isShort(program: string, arg: string, at: number, letters: string): boolean {
  // tar takes its first argument as a bundle without a dash.
  const bundle = /^-[^-]/.test(arg) ? arg.slice(1) : program === 'tar' && at === 0 ? arg : '';
  return !arg.startsWith('--') && bundle.split('').some((letter) => letters.includes(letter));
}

/** Whether an option makes this program run another one, which the option names. For rules that deny. */
export function runsByOption(command: string, args: readonly string[]): boolean {
  const program = programName(command);
  const { runs = [], runLetters = '' } = RISKY_OPTIONS[program] ?? {};
  if (program === 'git' && args.includes('-c')) return true;
  if (program === 'vim' && args.some((arg) => /^(?:-c|--cmd|\+)/.test(arg))) return true;
  return args.some((arg, at) => isLong(arg, runs) || isShort(program, arg, at, runLetters));
}

/** The name of a program without its folder and version: "/usr/bin/python3.12" is "python". */
export function programName(word: string): string {
  const name = word.slice(word.lastIndexOf('/') + 1);
  // The dynamic linker runs the program that it is given.
  if (/^ld(?:-linux|-musl|\.so)/.test(name)) return 'chroot';
  if (/^[gmn]awk$/.test(name)) return 'awk';
  return /^(?:python|pypy|ruby|perl|php|lua|node|pwsh)[\d.]+$/.test(name)
    ? name.replace(/[\d.]+$/, '')
    : name;
}

export const isWrapper = (word: string): boolean => WRAPPERS.has(programName(word));

/** Whether an interpreter is given a program in one of these arguments, or is left to read one from its input. */
export function hasInlineCode(command: string, args: readonly string[]): boolean {
  const option = CODE_OPTIONS[programName(command)];
  if (option === undefined) return false;
  if (args.length === 0 || args.includes('-') || args.some((arg) => option.test(arg))) return true;
  return programName(command) === 'sed' && !LOOKING_SED.test(args.find(isNoOption) ?? '');
}

const isNoOption = (arg: string): boolean => !arg.startsWith('-');

/** Scripts of sed that print lines or replace text on the way; "w" and "e" write and run. */
const LOOKING_SED =
  /^(?:\d*(?:,(?:\d+|\$))?p|s(.)(?:(?!\1)[^\\\n])*\1(?:(?!\1)[^\\\n])*\1[gIi\d]*)$/;

/** A word after the words of a rule. */
interface Argument {
  readonly text: string;
  /** It has a wildcard that is not quoted. */
  readonly wild: boolean;
}

/**
 * Why arguments after the words of a rule take a command beyond what those words say; undefined when they do not. `given`
 * are the words that the rule itself names: what it names, it means.
 */
export function beyond(
  given: readonly string[],
  following: readonly Argument[],
): string | undefined {
  const command = programName(given[0] ?? '');
  const args = following.map(({ text }) => text);
  if (isWrapper(command) && given.length === 1 && args.length > 0) {
    return `${command} runs what follows it`;
  }
  if (SHELLS.has(command) && args.some((arg) => /^[-+][A-Za-z]*c/.test(arg))) {
    return `${command} is given a program`;
  }
  if (hasInlineCode(command, args)) return `${command} is given a program`;
  const risky = RISKY_OPTIONS[command];
  // "git status" has none of the options of its siblings.
  if (risky === undefined || (command === 'git' && given[1] === 'status')) return undefined;
  const { runs = [], writes = [], runLetters = '', letters = '', other } = risky;
  const long = [...runs, ...writes];
  const option = args.find(
    (arg, at) =>
      other?.test(arg) === true ||
      isLong(arg, long) ||
      // Only the first word of all is one of tar's bundles.
      isShort(command, arg, at + given.length - 1, runLetters + letters),
  );
  if (option !== undefined) return `${option} of ${command} can do more than look`;
  // A file may be called "-delete".
  const wild = following.find(({ text, wild: is }) => is && /^[-*?[]/.test(text));
  return wild === undefined
    ? undefined
    : `${wild.text} may become an option of ${command}; quote it, or begin it with "./"`;
}
