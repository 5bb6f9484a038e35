// The names that a mistyped one may have been meant to be, best first. Pure.

const MOST = 3;

/** At most three of the candidates; empty when none is near. */
export function suggest(name: string, candidates: readonly string[]): readonly string[] {
  if (name.length > 200) return [];
  const wanted = fold(name);
  const bare = lastPart(wanted);
  return candidates
    .map((candidate) => {
      const folded = fold(candidate);
      // The right operation of a wrong provider is as near as one wrong letter.
      const byOperation = distance(bare, lastPart(folded)) + 1;
      return { candidate, far: Math.min(distance(wanted, folded), byOperation) };
    })
    .filter(({ far }) => far <= Math.max(2, Math.floor(bare.length / 3)))
    .sort((a, b) => a.far - b.far)
    .slice(0, MOST)
    .map(({ candidate }) => candidate);
}

function fold(name: string): string {
  return name.toLowerCase().replaceAll('__', '.').replaceAll(/[_-]/g, '');
}

function lastPart(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}

/** Levenshtein. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
