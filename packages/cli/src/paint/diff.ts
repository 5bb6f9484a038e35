// The lines of a diff for a terminal: line number, sign, text. The signs alone carry the meaning, so that
// it reads the same without colour.
import type { DiffHunk, DiffLine } from '@tenon/protocol';
import { sanitizeLine } from '../terminal/sanitize.js';
import type { Styler } from '../terminal/style.js';
import { chop, expandTabs } from '../terminal/width.js';

const SIGNS: Readonly<Record<DiffLine['op'], string>> = { context: ' ', add: '+', remove: '-' };

export function diffLines(hunks: readonly DiffHunk[], width: number, style: Styler): string[] {
  if (hunks.length === 0) return [style('dim', '(no change)')];
  const last = Math.max(
    ...hunks.flatMap((hunk) => [hunk.oldStart + hunk.oldLines, hunk.newStart + hunk.newLines]),
  );
  const digits = String(last).length;
  return hunks.flatMap((hunk) => hunkLines(hunk, digits, width, style));
}

function hunkLines(hunk: DiffHunk, digits: number, width: number, style: Styler): string[] {
  const lines = [
    style(
      'cyan',
      `@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@`.slice(0, width),
    ),
  ];
  let oldNumber = hunk.oldStart;
  let newNumber = hunk.newStart;
  for (const { op, text } of hunk.lines) {
    const number = op === 'remove' ? oldNumber : newNumber;
    if (op !== 'add') oldNumber += 1;
    if (op !== 'remove') newNumber += 1;
    const shown = sanitizeLine(withoutLineEnd(text).replaceAll('\t', '    '));
    const pieces = chop(expandTabs(shown), width - digits - 3);
    for (const [index, piece] of pieces.entries()) {
      const gutter = index === 0 ? String(number).padStart(digits) : ' '.repeat(digits);
      lines.push(`${style('dim', gutter)} ${coloured(op, `${SIGNS[op]} ${piece}`, style)}`);
    }
  }
  return lines;
}

function coloured(op: DiffLine['op'], text: string, style: Styler): string {
  if (op === 'add') return style('green', text);
  return op === 'remove' ? style('red', text) : text;
}

/** A newline at the end says nothing here; a carriage return does, and stays to be shown. */
function withoutLineEnd(text: string): string {
  return text.endsWith('\n') ? text.slice(0, -1) : text;
}
