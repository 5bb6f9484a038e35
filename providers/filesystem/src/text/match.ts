// Finds the text that an edit names. Line ends are compared as line ends, whichever of the two they are (F1, F2);
// everything else is compared exactly.

export interface Match {
  /** Offsets into the file's own text. */
  readonly start: number;
  readonly end: number;
  /** The line on which it begins, from 1. */
  readonly line: number;
}

/** More matches than this are counted together. */
const MAX_MATCHES = 100_000;

/**
 * All places where `wanted` stands, also where they overlap: an overlap makes an edit as ambiguous as a repetition.
 */
export function findMatches(text: string, wanted: string): Match[] {
  const { lf, removed } = withoutCarriageReturns(text);
  const needle = wanted.replaceAll('\r\n', '\n');
  const matches: Match[] = [];
  let line = 1;
  let counted = 0;
  let before = 0;
  for (let at = lf.indexOf(needle); at !== -1; at = lf.indexOf(needle, at + 1)) {
    line += countNewlines(lf, counted, at);
    counted = at;
    before = countBelow(removed, at, before);
    const end = at + needle.length;
    matches.push({ start: at + before, end: end + countBelow(removed, end, before), line });
    if (matches.length >= MAX_MATCHES) break;
  }
  return matches;
}

/** Leaves out what overlaps with the one before, for replacing all. */
export function withoutOverlaps(matches: readonly Match[]): Match[] {
  let end = -1;
  return matches.filter((match) => {
    if (match.start < end) return false;
    ({ end } = match);
    return true;
  });
}

/** The text with LF alone, and where in it a CR was taken away in front of a LF. */
function withoutCarriageReturns(text: string): { lf: string; removed: number[] } {
  if (!text.includes('\r\n')) return { lf: text, removed: [] };
  const removed: number[] = [];
  for (let at = text.indexOf('\r\n'); at !== -1; at = text.indexOf('\r\n', at + 2)) {
    removed.push(at - removed.length);
  }
  return { lf: text.replaceAll('\r\n', '\n'), removed };
}

/** How many of the sorted offsets are below a limit; `from` is a count that is known to be below. */
function countBelow(sorted: readonly number[], limit: number, from: number): number {
  let low = from;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? Infinity) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

function countNewlines(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = text.indexOf('\n', from); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) {
    count += 1;
  }
  return count;
}
