// Which line ends a replacement gets: those of what it replaces, so that a file keeps its own (F1, F2).

/**
 * The replacement with line ends as in the text that it replaces: the first like the first, and so on, the last of
 * them for all further ones. A text without line ends takes them from its surroundings; a file without any, from
 * the replacement itself.
 */
export function withLineEndsOf(
  text: string,
  place: { readonly start: number; readonly end: number },
  replacement: string,
): string {
  if (!replacement.includes('\n')) return replacement;
  const own = lineEnds(text.slice(place.start, place.end));
  const ends = own.length > 0 ? own : surroundingEnd(text, place);
  if (ends.length === 0) return replacement;
  const lines = replacement.split(/\r?\n/);
  return lines
    .map((line, index) =>
      index === lines.length - 1 ? line : line + (ends[Math.min(index, ends.length - 1)] ?? '\n'),
    )
    .join('');
}

function lineEnds(text: string): string[] {
  return text.match(/\r?\n/g) ?? [];
}

function surroundingEnd(text: string, { start, end }: { start: number; end: number }): string[] {
  const after = text.indexOf('\n', end);
  const at = after === -1 ? text.lastIndexOf('\n', start - 1) : after;
  if (at === -1 || (after === -1 && start === 0)) return [];
  return [text.charAt(at - 1) === '\r' ? '\r\n' : '\n'];
}
