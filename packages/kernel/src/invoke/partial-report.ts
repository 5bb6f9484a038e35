// What a call has reported so far, kept in case that it does not succeed (CAN-05): the newest of it, within
// bounds that a stream of any length cannot pass.
import type { ToolEvent } from '@tenon/protocol';

const MAX_EVENTS = 1_000;
const CUT_AT = 32;

export interface PartialReport {
  add(event: ToolEvent): void;
  events(): readonly ToolEvent[];
}

/** `maxBytes` bounds the output chunks that are kept. */
export function createPartialReport(maxBytes: number): PartialReport {
  const kept: ToolEvent[] = [];
  let first = 0;
  let bytes = 0;

  const size = (event: ToolEvent | undefined): number =>
    event?.type === 'output_chunk' ? event.data.length : 0;

  return {
    add(event) {
      kept.push(event);
      bytes += size(event);
      while (kept.length - first > MAX_EVENTS || (bytes > maxBytes && kept.length - first > 1)) {
        bytes -= size(kept[first]);
        first++;
      }
      // Cut in one go: shifting an array by one for each event would cost its length each time.
      if (first >= CUT_AT) {
        kept.splice(0, first);
        first = 0;
      }
    },
    events: () => kept.slice(first),
  };
}
