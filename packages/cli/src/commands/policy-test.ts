// `tenon policy test`: the decision that each operation gets, rules that have no effect, and, with a file of
// cases, whether each call gets the decision that is expected.
import { compilePolicy, decide, mismatch } from '@tenon/kernel';
import type { CompiledPolicy, OperationListing, PolicyRule, PolicySubject } from '@tenon/kernel';
import type { JsonObject, JsonValue, RenderNode } from '@tenon/protocol';
import { readJson } from '../arguments/sources.js';
import type { Context } from '../context.js';
import { EXIT, UsageError } from '../errors.js';
import type { ExitCode } from '../errors.js';
import { findOperation, providerProblems } from '../kernel/listing.js';
import { readConfig, withKernel, workingDirectory } from '../kernel/open.js';
import type { KernelOptionValues } from '../options.js';
import { createJsonEvents } from '../output/json-events.js';
import { paint } from '../paint/paint.js';
import { sanitize } from '../terminal/sanitize.js';
import { matchText } from './policy-explain.js';

interface Options extends KernelOptionValues {
  readonly json?: boolean;
}

interface Case {
  readonly name: string;
  readonly arguments: JsonObject;
  readonly expect: 'allow' | 'ask' | 'deny';
}

interface Row {
  readonly operation: string;
  readonly arguments?: JsonObject;
  readonly action: string;
  readonly decidedBy: string;
  readonly expected?: string;
}

/** Exit code 1 when a case is not decided as expected, or a provider cannot be asked. */
export async function run(
  context: Context,
  file: string | undefined,
  options: Options,
): Promise<ExitCode> {
  const { terminal } = context;
  const cases = file === undefined ? undefined : await readCases(file, context);
  const config = await readConfig(context, options);
  return withKernel(context, config, {}, async (kernel) => {
    const { policy } = compilePolicy(config.policies, config.alwaysRules);
    const folder = workingDirectory(options);
    const listings = kernel.operations();
    const decideOn = (
      listing: OperationListing,
      args: JsonObject,
    ): Pick<Row, 'action' | 'decidedBy'> => decide(policy, subjectOf(listing, args, folder));
    const rows: Row[] =
      cases === undefined
        ? listings.map((listing) => ({ operation: listing.name, ...decideOn(listing, {}) }))
        : cases.map((one) => ({
            operation: one.name,
            arguments: one.arguments,
            ...decideOn(findOperation(kernel, one.name), one.arguments),
            expected: one.expect,
          }));
    await print(context, rows, options.json === true);
    for (const rule of withoutEffect(policy, listings, folder)) {
      terminal.stderr.write(
        `${terminal.err('yellow', 'warning:')} ${sanitize(`policy "${rule.name}" (${matchText(rule.match)}) fits no operation that is there`)}\n`,
      );
    }
    const problems = providerProblems(kernel);
    for (const problem of problems)
      terminal.stderr.write(`${terminal.err('red', '✖')} ${sanitize(problem)}\n`);
    const wrong = rows.filter((row) => row.expected !== undefined && row.expected !== row.action);
    return wrong.length + problems.length === 0 ? EXIT.ok : EXIT.toolError;
  });
}

async function print({ terminal }: Context, rows: readonly Row[], json: boolean): Promise<void> {
  if (json) {
    const events = createJsonEvents(terminal.stdout);
    for (const { operation, arguments: args, action, decidedBy, expected } of rows) {
      await events.line({ operation, arguments: args, action, decidedBy, expected });
    }
    return;
  }
  const root: RenderNode = {
    type: 'table',
    headers: [
      'OPERATION',
      'DECISION',
      'BY',
      ...(rows.some((row) => row.expected) ? ['EXPECTED'] : []),
    ],
    rows: rows.map((row) => [
      row.arguments === undefined
        ? row.operation
        : `${row.operation} ${JSON.stringify(row.arguments)}`,
      row.action,
      row.decidedBy,
      ...(row.expected === undefined
        ? []
        : [row.expected === row.action ? `✔ ${row.expected}` : `✖ ${row.expected}`]),
    ]),
  };
  terminal.stdout.write(paint({ root }, { width: terminal.width(), color: terminal.outColor }));
}

function subjectOf(
  { provider, operation }: OperationListing,
  args: JsonObject,
  folder: string,
): PolicySubject {
  return {
    provider,
    operation: operation.name,
    kind: operation.kind,
    risk: operation.risk,
    arguments: args,
    workingDirectory: folder,
  };
}

/** Rules whose fixed fields fit no operation; patterns on arguments are left aside. */
function withoutEffect(
  policy: CompiledPolicy,
  listings: readonly OperationListing[],
  folder: string,
): readonly PolicyRule[] {
  return policy.rules.filter((rule) => {
    const { args: _, ...fixed } = rule.match;
    return !listings.some(
      (listing) => mismatch(fixed, subjectOf(listing, {}, folder)) === undefined,
    );
  });
}

async function readCases(file: string, { terminal }: Context): Promise<readonly Case[]> {
  const value = await readJson(file === '-' ? '-' : `@${file}`, terminal.stdin);
  if (!Array.isArray(value)) throw new UsageError([`${file}: expected a list of cases`]);
  const cases = value.map(readCase);
  const problems = cases.flatMap((one, index) =>
    one === undefined
      ? [`${file}: /${index}: expected { "name", "arguments", "expect": "allow" | "ask" | "deny" }`]
      : [],
  );
  if (problems.length > 0) throw new UsageError(problems);
  return cases.filter((one) => one !== undefined);
}

function readCase(value: JsonValue): Case | undefined {
  if (!isObject(value)) return undefined;
  const { name, expect } = value;
  const args = value['arguments'] ?? {};
  if (typeof name !== 'string' || !isObject(args)) return undefined;
  if (expect !== 'allow' && expect !== 'ask' && expect !== 'deny') return undefined;
  return { name, arguments: args, expect };
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
