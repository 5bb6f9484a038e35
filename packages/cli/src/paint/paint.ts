// Paints a RenderTree for a terminal (RND-02): a pure function from tree, width and colour to lines.
// Every node is shown somehow, also one that this version does not know. Text of the tree is never
// trusted: control characters come out visible. Works with a stack of its own instead of recursion, so
// that no tree is too deep.
import type { RenderNode, RenderTree, TextStyle } from '@tenon/protocol';
import { createStyler } from '../terminal/style.js';
import type { StyleName, Styler } from '../terminal/style.js';
import { sanitize, sanitizeLine } from '../terminal/sanitize.js';
import { chop, wrap } from '../terminal/width.js';
import { diffLines } from './diff.js';
import { tableLines } from './table.js';

export interface PaintOptions {
  /** Columns to keep within; narrower than 20 counts as 20. */
  readonly width: number;
  readonly color: boolean;
  /** Shows the children of collapsibles that are collapsed by default. Default false. */
  readonly expand?: boolean;
}

const MIN_WIDTH = 20;

/** The painted lines of a tree, without newlines. */
export function paintLines(tree: RenderTree, options: PaintOptions): string[] {
  const width = Math.max(MIN_WIDTH, Math.floor(options.width));
  const style = createStyler(options.color);
  const out: string[] = [];
  const top: Margin = { first: '', rest: '', used: false };
  const stack: Task[] = [{ node: tree.root, outer: top, bullet: '' }];
  for (let task = stack.pop(); task !== undefined; task = stack.pop()) {
    const margin = inner(task.outer, task.bullet, width);
    const room = width - Math.max(margin.first.length, margin.rest.length);
    const { lines, children = [] } = nodeLines(task.node, room, style, options.expand === true);
    for (const line of lines) out.push(take(margin) + line);
    // A bullet whose item shows nothing still stands for the item.
    if (children.length === 0 && !margin.used && margin.first.trim() !== '') out.push(take(margin));
    for (const child of children.toReversed()) {
      stack.push({ node: child.node, outer: margin, bullet: child.bullet });
    }
  }
  return out;
}

/** The painted tree as one text, each line ended by a newline; empty for a tree that shows nothing. */
export function paint(tree: RenderTree, options: PaintOptions): string {
  return paintLines(tree, options)
    .map((line) => `${line}\n`)
    .join('');
}

interface Task {
  readonly node: RenderNode;
  /** The margin of the node around this one, and what this one adds to it. */
  readonly outer: Margin;
  readonly bullet: string;
}

/** What stands before the lines of a node: `first` before the first line alone, such as a bullet. */
interface Margin {
  readonly first: string;
  readonly rest: string;
  used: boolean;
}

interface Child {
  readonly node: RenderNode;
  readonly bullet: string;
}

function take(margin: Margin): string {
  const text = margin.used ? margin.rest : margin.first;
  margin.used = true;
  return text;
}

function inner(outer: Margin, bullet: string, width: number): Margin {
  const first = take(outer) + bullet;
  const rest = outer.rest + ' '.repeat(bullet.length);
  if (first.length <= width / 2) return { first, rest, used: false };
  // Deeper than this the text would have no room left; nesting goes on without more indentation.
  return { first: outer.rest + bullet, rest: outer.rest, used: false };
}

function nodeLines(
  node: RenderNode,
  width: number,
  style: Styler,
  expand: boolean,
): { readonly lines: string[]; readonly children?: readonly Child[] } {
  switch (node.type) {
    case 'text':
      return { lines: textLines(node.content, node.style, width, style) };
    case 'code_block':
      return { lines: codeLines(node.content, node.language, width, style) };
    case 'diff':
      return { lines: diffLines(node.hunks, width, style) };
    case 'table':
      return { lines: tableLines(node.headers, node.rows, width, style) };
    case 'link': {
      const text = sanitizeLine(node.text);
      const url = sanitizeLine(node.url);
      const shown = text === '' || text === url ? url : `${text} <${url}>`;
      return { lines: wrap(shown, width).map((line) => style('underline', line)) };
    }
    case 'list': {
      const digits = String(node.items.length).length;
      const bullet = (index: number): string =>
        node.ordered ? `${String(index + 1).padStart(digits)}. ` : '• ';
      return {
        lines: [],
        children: node.items.map((item, index) => ({ node: item, bullet: bullet(index) })),
      };
    }
    case 'group':
      return { lines: [], children: node.children.map((child) => ({ node: child, bullet: '' })) };
    case 'collapsible': {
      const open = expand || !node.collapsedByDefault;
      const hidden = open ? '' : ` (${count(node.children.length, 'item')} not shown)`;
      const lines = wrap(`${open ? '▾' : '▸'} ${sanitizeLine(node.summary)}${hidden}`, width);
      return {
        lines: lines.map((line) => style('bold', line)),
        children: open ? node.children.map((child) => ({ node: child, bullet: '  ' })) : [],
      };
    }
    case 'sub_session': {
      const head = `↳ session ${sanitizeLine(node.sessionId)}`;
      const summary = node.summary === '' ? '' : `: ${sanitizeLine(node.summary)}`;
      return { lines: wrap(head + summary, width).map((line) => style('cyan', line)) };
    }
    case 'action': {
      const call = `${node.provider}.${node.toolName} ${JSON.stringify(node.args)}`;
      return {
        lines: [
          ...wrap(`[${sanitizeLine(node.label)}]`, width).map((line) => style('bold', line)),
          ...chop(`→ ${sanitizeLine(call)}`, width).map((line) => style('dim', line)),
        ],
      };
    }
    case 'unknown':
      return { lines: [style('dim', '(something that this version cannot show)')] };
    default:
      return { lines: strangeLines(node, width, style) };
  }
}

const TEXT_STYLES: Readonly<Record<TextStyle, StyleName | undefined>> = {
  normal: undefined,
  bold: 'bold',
  italic: 'italic',
  code: 'cyan',
  dim: 'dim',
  error: 'red',
  warning: 'yellow',
  success: 'green',
};

function textLines(
  content: string,
  textStyle: TextStyle | undefined,
  width: number,
  style: Styler,
): string[] {
  const name = textStyle === undefined ? undefined : TEXT_STYLES[textStyle];
  const lines = wrap(sanitize(withoutFinalNewline(content)), width);
  return name === undefined ? lines : lines.map((line) => style(name, line));
}

function codeLines(
  content: string,
  language: string | undefined,
  width: number,
  style: Styler,
): string[] {
  const bar = style('dim', '│ ');
  const head =
    language === undefined || language === ''
      ? []
      : [style('dim', `╷ ${sanitizeLine(language)}`.slice(0, width))];
  const code = sanitize(withoutFinalNewline(content));
  return [...head, ...chop(code, width - 2).map((line) => bar + line)];
}

/** A node of a type that is not in the types either: what it holds is shown as it is. */
function strangeLines(node: unknown, width: number, style: Styler): string[] {
  const text = JSON.stringify(node) ?? 'undefined';
  return chop(sanitize(`(unknown content) ${text}`), width).map((line) => style('dim', line));
}

function withoutFinalNewline(text: string): string {
  return text.endsWith('\n') ? text.slice(0, -1) : text;
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}
