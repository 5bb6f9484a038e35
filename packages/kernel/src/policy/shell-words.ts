// The words of a command line that is exactly one simple command, as a shell would give them to the program. Strict: for
// everything that is more than that (operators, redirections, expansions, comments, a second line) there is no answer.
// Rules that allow are judged by this; commands.ts looks into everything else. Pure.

/** End a command, redirect, group or expand; never part of a plain word. */
const SPECIAL = new Set(['|', '&', ';', '<', '>', '(', ')', '`', '$']);

export interface SimpleWord {
  readonly text: string;
  /** It has a wildcard that is not quoted, so that names of files may stand in its place. */
  readonly wild: boolean;
}

/** The words alone. */
export function simpleCommand(text: string): string[] | undefined {
  return simpleWords(text)?.map((word) => word.text);
}

/** Braces that a shell leaves alone: "{}", and "{0}" in "stash@{0}". */
const PLAIN_BRACES = /^\{[\w@+-]*\}/;

/**
 * The words, quotes removed; undefined where the text is not one simple command of plain words. Wildcards and a leading
 * "~" stay as they are written. Braces that expand are refused: "-{delete,print}" is two options.
 */
export function simpleWords(text: string): SimpleWord[] | undefined {
  const words: SimpleWord[] = [];
  let word: string | undefined;
  let wild = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] as string;
    if (char === ' ' || char === '\t' || (char === '\n' && text.slice(at).trim() === '')) {
      if (word !== undefined) words.push({ text: word, wild });
      word = undefined;
      wild = false;
      continue;
    }
    if (char === "'") {
      const end = text.indexOf("'", at + 1);
      if (end < 0) return undefined;
      word = (word ?? '') + text.slice(at + 1, end);
      at = end;
      continue;
    }
    if (char === '"') {
      const quoted = doubleQuoted(text, at + 1);
      if (quoted === undefined) return undefined;
      word = (word ?? '') + quoted.value;
      at = quoted.end;
      continue;
    }
    if (char === '\\') {
      const next = text[at + 1];
      // A line that goes on, or one that ends in the middle of an escape.
      if (next === undefined || next === '\n') return undefined;
      word = (word ?? '') + next;
      at += 1;
      continue;
    }
    if (SPECIAL.has(char) || isOdd(char) || (char === '#' && word === undefined)) return undefined;
    if (char === '{') {
      const plain = PLAIN_BRACES.exec(text.slice(at, at + 256))?.[0];
      if (plain === undefined) return undefined;
      word = (word ?? '') + plain;
      at += plain.length - 1;
      continue;
    }
    if (char === '*' || char === '?' || char === '[') wild = true;
    word = (word ?? '') + char;
  }
  if (word !== undefined) words.push({ text: word, wild });
  return words.some((one) => one.text.includes('\0')) ? undefined : words;
}

/** `end` is where the closing quote stands. */
function doubleQuoted(
  text: string,
  start: number,
): { readonly value: string; readonly end: number } | undefined {
  let value = '';
  for (let at = start; at < text.length; at += 1) {
    const char = text[at] as string;
    if (char === '"') return { value, end: at };
    if (char === '$' || char === '`') return undefined;
    if (char !== '\\') {
      value += char;
      continue;
    }
    const next = text[at + 1] ?? '';
    if (next === '\n') return undefined;
    // Before any other character the backslash is one.
    value += '$`"\\'.includes(next) ? next : `\\${next}`;
    at += 1;
  }
  return undefined;
}

/** Line ends, control characters, and blanks that some locale takes for a separator. */
function isOdd(char: string): boolean {
  return (
    char <= '\u001f' || char === '\u007f' || (char > '\u007f' && /[\s\u0080-\u009f]/u.test(char))
  );
}
