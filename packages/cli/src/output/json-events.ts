// `--json`: everything that happens and how it ended, one JSON object per line on stdout. Bytes are given
// exactly, in base64, and as text beside it.
import { StringDecoder } from 'node:string_decoder';
import type { CallOutcome, KernelEvent, KernelObserver, TurnEnd } from '@tenon/kernel';
import type { JsonObject, OutputStream, ToolEvent } from '@tenon/protocol';
import { write } from '../terminal/terminal.js';

export interface JsonEvents {
  readonly observer: KernelObserver;
  /** Writes one object as a line. */
  line(value: object): void | Promise<void>;
  outcome(outcome: CallOutcome): void;
  turnEnd(turnId: string, end: TurnEnd): void;
}

export function createJsonEvents(stdout: NodeJS.WriteStream): JsonEvents {
  const decoders = new Map<string, StringDecoder>();
  // JSON.stringify escapes C0 alone; C1 and the line separators are escaped too, for terminals and for
  // readers that split lines by them.
  const line = (value: object): void | Promise<void> =>
    write(
      stdout,
      `${JSON.stringify(value).replaceAll(/[\u007f-\u009f\u2028\u2029]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`,
    );

  function textOf(callId: string, stream: OutputStream, data: Uint8Array): string {
    const key = `${callId} ${stream}`;
    const decoder = decoders.get(key) ?? new StringDecoder('utf8');
    decoders.set(key, decoder);
    return decoder.write(Buffer.from(data));
  }

  return {
    line,
    observer(event: KernelEvent) {
      if (event.type !== 'call_event' || event.event.type !== 'output_chunk') return line(event);
      const { stream, data } = event.event;
      return line({
        type: 'call_event',
        callId: event.callId,
        event: { ...eventJson(event.event), text: textOf(event.callId, stream, data) },
      });
    },
    outcome(outcome) {
      void line({ type: 'outcome', ...outcomeJson(outcome) });
    },
    turnEnd(turnId, end) {
      void line({ type: 'turn_ended', turnId, ...end });
    },
  };
}

/** An outcome as JSON, its partial events included. */
export function outcomeJson(outcome: CallOutcome): JsonObject {
  return { ...outcome, partial: outcome.partial.map(eventJson) } as unknown as JsonObject;
}

/** An event as JSON: the bytes of a chunk in base64. */
export function eventJson(event: ToolEvent): JsonObject {
  if (event.type !== 'output_chunk') return event as unknown as JsonObject;
  return {
    type: event.type,
    stream: event.stream,
    base64: Buffer.from(event.data).toString('base64'),
  };
}
