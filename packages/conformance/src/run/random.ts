// A small generator of numbers that gives the same ones for the same seed and name, in whatever order the
// checks run.

export interface Random {
  /** A whole number from 0 up to, and without, `limit`. */
  below(limit: number): number;
  pick<T>(items: readonly T[]): T;
}

/** Mulberry32 over a hash of seed and name. */
export function random(seed: number, name: string): Random {
  let state = seed >>> 0;
  for (const char of name) state = Math.imul(state ^ (char.codePointAt(0) ?? 0), 0x9e37_79b1) >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b_79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    below,
    pick: (items) => {
      const item = items[below(items.length)];
      if (item === undefined) throw new RangeError('nothing to pick from');
      return item;
    },
  };
}
