// Reads the two pipes of a shell into one sink, in the order in which data arrives. The sink may be slow: the
// pipes are then not read, and the command waits.
import type { Readable } from 'node:stream';
import { createBoundary } from '../output/utf8-boundary.js';

export type StreamName = 'stdout' | 'stderr';
/** Takes whole characters where the bytes are UTF-8. */
export type Sink = (stream: StreamName, data: Uint8Array) => Promise<void>;

// What a pipe and our buffers can still hold when the shell has ended. More than that comes from a process
// that was left behind and goes on printing.
const REST_BYTES = 1024 * 1024;
const IDLE_MS = 50;

export interface Pump {
  /** Resolves when both pipes have ended by themselves. */
  readonly ended: Promise<void>;
  /** The first failure of the sink; the pipes are read on, into nothing. */
  failure(): unknown;
  /** After the shell's end: takes what is still there, waits for no one who holds the pipes, and lets go. */
  drain(): Promise<void>;
}

export function startPump(stdout: Readable, stderr: Readable, sink: Sink): Pump {
  let turn: Promise<void> = Promise.resolve();
  let busy = 0;
  let lastData = performance.now();
  let failed: { error: unknown } | undefined;
  let rest: number | undefined;
  let over = false;
  let wake: () => void = () => {};

  const pass = (stream: StreamName, data: Uint8Array): Promise<void> => {
    busy += 1;
    lastData = performance.now();
    if (rest !== undefined) rest -= data.length;
    turn = turn
      .then(() => (failed === undefined && data.length > 0 ? sink(stream, data) : undefined))
      .catch((error: unknown) => {
        failed ??= { error };
      })
      .finally(() => {
        busy -= 1;
        lastData = performance.now();
      });
    return turn;
  };

  async function read(stream: StreamName, source: Readable): Promise<void> {
    const boundary = createBoundary();
    try {
      for await (const data of source as AsyncIterable<Uint8Array>) {
        await pass(stream, boundary.push(data));
        if (rest !== undefined && rest <= 0) break;
      }
    } catch (error) {
      // Destroyed by drain(): the rest is nobody's. Anything else is the command's loss of its pipe.
      if (!source.destroyed) failed ??= { error };
    }
    await pass(stream, boundary.flush());
    wake();
  }

  async function readBoth(): Promise<void> {
    await Promise.all([read('stdout', stdout), read('stderr', stderr)]);
    over = true;
    wake();
  }
  const ended = readBoth();

  return {
    ended,
    failure: () => failed?.error,
    async drain() {
      rest = REST_BYTES;
      lastData = performance.now();
      for (;;) {
        const left = lastData + IDLE_MS - performance.now();
        if (over || rest <= 0 || (busy === 0 && left <= 0)) break;
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, Math.max(left, 5));
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      stdout.destroy();
      stderr.destroy();
      await ended;
    },
  };
}
