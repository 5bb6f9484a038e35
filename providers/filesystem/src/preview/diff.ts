// Pictures of changes to files: what a plan shows before it is decided.
import type { DiffHunk, DiffLine, RenderNode } from '@tenon/provider';

/** Changes of more lines than this are counted instead of shown. */
const MAX_EDIT_LENGTH = 4_000;
/** A preview has little time, and other calls wait while it is computed. */
const MAX_DIFF_MS = 500;
const MAX_SHOWN_LINES = 2_000;
const MAX_LINE_CHARS = 1_000;

/** The title and the difference of one file. */
export async function changeNode(
  title: string,
  before: string,
  after: string,
): Promise<RenderNode> {
  return {
    type: 'group',
    children: [
      { type: 'text', content: title, style: 'bold' },
      await differenceNode(before, after),
    ],
  };
}

async function differenceNode(before: string, after: string): Promise<RenderNode> {
  if (before === after) return { type: 'text', content: 'No difference.', style: 'dim' };
  // Loaded when it is needed first: most providers that are started show no difference.
  const { structuredPatch } = await import('diff');
  const patch = structuredPatch('', '', before, after, undefined, undefined, {
    context: 3,
    maxEditLength: MAX_EDIT_LENGTH,
    timeout: MAX_DIFF_MS,
  });
  const lines = patch?.hunks.reduce((sum, hunk) => sum + hunk.lines.length, 0);
  if (patch === undefined || lines === undefined || lines > MAX_SHOWN_LINES) {
    const count = (text: string) => text.split('\n').length;
    return {
      type: 'text',
      content: `Too many changes to show: ${count(before)} lines before, ${count(after)} lines after.`,
      style: 'warning',
    };
  }
  return { type: 'diff', hunks: patch.hunks.map(hunkOf) };
}

function hunkOf(hunk: {
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
  readonly lines: readonly string[];
}): DiffHunk {
  return {
    oldStart: hunk.oldStart,
    oldLines: hunk.oldLines,
    newStart: hunk.newStart,
    newLines: hunk.newLines,
    lines: hunk.lines.map(lineOf),
  };
}

const OPS: Readonly<Record<string, DiffLine['op']>> = { '+': 'add', '-': 'remove' };

function lineOf(line: string): DiffLine {
  // "\ No newline at end of file" keeps its backslash: it is no line of the file.
  if (line.startsWith('\\')) return { op: 'context', text: line };
  const text = line.slice(1).replaceAll(/\p{Surrogate}/gu, '\uFFFD');
  return {
    op: OPS[line.charAt(0)] ?? 'context',
    text:
      text.length > MAX_LINE_CHARS
        ? `${text.slice(0, MAX_LINE_CHARS).replace(/\p{Surrogate}$/u, '')}…`
        : text,
  };
}
