// Every command that a shell text may run, as far as it can be told: in lists, pipes, groups, substitutions, and behind
// keywords. Lenient, where shell-words.ts is strict: rules that deny or ask look here, and what cannot be told is
// said to be unsure instead of being left out. Pure.

export interface Word {
  /** Quotes removed; expansions left out. */
  readonly text: string;
  /** Whether that is all of it: no expansion, no wildcard. */
  readonly known: boolean;
}

export interface Commands {
  /** The words of each simple command, assignments and keywords before it left out; never empty. */
  readonly commands: readonly (readonly Word[])[];
  /** Something in it is beyond this reader: there may be more commands. */
  readonly unsure: boolean;
}

const KEYWORDS = new Set(
  'if then elif else do while until ! { } time coproc fi done esac'.split(' '),
);
const ASSIGNMENT = /^[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=/;
const MAX_DEPTH = 20;
/** Expansions inside of expansions; the reader calls itself for each. */
const MAX_NESTED = 100;

export function commandsIn(text: string): Commands {
  const reader = createReader(text, 0);
  reader.list(undefined);
  return { commands: reader.commands, unsure: reader.isUnsure() };
}

interface Reader {
  readonly commands: (readonly Word[])[];
  isUnsure(): boolean;
  /** Reads commands up to the closing parenthesis that `until` asks for, or to the end. */
  list(until: ')' | undefined): void;
}

function createReader(text: string, depth: number): Reader {
  const commands: (readonly Word[])[] = [];
  let at = 0;
  let unsure = depth > MAX_DEPTH;
  let nested = 0;
  const pending: { end: string; tabs: boolean; quoted: boolean }[] = [];

  function list(until: ')' | undefined): void {
    let words: Word[] = [];
    let groups = 0;
    let wordEnd = -1;
    const end = (): void => {
      // A pattern of "case" ends with a parenthesis, which looks like the end of a substitution around it.
      if (until === ')' && words.some(({ text: word }) => word === 'case')) unsure = true;
      const command = withoutLead(words);
      if (command.length > 0) commands.push(command);
      words = [];
    };
    while (at < text.length) {
      const char = text[at] as string;
      if (char === ' ' || char === '\t' || text.startsWith('\\\n', at)) {
        at += char === '\\' ? 2 : 1;
      } else if (char === '#') {
        const line = text.indexOf('\n', at);
        at = line < 0 ? text.length : line;
      } else if (char === '&' && text[at + 1] === '>') {
        at += 1;
      } else if (char === '<' || char === '>') {
        // "2>f": the number is no word of the command.
        if (wordEnd === at && /^(?:\d+|\{\w+\})$/.test(words.at(-1)?.text ?? '')) words.pop();
        redirection();
      } else if (char === '(') {
        // After words it is a function, an array or a pattern.
        if (words.length > 0) unsure = true;
        groups += 1;
        at += 1;
        end();
      } else if (char === ')') {
        at += 1;
        end();
        if (groups === 0 && until === ')') return;
        groups = Math.max(0, groups - 1);
      } else if (';&|\n\r'.includes(char)) {
        at += 1;
        end();
        if (char === '\n') hereDocuments();
      } else {
        words.push(readWord());
        wordEnd = at;
      }
    }
    if (until === ')') unsure = true;
    end();
  }

  /** What is redirected to is no word of the command; what is substituted there does run. */
  function redirection(): void {
    if (text.startsWith('<(', at) || text.startsWith('>(', at)) {
      at += 2;
      nest(() => list(')'));
      return;
    }
    if (text.startsWith('<<', at) && !text.startsWith('<<<', at)) {
      delimiter();
      return;
    }
    while (at < text.length && '<>&|-'.includes(text[at] as string)) at += 1;
    while (text[at] === ' ' || text[at] === '\t') at += 1;
    if (at < text.length && !';&|()\n'.includes(text[at] as string)) readWord();
  }

  /** Behind "<<": what the body of the here-document ends with. */
  function delimiter(): void {
    const tabs = text[at + 2] === '-';
    at += tabs ? 3 : 2;
    while (text[at] === ' ' || text[at] === '\t') at += 1;
    const start = at;
    const word = readWord();
    const quoted = /['"\\]/.test(text.slice(start, at));
    pending.push({ end: word.text, tabs, quoted });
  }

  /** Bodies stand after the end of the line. They are data; but what is substituted in them does run. */
  function hereDocuments(): void {
    for (const { end, tabs, quoted } of pending.splice(0)) {
      const body: string[] = [];
      let closed = false;
      while (at < text.length && !closed) {
        const next = text.indexOf('\n', at);
        const line = text.slice(at, next < 0 ? text.length : next);
        at = next < 0 ? text.length : next + 1;
        closed = (tabs ? line.replace(/^\t+/, '') : line) === end;
        if (!closed) body.push(line);
      }
      if (!quoted) inside(body.join('\n').replaceAll('"', ''));
    }
  }

  /** The commands that a text runs when it is expanded as in double quotes. */
  function inside(body: string): void {
    if (!/[$`]/.test(body)) return;
    const reader = createReader(`: "${body}"`, depth + 1);
    if (depth < MAX_DEPTH) reader.list(undefined);
    commands.push(...reader.commands);
    unsure ||= reader.isUnsure();
  }

  function readWord(): Word {
    let value = '';
    let known = true;
    while (at < text.length) {
      const char = text[at] as string;
      if (' \t\n\r;&|<>()'.includes(char)) break;
      if (char === '\\') {
        const next = text[at + 1];
        if (next === undefined) unsure = true;
        else if (next !== '\n') value += next;
        at += 2;
      } else if (char === "'") {
        value += singleQuoted();
      } else if (char === '"') {
        const quoted = inDoubleQuotes();
        value += quoted.text;
        known &&= quoted.known;
      } else if (char === '$' || char === '`') {
        known = expansion();
      } else {
        // What these become depends on the files that are there.
        if (char === '*' || char === '?' || char === '[') known = false;
        if (char === '{' && /^\{[^{}\s]*(?:,|\.\.)/.test(text.slice(at, at + 200))) known = false;
        value += char;
        at += 1;
      }
    }
    return { text: value, known };
  }

  function singleQuoted(): string {
    const end = text.indexOf("'", at + 1);
    if (end < 0) unsure = true;
    const value = text.slice(at + 1, end < 0 ? text.length : end);
    at = end < 0 ? text.length : end + 1;
    return value;
  }

  function inDoubleQuotes(): Word {
    let value = '';
    let known = true;
    at += 1;
    while (at < text.length) {
      const char = text[at] as string;
      if (char === '"') {
        at += 1;
        return { text: value, known };
      }
      if (char === '\\') {
        const next = text[at + 1] ?? '';
        if (next !== '\n') value += '$`"\\'.includes(next) ? next : `\\${next}`;
        at += 2;
      } else if (char === '$' || char === '`') {
        known = expansion();
      } else {
        value += char;
        at += 1;
      }
    }
    unsure = true;
    return { text: value, known };
  }

  /** Reads what is nested; where that is too deep, nothing that follows is read. */
  function nest(read: () => void): void {
    if (nested >= MAX_NESTED) {
      unsure = true;
      at = text.length;
      return;
    }
    nested += 1;
    read();
    nested -= 1;
  }

  /** Reads one expansion and the commands in it; false, as what it becomes is not known. */
  function expansion(): false {
    nest(expand);
    return false;
  }

  function expand(): void {
    if (text[at] === '`') {
      backticks();
      return;
    }
    const next = text[at + 1] ?? '';
    at += 1;
    if (next === '(') {
      at += 1;
      list(')');
    } else if (next === '{') {
      braces();
    } else if (next === "'") {
      escapedQuotes();
    } else if (next === '"') {
      inDoubleQuotes();
    } else if (/[A-Za-z0-9_@*#?$!-]/.test(next)) {
      at += /^(?:[A-Za-z_]\w*|.)/s.exec(text.slice(at, at + 256))?.[0].length ?? 1;
    }
  }

  function backticks(): void {
    let inner = '';
    at += 1;
    while (at < text.length && text[at] !== '`') {
      if (text[at] === '\\') at += 1;
      inner += text[at] ?? '';
      at += 1;
    }
    if (at >= text.length) unsure = true;
    at += 1;
    const reader = createReader(inner, depth + 1);
    if (depth < MAX_DEPTH) reader.list(undefined);
    commands.push(...reader.commands);
    unsure ||= reader.isUnsure();
  }

  /** `${…}`: a substitution inside of it runs. */
  function braces(): void {
    at += 1;
    while (at < text.length && text[at] !== '}') {
      const char = text[at] as string;
      if (char === '$' || char === '`') expansion();
      else if (char === '\\') at += 2;
      else if (char === '"') inDoubleQuotes();
      else if (char === "'") singleQuoted();
      else at += 1;
    }
    if (at >= text.length) unsure = true;
    at += 1;
  }

  /** `$'…'`, whose escapes can spell anything. */
  function escapedQuotes(): void {
    at += 1;
    while (at < text.length && text[at] !== "'") at += text[at] === '\\' ? 2 : 1;
    at += 1;
  }

  return { commands, isUnsure: () => unsure, list };
}

/** Keywords and assignments stand before a command, some keywords with a word or two of their own. */
function withoutLead(words: readonly Word[]): readonly Word[] {
  const at = (index: number): string => {
    const word = words[index];
    return word?.known === true ? word.text : '';
  };
  let first = 0;
  while (first < words.length) {
    const next = at(first + 1);
    const third = at(first + 2);
    if (at(first) === 'function') first += 2;
    else if ((at(first) === 'for' || at(first) === 'select') && (third === 'do' || third === '{')) {
      first += 3;
    } else if (at(first) === 'coproc' && !KEYWORDS.has(next) && KEYWORDS.has(third)) first += 2;
    else if (at(first) === 'time' && (next === '-p' || next === '--')) {
      first += next === '-p' && third === '--' ? 3 : 2;
    } else if (KEYWORDS.has(at(first)) || ASSIGNMENT.test(words[first]?.text ?? '')) first += 1;
    else break;
  }
  return words.slice(first);
}
