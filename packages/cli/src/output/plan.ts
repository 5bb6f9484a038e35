// The plan of a call that nobody was asked about, because a policy allowed it: shown all the same, so that
// what changed is seen. Taken from the journal, where every plan item stands (GATE-03).
import type { Journal } from '@tenon/kernel';
import type { PlanItem, RenderNode } from '@tenon/protocol';
import { paint } from '../paint/paint.js';
import type { Terminal } from '../terminal/terminal.js';

/** Writes the plan items of these calls to stderr; those in `asked` have been on an approval screen. */
export async function writePlans(
  journal: Journal,
  callIds: readonly string[],
  asked: ReadonlySet<string>,
  terminal: Terminal,
): Promise<void> {
  await journal.flush();
  for (const callId of callIds.filter((id) => !asked.has(id))) {
    const entries = journal.call(callId);
    const item = entries.find((entry) => entry.type === 'plan_item')?.item;
    const decision = entries.find((entry) => entry.type === 'decision');
    if (item === undefined || decision?.action !== 'allow') continue;
    const options = { width: terminal.width(), color: terminal.errColor, expand: true };
    terminal.stderr.write(paint({ root: planNode(item, decision.decidedBy) }, options));
  }
}

function planNode(item: PlanItem, decidedBy: string): RenderNode {
  const name = `${item.provider}.${item.operation}`;
  const head: RenderNode = {
    type: 'text',
    content: `plan: ${name}, risk ${item.risk.replace('_', ' ')}, allowed by ${decidedBy}`,
    style: 'dim',
  };
  return item.preview === undefined ? head : { type: 'group', children: [head, item.preview.root] };
}
