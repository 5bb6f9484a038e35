// Plays one attempt of a call, step by step.
import type { JsonObject, ToolErrorCategory, ToolEvent } from '@tenon/protocol';

export type Step =
  | { readonly do: 'chunk'; readonly text: string }
  | { readonly do: 'partial'; readonly payload: JsonObject }
  | { readonly do: 'progress'; readonly fraction: number }
  /** Many chunks of 64 KiB, as fast as they are taken. */
  | { readonly do: 'flood'; readonly chunks: number }
  | { readonly do: 'result'; readonly payload: JsonObject }
  | {
      readonly do: 'error';
      readonly category: ToolErrorCategory;
      readonly retryable: boolean;
      readonly message?: string;
    }
  | { readonly do: 'bytes'; readonly hex: string }
  | { readonly do: 'sleep'; readonly ms: number }
  /** Waits until it is cancelled. */
  | { readonly do: 'wait' }
  /** From here on a cancellation is ignored. */
  | { readonly do: 'deaf' }
  | { readonly do: 'exit'; readonly code: number }
  /** Ends the connection, but not the process. */
  | { readonly do: 'disconnect' };

export interface Stage {
  readonly signal: AbortSignal;
  send(event: ToolEvent): Promise<void>;
  sendBytes(bytes: Buffer): Promise<void>;
  disconnect(): void;
}

const PIECE = Buffer.alloc(64 * 1024, 'x');

/** Resolves when the steps are over; the stream is then closed without another word. */
export async function play(steps: readonly Step[], stage: Stage): Promise<void> {
  let deaf = false;
  for (const step of steps) {
    if (stage.signal.aborted && !deaf) return;
    switch (step.do) {
      case 'chunk':
        await stage.send({ type: 'output_chunk', stream: 'stdout', data: Buffer.from(step.text) });
        break;
      case 'partial':
        await stage.send({ type: 'partial_result', payload: step.payload });
        break;
      case 'progress':
        await stage.send({ type: 'progress', message: 'at it', fraction: step.fraction });
        break;
      case 'flood':
        for (let sent = 0; sent < step.chunks && !stage.signal.aborted; sent++) {
          await stage.send({ type: 'output_chunk', stream: 'stdout', data: PIECE });
        }
        break;
      case 'result':
        await stage.send({ type: 'result', payload: step.payload });
        break;
      case 'error':
        await stage.send({ type: 'error', error: errorOf(step) });
        break;
      case 'bytes':
        await stage.sendBytes(Buffer.from(step.hex, 'hex'));
        break;
      case 'sleep':
        await sleep(step.ms, deaf ? undefined : stage.signal);
        break;
      case 'wait':
        await sleep(3_600_000, stage.signal);
        break;
      case 'deaf':
        deaf = true;
        break;
      case 'exit':
        process.exit(step.code);
        break;
      case 'disconnect':
        stage.disconnect();
        await sleep(3_600_000, undefined);
        break;
    }
  }
}

function errorOf(step: Extract<Step, { do: 'error' }>) {
  return {
    category: step.category,
    message: step.message ?? `the script says ${step.category}`,
    retryable: step.retryable,
    details: { from: 'the script' },
  };
}

function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
