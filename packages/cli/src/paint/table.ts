// The lines of a table for a terminal. Columns share the width; what does not fit is wrapped inside of its
// cell, never cut off. A table with more columns than there is room for is shown row by row instead.
import { sanitizeLine } from '../terminal/sanitize.js';
import type { Styler } from '../terminal/style.js';
import { fit, textWidth, wrap } from '../terminal/width.js';

const GAP = '  ';
const MIN_COLUMN = 6;

export function tableLines(
  headers: readonly string[],
  rows: readonly (readonly string[])[],
  width: number,
  style: Styler,
): string[] {
  const columns = Math.max(headers.length, ...rows.map((row) => row.length));
  if (columns === 0) return [];
  const cells = (row: readonly string[]): string[] =>
    Array.from({ length: columns }, (_, index) => sanitizeLine(row[index] ?? ''));
  const head = cells(headers);
  const body = rows.map(cells);
  const natural = head.map((title, index) =>
    // A cell is never wider than the screen, which also bounds the work of sharing the width.
    Math.min(
      width,
      Math.max(textWidth(title), 1, ...body.map((row) => textWidth(row[index] ?? ''))),
    ),
  );
  const available = width - GAP.length * (columns - 1);
  if (available < columns * MIN_COLUMN && sum(natural) > available) {
    return recordLines(head, body, width, style);
  }
  // Words stay whole as long as there is room for them.
  const words = head.map((title, index) =>
    Math.max(longestWord(title), ...body.map((row) => longestWord(row[index] ?? ''))),
  );
  const widths = shrink(shrink(natural, words, available), undefined, available);
  const lines: string[] = [];
  if (headers.length > 0) {
    lines.push(...rowLines(head, widths).map((line) => style('bold', line)));
  }
  for (const row of body) lines.push(...rowLines(row, widths));
  if (rows.length === 0) lines.push(style('dim', '(none)'));
  return lines;
}

/** Takes columns from the widest ones until the sum fits, or every one is at its floor (default 1). */
function shrink(
  from: readonly number[],
  floors: readonly number[] | undefined,
  available: number,
): number[] {
  const widths = [...from];
  for (let excess = sum(widths) - available; excess > 0; excess -= 1) {
    let widest = -1;
    for (const [index, width] of widths.entries()) {
      const above = width > Math.max(1, floors?.[index] ?? 1);
      if (above && (widest === -1 || width > (widths[widest] ?? 0))) widest = index;
    }
    if (widest === -1) break;
    widths[widest] = (widths[widest] ?? 1) - 1;
  }
  return widths;
}

function longestWord(text: string): number {
  return Math.max(0, ...text.split(' ').map(textWidth));
}

function rowLines(cells: readonly string[], widths: readonly number[]): string[] {
  const wrapped = cells.map((cell, index) => wrap(cell, widths[index] ?? 1));
  const height = Math.max(...wrapped.map((lines) => lines.length));
  return Array.from({ length: height }, (_, line) =>
    wrapped
      .map((lines, index) => fit(lines[line] ?? '', widths[index] ?? 1))
      .join(GAP)
      .trimEnd(),
  );
}

function recordLines(
  head: readonly string[],
  body: readonly (readonly string[])[],
  width: number,
  style: Styler,
): string[] {
  if (body.length === 0) return wrap(head.join(', '), width);
  return body.flatMap((row, index) => [
    ...(index > 0 ? [style('dim', '─'.repeat(Math.min(width, 10)))] : []),
    ...row.flatMap((cell, column) => wrap(`${head[column] || column + 1}: ${cell}`, width)),
  ]);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
