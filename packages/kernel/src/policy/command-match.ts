// Whether a shell command is what a rule names by its first words. A rule that allows is strict: one simple command, and
// nothing that leads beyond it. A rule that denies or asks looks everywhere. Pure.
import { commandsIn, type Word } from './commands.js';
import type { Fit } from './fit.js';
import { latest } from './latest.js';
import { beyond, hasInlineCode, isWrapper, programName, runsByOption, SHELLS } from './programs.js';
import { simpleWords } from './shell-words.js';

/** Longer ones are not read: no rule allows them, and every rule may mean them. */
const MAX_LENGTH = 64 * 1024;
const MAX_DEPTH = 8;
const TOO_LONG = 'the command is too long to be judged';

// One call is held against many rules: it is read once.
const simple = latest(simpleWords);
const everything = latest(lookInto);
const nameOf = latest(programName);

/** For rules that allow. */
export function certainlyRuns(prefix: readonly string[], command: string): Fit {
  if (command.length > MAX_LENGTH) return no(() => TOO_LONG);
  const words = simple(command);
  if (words === undefined) {
    return no(() => `it is more than one simple command, so it is not just "${prefix.join(' ')}"`);
  }
  if (!prefix.every((word, index) => words[index]?.text === word)) {
    return no(() => `the command does not begin with "${prefix.join(' ')}"`);
  }
  const further = beyond(prefix, words.slice(prefix.length));
  return further === undefined ? { fits: 'yes' } : no(() => further);
}

/** For rules that deny or ask. */
export function possiblyRuns(prefix: readonly string[], command: string): Fit {
  if (command.length > MAX_LENGTH) return maybe(() => TOO_LONG);
  const { runs, doubt, mentioned } = everything(command);
  const [program = '', ...rest] = prefix;
  const name = nameOf(program);
  let doubtHere: string | undefined;
  for (const run of runs) {
    if (run.name !== name) continue;
    const fit = byArguments(rest, run.args);
    if (fit === 'yes') return { fits: 'yes' };
    if (fit === 'maybe') doubtHere = `its arguments may amount to "${prefix.join(' ')}"`;
  }
  if (mentioned.has(name)) doubtHere ??= `"${program}" may be what it runs`;
  const why = doubtHere ?? doubt;
  return why === undefined
    ? no(() => `no command in it begins with "${prefix.join(' ')}"`)
    : maybe(() => why);
}

const no = (why: () => string): Fit => ({ fits: 'no', why });
const maybe = (why: () => string): Fit => ({ fits: 'maybe', why });

function byArguments(expected: readonly string[], args: readonly Word[]): Fit['fits'] {
  if (expected.every((word, at) => args[at]?.known === true && args[at].text === word))
    return 'yes';
  // Options, each with a value, may stand in between ("git -C x push"), and an expansion may be anything.
  let next = 0;
  let afterOption = false;
  for (const { text, known } of args) {
    const option = text.startsWith('-');
    if (!known || text === expected[next]) next += 1;
    else if (!option && !afterOption) break;
    if (next >= expected.length) return 'maybe';
    afterOption = option;
  }
  return 'no';
}

/** Everything that a command runs, as far as it can be told. */
interface Seen {
  readonly runs: { readonly name: string; readonly args: readonly Word[] }[];
  /** Programs that may be run: words behind a program that runs others. */
  readonly mentioned: Set<string>;
  /** Why it may run something else yet. */
  doubt: string | undefined;
}

function lookInto(command: string): Seen {
  const seen: Seen = { runs: [], mentioned: new Set(), doubt: undefined };
  lookAtText(command, seen, 0);
  return seen;
}

function lookAtText(text: string, seen: Seen, depth: number): void {
  if (depth > MAX_DEPTH) {
    seen.doubt ??= 'its commands are nested too deeply to be judged';
    return;
  }
  const { commands, unsure } = commandsIn(text);
  for (const words of commands) lookAtCommand(words, seen, depth);
  if (unsure) seen.doubt ??= 'parts of the command cannot be read with certainty';
}

function lookAtCommand(words: readonly Word[], seen: Seen, depth: number): void {
  const [first, ...args] = words;
  if (first === undefined) return;
  if (!first.known) {
    seen.doubt ??= 'which program it runs is only known when it runs';
    return;
  }
  const name = programName(first.text);
  seen.runs.push({ name, args });
  if (SHELLS.has(name)) byShell(args, seen, depth);
  else if (name === 'eval' || name === 'trap') byText(name, args, seen, depth);
  else if (name === 'source' || name === '.') {
    seen.doubt ??= 'what is in the file that it reads is not known';
  } else if (name === 'find' || name === 'fd') byFind(args, seen, depth);
  else if (isWrapper(name) || name === 'busybox') byWrapper(args, seen, depth);
  else {
    const texts = args.map(({ text }) => text);
    if (hasInlineCode(name, texts)) seen.doubt ??= `${name} is given a program`;
    else if (runsByOption(name, texts)) seen.doubt ??= `an option of ${name} runs a program`;
  }
}

function byText(name: string, args: readonly Word[], seen: Seen, depth: number): void {
  if (args.some(({ known }) => !known)) seen.doubt ??= `what ${name} runs is only known then`;
  const texts = args.map(({ text }) => text);
  // eval joins its words; trap takes one text, and names of signals after it.
  for (const text of name === 'eval' ? [texts.join(' ')] : texts) lookAtText(text, seen, depth + 1);
}

function byShell(args: readonly Word[], seen: Seen, depth: number): void {
  const option = args.findIndex(({ text }) => /^-[a-zA-Z]*c[a-zA-Z]*$/.test(text));
  if (option < 0) {
    const script = args.find(({ text }) => !text.startsWith('-') && !text.startsWith('+'));
    if (script === undefined || args.some(({ text }) => text === '-s')) {
      seen.doubt ??= 'the shell reads its commands from somewhere else';
    }
    return;
  }
  const program = args.slice(option + 1).find(({ text }) => !/^[-+]/.test(text));
  if (program?.known === true) lookAtText(program.text, seen, depth + 1);
  else seen.doubt ??= 'what the shell runs is only known when it runs';
}

function byFind(args: readonly Word[], seen: Seen, depth: number): void {
  for (const [index, { text }] of args.entries()) {
    if (!/^(?:-exec|-execdir|-ok|-okdir|-x|-X|--exec|--exec-batch)$/.test(text)) continue;
    lookAtCommand(args.slice(index + 1), seen, depth + 1);
  }
}

/** The first argument that looks like a command is one; a later one may be. */
function byWrapper(args: readonly Word[], seen: Seen, depth: number): void {
  if (depth > MAX_DEPTH) {
    seen.doubt ??= 'its commands are nested too deeply to be judged';
    return;
  }
  const start = args.findIndex(
    ({ text }) => !/^[-+]/.test(text) && !/^\w+=/.test(text) && !/^[\d.]+[smhd]?$/.test(text),
  );
  if (start < 0) return;
  lookAtCommand(args.slice(start), seen, depth + 1);
  for (const { text, known } of args.slice(start + 1)) {
    if (known) seen.mentioned.add(programName(text));
    else seen.doubt ??= 'what it runs is only known when it runs';
  }
  // `env -S "rm x"`: one argument that is a whole command.
  for (const { text } of args) if (text.includes(' ')) lookAtText(text, seen, depth + 1);
}
