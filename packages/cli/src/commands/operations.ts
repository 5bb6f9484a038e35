// `tenon operations`: what can be called, and what was refused and why.
import { toAnthropicTools, toMcpTools, toOpenAITools } from '@tenon/kernel';
import type { OperationListing } from '@tenon/kernel';
import type { RenderNode } from '@tenon/protocol';
import type { Context } from '../context.js';
import { EXIT } from '../errors.js';
import type { ExitCode } from '../errors.js';
import { providerProblems } from '../kernel/listing.js';
import { readConfig, withKernel } from '../kernel/open.js';
import type { KernelOptionValues } from '../options.js';
import { durationText } from '../output/format.js';
import { createJsonEvents } from '../output/json-events.js';
import { paint } from '../paint/paint.js';
import { sanitize } from '../terminal/sanitize.js';

// Narrower than this, the descriptions would stand in a column of a word or two.
const TABLE_WIDTH = 120;

/** The tools as each model API wants to be offered them. */
const TOOLS = { anthropic: toAnthropicTools, openai: toOpenAITools, mcp: toMcpTools } as const;

interface Options extends KernelOptionValues {
  readonly json?: boolean;
  readonly tools?: keyof typeof TOOLS;
}

/** Exit code 1 when a provider did not start or an operation was refused: the list is then not all. */
export async function run(context: Context, options: Options): Promise<ExitCode> {
  const { terminal } = context;
  const config = await readConfig(context, options);
  return withKernel(context, config, {}, async (kernel) => {
    const listings = kernel.operations();
    if (options.tools !== undefined) {
      const tools = TOOLS[options.tools](listings);
      terminal.stdout.write(`${JSON.stringify(tools, undefined, 2)}\n`);
    } else if (options.json === true) {
      const json = createJsonEvents(terminal.stdout);
      for (const listing of listings) await json.line(listing);
    } else {
      const width = terminal.width();
      const list = width < TABLE_WIDTH ? operationsList : operationsTable;
      const tree = { root: list(listings, config.settings.defaultTimeoutMs) };
      terminal.stdout.write(paint(tree, { width, color: terminal.outColor }));
    }
    const problems = providerProblems(kernel);
    for (const problem of problems) {
      terminal.stderr.write(`${terminal.err('red', '✖')} ${sanitize(problem)}\n`);
    }
    return problems.length === 0 ? EXIT.ok : EXIT.toolError;
  });
}

function operationsTable(
  listings: readonly OperationListing[],
  defaultTimeoutMs: number,
): RenderNode {
  return {
    type: 'table',
    headers: ['OPERATION', 'KIND', 'RISK', 'TIMEOUT', 'DESCRIPTION'],
    rows: listings.map(({ name, operation }) => [
      name,
      operation.kind,
      operation.risk,
      durationText(operation.defaultTimeoutMs ?? defaultTimeoutMs),
      firstSentence(operation.description),
    ]),
  };
}

/** The same in two lines per operation. */
function operationsList(
  listings: readonly OperationListing[],
  defaultTimeoutMs: number,
): RenderNode {
  return {
    type: 'list',
    ordered: false,
    items: listings.map(({ name, operation }) => {
      const timeout = durationText(operation.defaultTimeoutMs ?? defaultTimeoutMs);
      const facts = `${name}  (${operation.kind}, ${operation.risk}, ${timeout})`;
      return {
        type: 'group',
        children: [
          { type: 'text', content: facts, style: 'bold' },
          { type: 'text', content: firstSentence(operation.description) },
        ],
      };
    }),
  };
}

function firstSentence(text: string): string {
  const line = text.split('\n', 1)[0] ?? '';
  const end = line.search(/[.!?](?:\s|$)/);
  return end === -1 ? line : line.slice(0, end + 1);
}
