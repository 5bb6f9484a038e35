// One exact replacement in a text. Pure; says why it cannot be done instead of guessing.
import { type Candidate, candidates } from './suggest.js';
import { withLineEndsOf } from './line-endings.js';
import { findMatches, type Match, withoutOverlaps } from './match.js';
import { withoutNumbers } from './numbered.js';

export interface Replacement {
  readonly old: string;
  readonly new: string;
  readonly replaceAll: boolean;
}

export type EditResult =
  | {
      readonly type: 'edited';
      readonly text: string;
      /** Where the replacements began, as line numbers of the text before. */
      readonly lines: readonly number[];
      readonly note?: string;
    }
  | { readonly type: 'ambiguous'; readonly lines: readonly number[] }
  | { readonly type: 'missing'; readonly candidates: readonly Candidate[] };

/** `old` must not be empty. */
export function editText(text: string, edit: Replacement): EditResult {
  const exact = findMatches(text, edit.old);
  if (exact.length > 0) return replace(text, exact, edit);
  // F4: copied together with the line numbers that read_file puts in front.
  const old = withoutNumbers(edit.old);
  if (old !== undefined && old !== '') {
    const matches = findMatches(text, old);
    if (matches.length > 0) {
      const result = replace(text, matches, {
        ...edit,
        old,
        new: withoutNumbers(edit.new) ?? edit.new,
      });
      return result.type === 'edited' ? { ...result, note: NUMBERS_NOTE } : result;
    }
  }
  return { type: 'missing', candidates: candidates(text, old ?? edit.old) };
}

const NUMBERS_NOTE =
  'old was found only after its line numbers had been taken away: they are not part of the file.';

function replace(text: string, matches: readonly Match[], edit: Replacement): EditResult {
  if (matches.length > 1 && !edit.replaceAll) {
    return { type: 'ambiguous', lines: matches.map((match) => match.line) };
  }
  const places = withoutOverlaps(matches);
  const pieces: string[] = [];
  let from = 0;
  for (const place of places) {
    pieces.push(text.slice(from, place.start), withLineEndsOf(text, place, edit.new));
    from = place.end;
  }
  pieces.push(text.slice(from));
  return { type: 'edited', text: pieces.join(''), lines: places.map((place) => place.line) };
}
