// `tenon operations`: what can be called, and what was refused and why.
import type { OperationListing } from '@tenon/kernel';
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

interface Options extends KernelOptionValues {
  readonly json?: boolean;
}

/** Exit code 1 when a provider did not start or an operation was refused: the list is then not all. */
export async function run(context: Context, options: Options): Promise<ExitCode> {
  const { terminal } = context;
  const config = await readConfig(context, options);
  return withKernel(context, config, {}, async (kernel) => {
    const listings = kernel.operations();
    if (options.json === true) {
      const json = createJsonEvents(terminal.stdout);
      for (const listing of listings) await json.line(listing);
    } else {
      const tree = { root: operationsTable(listings, config.settings.defaultTimeoutMs) };
      terminal.stdout.write(paint(tree, { width: terminal.width(), color: terminal.outColor }));
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
): { type: 'table'; headers: string[]; rows: string[][] } {
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

function firstSentence(text: string): string {
  const line = text.split('\n', 1)[0] ?? '';
  const end = line.search(/[.!?](?:\s|$)/);
  return end === -1 ? line : line.slice(0, end + 1);
}
