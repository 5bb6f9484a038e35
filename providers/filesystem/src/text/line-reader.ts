// Finds a range of lines in a file of any size without holding more than the range: pieces go in, lines come out.

export interface LineRange {
  /** The first line wanted, from 1. */
  readonly first: number;
  readonly maxLines: number;
  /** Characters of all lines together. */
  readonly maxChars: number;
  /** Characters of one line; the rest of it is left out, and counted. */
  readonly maxLineChars: number;
}

interface FoundLine {
  readonly number: number;
  readonly text: string;
  /** Characters of the line that were left out. */
  readonly cut: number;
}

export interface LineReader {
  push(text: string): void;
  /** To be called when there is no more text. */
  end(): void;
  readonly lines: readonly FoundLine[];
  /** Lines seen until now; all of the file's once it has ended. */
  readonly seen: number;
  /** Whether the range is complete, so that more text only counts lines. */
  readonly full: boolean;
  /** Line endings seen in text until now. */
  readonly endings: { readonly lf: number; readonly crlf: number };
}

export function createLineReader(range: LineRange): LineReader {
  const lines: FoundLine[] = [];
  const last = range.first + range.maxLines - 1;
  let number = 1;
  let kept = '';
  let length = 0;
  let chars = 0;
  let full = range.maxLines <= 0;
  let started = false;
  let lf = 0;
  let crlf = 0;
  let endsWithCr = false;

  const wanted = () => !full && number >= range.first;

  const add = (text: string) => {
    if (text === '') return;
    started = true;
    length += text.length;
    endsWithCr = text.endsWith('\r');
    if (wanted() && kept.length <= range.maxLineChars) {
      // One more than shown, for a CR that turns out to belong to the line's end.
      kept += text.slice(0, range.maxLineChars + 1 - kept.length);
    }
  };

  const finish = (ended: boolean) => {
    if (ended) {
      if (endsWithCr) crlf += 1;
      else lf += 1;
    }
    if (wanted()) {
      const own = ended && endsWithCr ? length - 1 : length;
      let shown = kept.slice(0, Math.min(own, range.maxLineChars));
      if (shown.length < own) shown = withoutHalf(shown);
      if (lines.length > 0 && chars + shown.length > range.maxChars) full = true;
      else {
        chars += shown.length + 1;
        lines.push({ number, text: shown, cut: own - shown.length });
        if (number >= last) full = true;
      }
    }
    number += 1;
    kept = '';
    length = 0;
    started = false;
    endsWithCr = false;
  };

  return {
    push(text) {
      let from = 0;
      for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', from)) {
        add(text.slice(from, at));
        finish(true);
        from = at + 1;
      }
      add(text.slice(from));
    },
    end() {
      if (started) finish(false);
    },
    lines,
    get seen() {
      return number - 1;
    },
    get full() {
      return full;
    },
    get endings() {
      return { lf, crlf };
    },
  };
}

/** A cut between the two halves of a character leaves none of it. */
function withoutHalf(text: string): string {
  return /[\ud800-\udbff]$/.test(text) ? text.slice(0, -1) : text;
}
