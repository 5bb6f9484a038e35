// What a model reads of a call that has ended. Pure. It sees results and failures alike as ordinary content (RCT-01..04,
// RCT-08, GATE-05); of a cancelled or failed call also what had been done (CAN-05).
import type { ToolErrorData, ToolEvent } from '@tenon/protocol';
import type { CallOutcome } from '../outcome.js';

/** So many bytes of each output stream are shown of a call without a result; the end of it. */
const MAX_OUTPUT_BYTES = 8 * 1024;

/** The text of a tool result. */
export function resultText(outcome: CallOutcome): string {
  if (outcome.status === 'ok') return JSON.stringify(outcome.payload);
  const name = `${outcome.provider}.${outcome.operation}`;
  if (outcome.status === 'denied') {
    return `${name} was not allowed to run (decided by ${outcome.decidedBy}): ${outcome.reason}`;
  }
  return [errorText(outcome.error), ...partialText(outcome.partial)].join('\n');
}

function errorText({ category, message, details }: ToolErrorData): string {
  const more =
    details === undefined || Object.keys(details).length === 0
      ? ''
      : `\ndetails: ${JSON.stringify(details)}`;
  return `${category}: ${message}${more}`;
}

/** What the provider had reported before the end. */
function partialText(events: readonly ToolEvent[]): string[] {
  const output = { stdout: [] as Uint8Array[], stderr: [] as Uint8Array[] };
  const lines: string[] = [];
  for (const event of events) {
    if (event.type === 'output_chunk') output[event.stream].push(event.data);
    if (event.type === 'partial_result') lines.push(JSON.stringify(event.payload));
  }
  const streams = (['stdout', 'stderr'] as const).flatMap((stream) => {
    const bytes = Buffer.concat(output[stream]);
    if (bytes.length === 0) return [];
    const from = Math.max(0, bytes.length - MAX_OUTPUT_BYTES);
    const cut = from === 0 ? '' : ` (the last ${MAX_OUTPUT_BYTES} of ${bytes.length} bytes)`;
    return [
      `${stream} before the end${cut}:`,
      bytes.toString('utf8', startOfCharacter(bytes, from)),
    ];
  });
  const reported = lines.length === 0 ? [] : ['reported before the end:', ...lines];
  return [...reported, ...streams];
}

/** Not in the middle of a character of UTF-8. */
function startOfCharacter(bytes: Buffer, from: number): number {
  let start = from;
  while (start > 0 && start < bytes.length && ((bytes[start] ?? 0) & 0xc0) === 0x80) start += 1;
  return start;
}
