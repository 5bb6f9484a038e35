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
    Math.max(textWidth(title), 1, ...body.map((row) => textWidth(row[index] ?? ''))),
  );
  const available = width - GAP.length * (columns - 1);
  if (available < columns * MIN_COLUMN && sum(natural) > available) {
    return recordLines(head, body, width, style);
  }
  const widths = shrink(natural, available);
  const lines: string[] = [];
  if (headers.length > 0) {
    lines.push(...rowLines(head, widths).map((line) => style('bold', line)));
  }
  for (const row of body) lines.push(...rowLines(row, widths));
  if (rows.length === 0) lines.push(style('dim', '(none)'));
  return lines;
}

/** Takes columns from the widest ones until the sum fits. */
function shrink(natural: readonly number[], available: number): number[] {
  const widths = [...natural];
  while (sum(widths) > available) {
    const widest = Math.max(...widths);
    if (widest <= 1) break;
    // All the widest ones are brought down to the next lower width at once, as far as is needed.
    const lower = Math.max(1, ...widths.filter((width) => width < widest));
    const atWidest = widths.filter((width) => width === widest).length;
    const step = Math.max(
      1,
      Math.min(widest - lower, Math.floor((sum(widths) - available) / atWidest)),
    );
    let left = sum(widths) - available;
    for (const [index, width] of widths.entries()) {
      if (width !== widest || left <= 0) continue;
      widths[index] = width - step;
      left -= step;
    }
  }
  return widths;
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
