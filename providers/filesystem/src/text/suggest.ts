// Where the text may be that an edit did not find: the lines that come nearest, with their numbers (F5).

export interface Candidate {
  readonly line: number;
  readonly text: string;
  readonly why: 'white space differs' | 'the first line is there' | 'similar';
}

const MAX_CANDIDATES = 3;
const MAX_LINES = 200_000;
const MAX_LINE_CHARS = 400;
const MIN_SIMILARITY = 0.55;

export function candidates(text: string, wanted: string): Candidate[] {
  const lines = text.split(/\r?\n/, MAX_LINES);
  const wantedLines = wanted.split(/\r?\n/);
  const spaced = sameButForSpace(lines, wantedLines);
  if (spaced.length > 0) return spaced;
  const first = wantedLines.find((line) => line.trim() !== '')?.trim();
  if (first === undefined || first.length > MAX_LINE_CHARS) return [];
  const exact = pick(lines, (line) => line.trim() === first, 'the first line is there');
  return exact.length > 0 ? exact : similar(lines, first);
}

function pick(
  lines: readonly string[],
  fits: (line: string, index: number) => boolean,
  why: Candidate['why'],
): Candidate[] {
  const found: Candidate[] = [];
  for (const [index, line] of lines.entries()) {
    if (found.length >= MAX_CANDIDATES) break;
    if (fits(line, index)) found.push({ line: index + 1, text: cut(line), why });
  }
  return found;
}

function sameButForSpace(lines: readonly string[], wanted: readonly string[]): Candidate[] {
  const squeezed = wanted.map(squeeze);
  while (squeezed.length > 1 && squeezed.at(-1) === '') squeezed.pop();
  while (squeezed.length > 1 && squeezed[0] === '') squeezed.shift();
  const [head] = squeezed;
  if (head === undefined || squeezed.every((line) => line === '')) return [];
  return pick(
    lines,
    (line, index) =>
      squeeze(line) === head &&
      squeezed.every((one, offset) => squeeze(lines[index + offset] ?? '') === one),
    'white space differs',
  );
}

function squeeze(line: string): string {
  return line.replaceAll(/\s+/g, '');
}

function similar(lines: readonly string[], wanted: string): Candidate[] {
  const pairs = pairsOf(wanted);
  const scored: { index: number; score: number }[] = [];
  for (const [index, line] of lines.entries()) {
    const trimmed = line.trim();
    if (trimmed === '' || trimmed.length > MAX_LINE_CHARS) continue;
    const ratio = trimmed.length / wanted.length;
    if (ratio < 0.4 || ratio > 2.5) continue;
    const score = likeness(pairs, pairsOf(trimmed));
    if (score >= MIN_SIMILARITY) scored.push({ index, score });
  }
  return scored
    .sort((a, b) => b.score - a.score || a.index - b.index)
    .slice(0, MAX_CANDIDATES)
    .map(({ index }) => ({ line: index + 1, text: cut(lines[index] ?? ''), why: 'similar' }));
}

/** Pairs of neighbouring characters and how often each stands there. */
function pairsOf(text: string): Map<string, number> {
  const pairs = new Map<string, number>();
  for (let i = 0; i < text.length - 1; i++) {
    const pair = text.slice(i, i + 2).toLowerCase();
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  return pairs;
}

/** Dice's coefficient, 0 to 1. */
function likeness(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  let shared = 0;
  let total = 0;
  for (const [pair, count] of a) {
    total += count;
    shared += Math.min(count, b.get(pair) ?? 0);
  }
  for (const count of b.values()) total += count;
  return total === 0 ? 0 : (2 * shared) / total;
}

function cut(line: string): string {
  return line.length > MAX_LINE_CHARS ? `${line.slice(0, MAX_LINE_CHARS)}…` : line;
}
