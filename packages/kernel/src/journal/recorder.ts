// One call's line to the journal: attempts and events, output capped, secrets taken out also where a chunk
// ends in the middle of one.
import type { OutputStream, ToolEvent } from '@tenon/protocol';
import type { AttemptEnd, CallRecorder } from '../invoke/recorder.js';
import type { Journal, JournalEntry } from './journal.js';
import type { Redactor } from './redact.js';

export interface RecorderOptions {
  readonly journal: Journal;
  readonly redactor?: Redactor;
  readonly sessionId: string;
  readonly callId: string;
  readonly provider: string;
  /** Bytes of output chunks that are kept; the rest is counted. */
  readonly capBytes: number;
  /** Told of an append that failed. */
  readonly onError: (error: unknown) => void;
}

/** Kept per attempt. */
interface Tally {
  keptBytes: number;
  droppedCount: number;
  droppedBytes: number;
  readonly held: Map<OutputStream, Buffer>;
}

export function createCallRecorder(options: RecorderOptions): CallRecorder {
  const { journal, sessionId, callId } = options;
  const tallies = new Map<number, Tally>();

  const append = (entry: JournalEntry): void => {
    journal.append(entry).catch(options.onError);
  };
  const tallyOf = (attempt: number): Tally => {
    const known = tallies.get(attempt);
    if (known !== undefined) return known;
    const made: Tally = { keptBytes: 0, droppedCount: 0, droppedBytes: 0, held: new Map() };
    tallies.set(attempt, made);
    return made;
  };

  function keep(attempt: number, tally: Tally, stream: OutputStream, data: Uint8Array): void {
    if (data.length === 0) return;
    const room = Math.max(0, options.capBytes - tally.keptBytes);
    const kept = data.subarray(0, room);
    tally.keptBytes += kept.length;
    if (kept.length < data.length) {
      tally.droppedCount += 1;
      tally.droppedBytes += data.length - kept.length;
    }
    if (kept.length === 0) return;
    append({
      type: 'event',
      sessionId,
      callId,
      attempt,
      event: { type: 'output_chunk', stream },
      chunk: Uint8Array.from(kept),
    });
  }

  function chunk(attempt: number, stream: OutputStream, data: Uint8Array): void {
    const tally = tallyOf(attempt);
    const longest = options.redactor?.longest ?? 0;
    if (longest === 0 || options.redactor === undefined) return keep(attempt, tally, stream, data);
    const all = Buffer.concat([tally.held.get(stream) ?? Buffer.alloc(0), data]);
    const clean = Buffer.from(options.redactor.bytes(all));
    // What may be the beginning of a secret waits for the next chunk.
    const hold = Math.min(longest - 1, clean.length);
    tally.held.set(stream, clean.subarray(clean.length - hold));
    keep(attempt, tally, stream, clean.subarray(0, clean.length - hold));
  }

  function finish(attempt: number): void {
    const tally = tallies.get(attempt);
    if (tally === undefined) return;
    for (const [stream, data] of tally.held) keep(attempt, tally, stream, data);
    if (tally.droppedCount > 0) {
      append({
        type: 'chunks_dropped',
        sessionId,
        callId,
        attempt,
        count: tally.droppedCount,
        bytes: tally.droppedBytes,
      });
    }
    tallies.delete(attempt);
  }

  return {
    attemptStarted: (start) => append({ type: 'attempt_started', sessionId, callId, ...start }),
    event(attempt, event: ToolEvent) {
      if (event.type === 'output_chunk') return chunk(attempt, event.stream, event.data);
      // How it ended is in the end of the attempt and in the outcome; a large payload is not kept twice.
      if (event.type === 'result' || event.type === 'error') return;
      append({ type: 'event', sessionId, callId, attempt, event: { ...event } });
    },
    attemptEnded(end: AttemptEnd) {
      finish(end.attempt);
      append({ type: 'attempt_ended', sessionId, callId, ...end });
      if (end.status === 'error' && end.violations.length > 0) {
        const [first] = end.violations;
        append({
          type: 'provider_fault',
          sessionId,
          provider: options.provider,
          callId,
          message: first?.message ?? '',
          violations: end.violations,
        });
      }
    },
  };
}
