// What the approval screen shows: every item of a plan that needs a decision, with what it would do. Pure.
import type { ApprovalRequest } from '@tenon/kernel';
import type { RenderTree } from '@tenon/protocol';
import { paintLines } from '../paint/paint.js';
import { sanitize, sanitizeLine } from '../terminal/sanitize.js';
import { createStyler } from '../terminal/style.js';
import type { StyleName } from '../terminal/style.js';
import { wrap } from '../terminal/width.js';

export interface ScreenOptions {
  readonly width: number;
  /** Rows to keep to, if what the items would do is longer; undefined shows everything. */
  readonly rows: number | undefined;
  readonly color: boolean;
}

const RISK_STYLE: Readonly<Record<string, StyleName>> = {
  read_only: 'green',
  low: 'green',
  moderate: 'yellow',
  high: 'red',
  critical: 'red',
};
const MIN_ITEM_ROWS = 8;
// Head, reason and prompt of one item.
const FRAME_ROWS = 6;

/** The screen's text, and whether anything was left out for its length. */
export function approvalScreen(
  requests: readonly ApprovalRequest[],
  options: ScreenOptions,
): { readonly text: string; readonly shortened: boolean } {
  const style = createStyler(options.color);
  const perItem =
    options.rows === undefined
      ? Number.POSITIVE_INFINITY
      : Math.max(MIN_ITEM_ROWS, Math.floor(options.rows / requests.length) - FRAME_ROWS);
  let shortened = false;
  const lines = requests.flatMap((request, index) => {
    const { item } = request;
    const number = requests.length > 1 ? `${index + 1}. ` : '';
    const name = sanitizeLine(`${item.provider}.${item.operation}`);
    const risk = style(['bold', RISK_STYLE[item.risk] ?? 'red'], item.risk.replace('_', ' '));
    const effect = effectLines(item.preview, request, options);
    const cut = effect.length > perItem;
    shortened ||= cut;
    return [
      '',
      `${style('bold', number + name)}  ${item.kind}, risk ${risk}`,
      ...wrap(sanitize(item.description.split('\n', 1)[0] ?? ''), options.width).map((line) =>
        style('dim', line),
      ),
      ...effect.slice(0, perItem),
      ...(cut ? [style('yellow', `… ${effect.length - perItem} more lines: [v] shows all`)] : []),
      ...request.problems.flatMap((problem) =>
        wrap(`✖ ${sanitize(problem)}`, options.width).map((line) => style('red', line)),
      ),
      ...(request.reason === ''
        ? []
        : wrap(`asked: ${sanitize(request.reason)}`, options.width).map((line) =>
            style('dim', line),
          )),
    ];
  });
  return { text: lines.map((line) => `${line}\n`).join(''), shortened };
}

/** The choices, as the last line before the prompt. */
export function choicesLine(items: number, shortened: boolean): string {
  const view = shortened ? '  [v] view all' : '';
  const choices = `[y] once  [s] this session  [a] always  [e] edit arguments  [n] deny${view}`;
  return items === 1 ? choices : `${choices}\nfor all, or by number: 1y 2n 3e`;
}

/** The preview; the arguments as they are where there is none (PRV-03). */
function effectLines(
  preview: RenderTree | undefined,
  request: ApprovalRequest,
  options: ScreenOptions,
): string[] {
  const tree: RenderTree = preview ?? {
    root: {
      type: 'code_block',
      language: 'arguments',
      content: JSON.stringify(request.item.input, undefined, 2),
    },
  };
  return paintLines(tree, { width: options.width, color: options.color, expand: true });
}
