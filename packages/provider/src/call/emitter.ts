// What a handler sends while its call runs. Each method resolves when the receiver has room for more, so that a
// handler which awaits it is slowed down by a slow observer (EVT-07).
import { checkJson, type JsonObject, type OutputStream, type ToolEvent } from '@tenon/protocol';
import type { ByteMask, SecretMask } from '../secrets/mask.js';

interface StreamingEmit {
  /** A piece of output, in order. Text is sent as UTF-8 (EVT-04, EVT-05). */
  chunk(stream: OutputStream, data: string | Uint8Array): Promise<void>;
  /** How far the work is; `fraction` from 0 to 1. */
  progress(message: string, fraction?: number): Promise<void>;
  /** A piece of the result that can be used already. */
  partial(payload: JsonObject): Promise<void>;
}

interface ProcessEmit {
  /** How the child process ended: once per call (EVT-02). */
  exitStatus(exitCode: number, signal?: string): Promise<void>;
}

/**
 * The events that an operation may send, by its `streaming` and `processBacked`. What it may not send is not
 * there for the compiler, and throws for those who have none.
 */
export type Emit<S extends boolean, P extends boolean> = (S extends true
  ? StreamingEmit
  : unknown) &
  (P extends true ? ProcessEmit : unknown);

/** Takes the events of one call, in order. Resolves when there is room for more. */
export type EventSink = (event: ToolEvent) => void | Promise<void>;

export interface Emitter {
  readonly emit: Emit<true, true>;
  /** Sends what the masks have held back. Afterwards everything is dropped. */
  close(): void;
  /** Rejects when the handler sends without waiting until this many events are under way. */
  readonly overflow: Error | undefined;
}

export interface EmitterOptions {
  readonly operation: string;
  readonly streaming: boolean;
  readonly processBacked: boolean;
  readonly mask: SecretMask;
  readonly sink: EventSink;
  /** Called when the handler sends after it has ended. */
  readonly onLate: (type: string) => void;
}

/** What may be under way without being awaited: enough for bursts, not enough to fill memory. */
const MAX_PENDING_EVENTS = 10_000;
const MAX_PENDING_BYTES = 64 * 1024 * 1024;

export function createEmitter(options: EmitterOptions): Emitter {
  const { operation, mask, sink } = options;
  const masks = new Map<OutputStream, ByteMask>();
  let closed = false;
  let exited = false;
  let overflow: Error | undefined;
  let pendingEvents = 0;
  let pendingBytes = 0;

  const send = async (event: ToolEvent, size: number): Promise<void> => {
    if (closed) return options.onLate(event.type);
    if (overflow !== undefined) throw overflow;
    if (pendingEvents >= MAX_PENDING_EVENTS || pendingBytes + size > MAX_PENDING_BYTES) {
      overflow = new Error(
        `${operation} sends faster than it is read and does not wait: await what emit returns`,
      );
      throw overflow;
    }
    const room = sink(event);
    if (room === undefined) return;
    pendingEvents += 1;
    pendingBytes += size;
    try {
      await room;
    } finally {
      pendingEvents -= 1;
      pendingBytes -= size;
    }
  };

  const needs = (allowed: boolean, method: string, option: string): void => {
    if (allowed) return;
    throw new TypeError(
      `${operation} may not emit.${method}: its definition does not say ${option}: true`,
    );
  };

  const emit: Emit<true, true> = {
    async chunk(stream, data) {
      needs(options.streaming, 'chunk', 'streaming');
      if (stream !== 'stdout' && stream !== 'stderr') {
        throw new TypeError(`emit.chunk takes "stdout" or "stderr", not "${String(stream)}"`);
      }
      // A copy: the author may use the same buffer for the next piece.
      let bytes: Uint8Array = typeof data === 'string' ? Buffer.from(data) : Uint8Array.from(data);
      if (!mask.isEmpty) {
        let masking = masks.get(stream);
        if (masking === undefined) masks.set(stream, (masking = mask.stream()));
        bytes = masking.push(bytes);
      }
      if (bytes.length > 0) await send({ type: 'output_chunk', stream, data: bytes }, bytes.length);
    },
    async progress(message, fraction) {
      needs(options.streaming, 'progress', 'streaming');
      if (fraction !== undefined && !(fraction >= 0 && fraction <= 1)) {
        throw new RangeError(`emit.progress takes a fraction from 0 to 1, not ${fraction}`);
      }
      const said = wellFormed(mask.text(message));
      await send(
        { type: 'progress', message: said, ...(fraction === undefined ? {} : { fraction }) },
        said.length,
      );
    },
    async partial(payload) {
      needs(options.streaming, 'partial', 'streaming');
      const checked = checkJson(payload);
      if (!checked.ok) {
        const what = checked.violations.map((v) => `${v.pointer || '/'} ${v.message}`).join('; ');
        throw new TypeError(`emit.partial got what JSON cannot carry: ${what}`);
      }
      await send({ type: 'partial_result', payload: mask.json(payload) }, 256);
    },
    async exitStatus(exitCode, signal) {
      needs(options.processBacked, 'exitStatus', 'processBacked');
      if (!Number.isInteger(exitCode) || exitCode < -(2 ** 31) || exitCode >= 2 ** 31) {
        throw new RangeError(`emit.exitStatus takes a 32-bit whole number, not ${exitCode}`);
      }
      if (exited) throw new Error(`${operation} sent its exit status already; it has only one`);
      exited = true;
      await send(
        { type: 'exit_status', exitCode, ...(signal === undefined ? {} : { signal }) },
        16,
      );
    },
  };

  return {
    emit,
    close() {
      for (const [stream, masking] of masks) {
        const data = masking.flush();
        // Not waited for: at the most a few bytes, and the terminal event comes behind it in the same order.
        if (data.length > 0) void sink({ type: 'output_chunk', stream, data });
      }
      closed = true;
    },
    get overflow() {
      return overflow;
    },
  };
}

function wellFormed(value: string): string {
  return (value as string & { toWellFormed(): string }).toWellFormed();
}
