// Finds the name that a mistyped one was meant to be, for "did you mean" in messages.

/** The candidate within two edits (one for short names), ignoring case, "_" and "-"; undefined if none. */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  if (word.length > 60) return undefined;
  const wanted = fold(word);
  let best: string | undefined;
  let bestDistance = word.length < 5 ? 2 : 3;
  let seen = 0;
  for (const candidate of candidates) {
    if (++seen > 200 || candidate.length > 60) continue;
    const distance = editDistance(wanted, fold(candidate), bestDistance);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

function fold(word: string): string {
  return word.toLowerCase().replaceAll(/[_-]/g, '');
}

function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? limit;
}
