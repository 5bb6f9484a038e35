// Hands events from one side to the other inside of a process, a few at a time (EVT-05, EVT-07).

export interface EventQueue<T> extends AsyncIterable<T> {
  /** Resolves when there is room for the next one. */
  push(item: T): Promise<void>;
  /** What was pushed is still read. */
  end(): void;
  /** Nobody reads any more: what is there is dropped, and pushing never waits. */
  discard(): void;
}

/** Events that may wait unread before `push` waits. */
const HIGH_WATER = 16;

export function eventQueue<T>(): EventQueue<T> {
  const items: T[] = [];
  const writers: (() => void)[] = [];
  let state: 'open' | 'ended' | 'discarded' = 'open';
  let wakeReader: (() => void) | undefined;

  const letWritersGo = () => {
    if (items.length < HIGH_WATER || state !== 'open') {
      for (const resume of writers.splice(0)) resume();
    }
  };

  return {
    async push(item) {
      if (state !== 'open') return;
      items.push(item);
      wakeReader?.();
      if (items.length >= HIGH_WATER) await new Promise<void>((resolve) => writers.push(resolve));
    },
    end() {
      if (state === 'open') state = 'ended';
      wakeReader?.();
      letWritersGo();
    },
    discard() {
      state = 'discarded';
      items.length = 0;
      wakeReader?.();
      letWritersGo();
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        if (items.length > 0) {
          yield items.shift() as T;
          letWritersGo();
        } else if (state !== 'open') {
          return;
        } else {
          await new Promise<void>((resolve) => {
            wakeReader = resolve;
          });
          wakeReader = undefined;
        }
      }
    },
  };
}
