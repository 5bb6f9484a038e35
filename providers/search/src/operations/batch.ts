// Gathers results into partial results: the first at once, later ones in groups, so that many small results
// do not become as many messages.

export interface Batch<T> {
  add(item: T): Promise<void>;
  flush(): Promise<void>;
}

const SIZE = 50;

export function createBatch<T>(send: (items: readonly T[]) => Promise<void>): Batch<T> {
  let waiting: T[] = [];
  let first = true;
  const flush = async (): Promise<void> => {
    if (waiting.length === 0) return;
    const items = waiting;
    waiting = [];
    await send(items);
  };
  return {
    async add(item) {
      waiting.push(item);
      if (first || waiting.length >= SIZE) {
        first = false;
        await flush();
      }
    },
    flush,
  };
}
