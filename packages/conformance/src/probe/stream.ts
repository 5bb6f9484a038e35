// What came through an Invoke stream, as evidence: each event with its bytes, its reading and its time.
import { type ReceivedEvent, toolErrorFromStatus, type ToolErrorData } from '@tenon/protocol';
import { hex, quoted } from '../model/bytes.js';
import { describeStatus, type Status } from './connection.js';

export interface RecordedEvent {
  readonly bytes: Buffer;
  readonly received: ReceivedEvent;
}

export interface Recording {
  readonly operation: string;
  readonly arguments: unknown;
  readonly events: readonly RecordedEvent[];
  readonly status: Status;
  readonly durationMs: number;
  /** Nothing ended it within the time; the kit cancelled it. */
  readonly timedOut: boolean;
}

export const isTerminal = ({ received }: RecordedEvent): boolean =>
  received.ok
    ? received.event.type === 'result' || received.event.type === 'error'
    : received.violations.some(
        ({ pointer }) => pointer.startsWith('/error') || pointer.startsWith('/result'),
      );

/** The error that ended it, in the stream or as a status; undefined for a result. */
export function failureOf(recording: Recording): ToolErrorData | undefined {
  for (const { received } of recording.events) {
    if (received.ok && received.event.type === 'error') return received.event.error;
  }
  return recording.status.code === 0
    ? undefined
    : toolErrorFromStatus(recording.status, { processGone: false });
}

export function resultOf(recording: Recording): { readonly payload: unknown } | undefined {
  for (const { received } of recording.events) {
    if (received.ok && received.event.type === 'result') return { payload: received.event.payload };
  }
  return undefined;
}

/** The whole stream in a line or two. */
export function describeRecording(recording: Recording): string {
  const shown = recording.events.slice(-4).map(describeEvent);
  const earlier = recording.events.length - shown.length;
  const parts = [
    ...(earlier > 0 ? [`${earlier} events`] : []),
    ...shown,
    recording.timedOut
      ? `then nothing for ${Math.round(recording.durationMs)} ms`
      : `end with ${describeStatus(recording.status).replace(/ without a message$/, '')}`,
  ];
  return parts.join(' → ');
}

function describeEvent({ bytes, received }: RecordedEvent): string {
  if (!received.ok) {
    const what = received.violations.map(({ message }) => message).join('; ');
    return `a broken event (${what}) [${hex(bytes)}]`;
  }
  const { event } = received;
  switch (event.type) {
    case 'output_chunk':
      return `output_chunk ${event.stream} ${quoted(Buffer.from(event.data).toString(), 60)}`;
    case 'progress':
      return `progress ${quoted(event.message, 60)}`;
    case 'partial_result':
      return `partial_result ${cut(JSON.stringify(event.payload))}`;
    case 'exit_status':
      return `exit_status ${event.exitCode}${event.signal === undefined ? '' : ` (${event.signal})`}`;
    case 'result':
      return `result ${cut(JSON.stringify(event.payload))}`;
    case 'error':
      return `error ${event.error.category} ${quoted(event.error.message, 160)}`;
  }
}

const cut = (text: string): string => (text.length > 160 ? `${text.slice(0, 160)}…` : text);
