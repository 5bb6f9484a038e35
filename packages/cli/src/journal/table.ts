// Calls of the journal as a table. Pure.
import type { CallSummary } from '@tenon/kernel';
import type { RenderNode } from '@tenon/protocol';
import { durationText, shortId, timeText } from '../output/format.js';

const WIDE = 130;
const NARROW = 96;
const DAY_MS = 86_400_000;

/**
 * One row per call. Messages of failures are shown where there is room for them; days, where they are not
 * all the last one.
 */
export function callsTable(
  calls: readonly CallSummary[],
  { width, head = true, now = Date.now() }: { width: number; head?: boolean; now?: number },
): RenderNode {
  const wide = width >= WIDE;
  const narrow = width < NARROW;
  const days = wide || calls.some((call) => now - call.time > DAY_MS / 2);
  const headers = [
    'TIME',
    'CALL',
    'OPERATION',
    'OUTCOME',
    'DECIDED BY',
    ...(narrow ? [] : ['TOOK']),
  ];
  return {
    type: 'table',
    headers: head ? [...headers, ...(wide ? ['MESSAGE'] : [])] : [],
    rows: calls.map((call) => [
      days ? timeText(call.time) : timeText(call.time).slice(-8),
      shortId(call.callId),
      `${call.provider}.${call.operation}`,
      outcomeText(call),
      (call.decidedBy ?? '').replace(/^policy:/, ''),
      ...(narrow ? [] : [tookText(call)]),
      ...(wide ? [firstLine(call.error?.message ?? '')] : []),
    ]),
  };
}

/** With a no-break space, so that number and unit stay together. */
function tookText({ durationMs }: CallSummary): string {
  return durationMs === undefined ? '' : durationText(durationMs).replace(' ', '\u00a0');
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
