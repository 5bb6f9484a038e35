// Makes text that came from a model, a provider or a file harmless on a terminal: what could move the
// cursor, repaint a prompt, set a title or reorder what is read becomes visible instead. Knows nothing of
// layout or colour.

// C0 and DEL have pictures of their own in Unicode (U+2400…); everything else is shown by number.
const PICTURES = 0x2400;

// C0 without tab and newline, DEL, C1, bidi controls and isolates, line and paragraph separators, the
// zero-width characters that hide text (not the joiners, which emoji and scripts need), BOM, tag
// characters, and unpaired surrogates.
const HARMFUL =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]|\p{Surrogate}/gu;

function visible(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(PICTURES + code);
  if (code === 0x7f) return '\u2421';
  return `\\u{${code.toString(16)}}`;
}

/** Text with newlines and tabs kept and every other control character made visible. */
export function sanitize(text: string): string {
  return text.replaceAll(HARMFUL, visible);
}

/** Text as one line: newlines and tabs are made visible too. */
export function sanitizeLine(text: string): string {
  return sanitize(text).replaceAll('\n', '\u240a').replaceAll('\t', '\u2409');
}

const ESC = '\u001b';
const SGR = /^\u001b\[[0-9;:]{0,32}m/;
const SGR_BEGINNING = /^\u001b(?:\[[0-9;:]{0,32})?$/;

/**
 * For output that streams in pieces: keeps colours (SGR sequences) and carriage returns, as the output of
 * programs is made of them, and makes the rest visible. A sequence that is cut by the end of a piece is
 * kept back until the next one; `end` gives what was kept back.
 */
export function createStreamSanitizer(): { write(text: string): string; end(): string } {
  let kept = '';
  const clean = (piece: string): string =>
    piece
      .split('\r')
      .map((part) => sanitize(part))
      .join('\r');
  return {
    write(text) {
      const input = kept + text;
      kept = '';
      let output = '';
      let from = 0;
      for (let at = input.indexOf(ESC); at !== -1; at = input.indexOf(ESC, from)) {
        output += clean(input.slice(from, at));
        const rest = input.slice(at, at + 40);
        const sgr = SGR.exec(rest);
        if (sgr !== null) {
          output += sgr[0];
          from = at + sgr[0].length;
        } else if (SGR_BEGINNING.test(rest) && at + rest.length === input.length) {
          kept = rest;
          return output;
        } else {
          output += visible(ESC);
          from = at + 1;
        }
      }
      return output + clean(input.slice(from));
    },
    end() {
      const rest = clean(kept);
      kept = '';
      return rest;
    },
  };
}
