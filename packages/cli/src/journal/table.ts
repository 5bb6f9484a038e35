// Calls of the journal as a table. Pure.
import type { CallSummary } from '@tenon/kernel';
import type { RenderNode } from '@tenon/protocol';
import { durationText, shortId, timeText } from '../output/format.js';

/** One row per call; without head for rows that follow earlier ones. */
export function callsTable(calls: readonly CallSummary[], head = true): RenderNode {
  return {
    type: 'table',
    headers: head ? ['TIME', 'CALL', 'OPERATION', 'OUTCOME', 'DECIDED BY', 'TOOK', 'MESSAGE'] : [],
    rows: calls.map((call) => [
      timeText(call.time),
      shortId(call.callId),
      `${call.provider}.${call.operation}`,
      outcomeText(call),
      call.decidedBy ?? '',
      call.durationMs === undefined ? '' : durationText(call.durationMs),
      firstLine(call.error?.message ?? ''),
    ]),
  };
}

function outcomeText(call: CallSummary): string {
  const retried = call.attempts > 1 ? ` (${call.attempts} attempts)` : '';
  const status = call.status.replace('_', ' ');
  return call.status === 'error' && call.error !== undefined
    ? `${call.error.category}${retried}`
    : `${status}${retried}`;
}

function firstLine(text: string): string {
  const line = text.split('\n', 1)[0] ?? '';
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}
