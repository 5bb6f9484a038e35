// What a person may type at the approval screen, and what it means. Pure.

/** What was chosen for one item. */
export type Choice =
  | { readonly type: 'allow'; readonly scope: 'once' | 'session' | 'always' }
  | { readonly type: 'edit' }
  | { readonly type: 'deny'; readonly reason: string };

export type Answer =
  /** Choices by item index, from 0. */
  | { readonly type: 'choices'; readonly choices: ReadonlyMap<number, Choice> }
  | { readonly type: 'view' }
  | { readonly type: 'problem'; readonly message: string };

const ALLOW = { y: 'once', s: 'session', a: 'always' } as const;
const WORDS: Readonly<Record<string, string>> = {
  yes: 'y',
  once: 'y',
  session: 's',
  always: 'a',
  edit: 'e',
  no: 'n',
  deny: 'n',
  view: 'v',
};

/**
 * Reads a line: `y`, `s`, `a`, `e`, `n` (with a reason after it) for every open item, or with item numbers
 * before the letters, such as `1y 2n not that file`. An empty line chooses nothing: approval is never the default.
 * @param open indexes, from 0, of the items that still need a choice
 */
export function parseAnswer(line: string, open: readonly number[]): Answer {
  const choices = new Map<number, Choice>();
  let rest = line.trim();
  if (rest === '') return { type: 'problem', message: 'nothing was chosen' };
  while (rest !== '') {
    const match = /^(\d*)\s*([a-z]+)(?:[\s,]+|$)/i.exec(rest);
    if (match === null) return unclear(rest);
    rest = rest.slice(match[0].length);
    const word = (match[2] ?? '').toLowerCase();
    const letter = WORDS[word] ?? word;
    if (letter === 'v') return { type: 'view' };
    const targets = targetsOf(match[1] ?? '', open);
    if (typeof targets === 'string') return { type: 'problem', message: targets };
    const choice = choiceOf(letter, rest);
    if (choice === undefined) return unclear(word);
    // Everything after a denial is its reason.
    if (choice.type === 'deny') rest = '';
    for (const target of targets) choices.set(target, choice);
  }
  return { type: 'choices', choices };
}

function targetsOf(number: string, open: readonly number[]): readonly number[] | string {
  if (number === '') return open;
  const index = Number(number) - 1;
  return open.includes(index) ? [index] : `there is no open item ${number}`;
}

function choiceOf(letter: string, reason: string): Choice | undefined {
  if (letter === 'y' || letter === 's' || letter === 'a')
    return { type: 'allow', scope: ALLOW[letter] };
  if (letter === 'e') return { type: 'edit' };
  return letter === 'n' ? { type: 'deny', reason: reason.trim() } : undefined;
}

function unclear(what: string): Answer {
  return { type: 'problem', message: `"${what}" is not one of the choices` };
}
