// What is known of programs that run other programs, or that change something where one would not think it: so that a
// rule about one program is not a way to another. Data and small questions about it. Pure.

/** Run the command that their arguments name. */
const WRAPPERS = new Set(
  (
    'builtin chroot chrt command doas entr env eval exec firejail flock gtime ionice nice nohup nsenter parallel ' +
    'proot runuser script setarch setpriv setsid sg ssh stdbuf strace su sudo taskset time timeout trap ' +
    'unbuffer unshare watch xargs'
  ).split(' '),
);

export const SHELLS = new Set([
  'sh',
  'bash',
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
  node: /^(?:-[a-z]*[ep]|--eval|--print|--import|--require|-r)/,
  bun: /^(?:-e|--eval|-p|--print|x$)/,
  deno: /^eval$/,
  ruby: /^-[a-z]*e/,
  perl: /^-[A-Za-z]*[eE]/,
  php: /^-[a-z]*[rBRE]/,
  lua: /^-e/,
  osascript: /^-e/,
  pwsh: /^-(?:c|e|ec|command|encodedcommand)/i,
  powershell: /^-(?:c|e|ec|command|encodedcommand)/i,
  awk: /system|\||>|getline|^-[fiE]|^--/,
  sed: /^-[a-zA-Z]*[eif]|^--(?:in-place|file|expression)/,
};

/** Options by which a program that looks runs another one, or writes. */
const RISKY_OPTIONS: Readonly<Record<string, RegExp>> = {
  find: /^-(?:exec|execdir|ok|okdir|delete|fprint|fprint0|fprintf|fls)$/,
  fd: /^(?:-x|-X|--exec)/,
  git: /^(?:--output|--upload-pack|--receive-pack|--exec|--open-files-in-pager|--ext-diff|--textconv|-O|-c$|--config-env)/,
  rg: /^--(?:pre|hostname-bin)/,
  tar: /^(?:--to-command|--checkpoint-action|--use-compress-program|--rsh-command|-I|-F)/,
  sort: /^(?:-o|--output|--compress-program)/,
  rsync: /^(?:-e|--rsh)/,
  man: /^(?:-P|--pager|-H|--html)/,
  date: /^(?:-s|--set)/,
  curl: /^(?:-o|-O|--output|--remote-name|-K|--config|-T|--upload-file)/,
  wget: /^(?:-O|--output-document|--use-askpass|-i)/,
  go: /^-(?:exec|toolexec)/,
  vim: /^[-+]/,
  yq: /^-i/,
  tee: /./,
};

/** The name of a program without its folder and version: "/usr/bin/python3.12" is "python". */
export function programName(word: string): string {
  const name = word.slice(word.lastIndexOf('/') + 1);
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

/**
 * Why arguments after the words of a rule take a command beyond what those words say; undefined when they do not. `given`
 * are the words that the rule itself names: what it names, it means.
 */
export function beyond(given: readonly string[], args: readonly string[]): string | undefined {
  const command = programName(given[0] ?? '');
  if (isWrapper(command) && given.length === 1 && args.length > 0) {
    return `${command} runs what follows it`;
  }
  if (SHELLS.has(command) && args.some((arg) => /^-[a-z]*c/.test(arg))) {
    return `${command} is given a program`;
  }
  if (hasInlineCode(command, args)) return `${command} is given a program`;
  const risky = RISKY_OPTIONS[command];
  const option = risky === undefined ? undefined : args.find((arg) => risky.test(arg));
  return option === undefined ? undefined : `${option} of ${command} can do more than look`;
}
