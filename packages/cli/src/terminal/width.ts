// How many columns text takes, and cutting and wrapping by columns. Works on graphemes, so that a
// combining mark or a family emoji is never cut in two. For text without escape sequences.
import stringWidth from 'string-width';

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
const TAB = 4;
const ASCII = /^[\u0020-\u007e]*$/;

/** Columns of one line of text; tabs count as in `expandTabs`. */
export function textWidth(text: string): number {
  return ASCII.test(text) ? text.length : stringWidth(expandTabs(text));
}

/** Tabs as spaces up to the next multiple of four columns. */
export function expandTabs(text: string): string {
  if (!text.includes('\t')) return text;
  let line = '';
  for (const [index, part] of text.split('\t').entries()) {
    if (index > 0) line += ' '.repeat(TAB - (stringWidth(line) % TAB));
    line += part;
  }
  return line;
}

/** Text cut to `width` columns, with an ellipsis in the last one where something was cut. */
export function truncate(text: string, width: number): string {
  const line = expandTabs(text);
  if (textWidth(line) <= width) return line;
  if (width < 1) return '';
  let kept = '';
  let used = 0;
  for (const { segment } of graphemes.segment(line)) {
    const next = textWidth(segment);
    if (used + next > width - 1) break;
    kept += segment;
    used += next;
  }
  return `${kept}…`;
}

/** Text filled with spaces to `width` columns, or cut to it. */
export function fit(text: string, width: number): string {
  const cut = truncate(text, width);
  return cut + ' '.repeat(Math.max(0, width - textWidth(cut)));
}

/** The lines of text wrapped to `width` columns: at spaces where there are, inside of words else. */
export function wrap(text: string, width: number): string[] {
  const room = Math.max(1, width);
  return text.split('\n').flatMap((line) => wrapLine(expandTabs(line), room));
}

/** The lines of text cut into pieces of `width` columns, without regard to words: for code. */
export function chop(text: string, width: number): string[] {
  const room = Math.max(1, width);
  return text.split('\n').flatMap((line) => chopLine(expandTabs(line), room));
}

function wrapLine(line: string, width: number): string[] {
  if (textWidth(line) <= width) return [line];
  const lines: string[] = [];
  let current = '';
  for (const word of line.split(/(?<= )(?=[^ ])/)) {
    const joined = current + word;
    if (textWidth(joined.trimEnd()) <= width) {
      current = joined;
      continue;
    }
    if (current.trim() !== '') lines.push(current.trimEnd());
    current = word;
    if (textWidth(word.trimEnd()) > width) {
      const pieces = chopLine(word, width);
      lines.push(...pieces.slice(0, -1));
      current = pieces.at(-1) ?? '';
    }
  }
  lines.push(current.trimEnd());
  return lines;
}

function chopLine(line: string, width: number): string[] {
  if (textWidth(line) <= width) return [line];
  const pieces: string[] = [];
  let piece = '';
  let used = 0;
  for (const { segment } of graphemes.segment(line)) {
    const next = textWidth(segment);
    if (used + next > width && piece !== '') {
      pieces.push(piece);
      piece = '';
      used = 0;
    }
    piece += segment;
    used += next;
  }
  pieces.push(piece);
  return pieces;
}
