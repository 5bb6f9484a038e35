// `tenon describe`: everything that a provider says about itself, or about one of its operations.
import type { Kernel, OperationListing, ProviderStatus } from '@tenon/kernel';
import type { RenderNode, Schema } from '@tenon/protocol';
import { describeType } from '../arguments/flags.js';
import type { Context } from '../context.js';
import { EXIT } from '../errors.js';
import type { ExitCode } from '../errors.js';
import { findOperation, providerOf, providerProblems } from '../kernel/listing.js';
import { readConfig, withKernel } from '../kernel/open.js';
import type { KernelOptionValues } from '../options.js';
import { durationText } from '../output/format.js';
import { paint } from '../paint/paint.js';
import { sanitize } from '../terminal/sanitize.js';

interface Options extends KernelOptionValues {
  readonly json?: boolean;
}

export async function run(context: Context, name: string, options: Options): Promise<ExitCode> {
  const { terminal } = context;
  const providerName = providerOf(name);
  const config = await readConfig(context, options, providerName);
  return withKernel(context, config, { start: [providerName] }, async (kernel) => {
    const provider = kernel.providers().find((candidate) => candidate.name === name);
    const subject =
      provider === undefined ? findOperation(kernel, name) : describeProvider(kernel, provider);
    if (options.json === true) {
      terminal.stdout.write(`${JSON.stringify(subject, undefined, 2)}\n`);
      return EXIT.ok;
    }
    const root = 'operation' in subject ? operationNode(subject) : providerNode(subject);
    terminal.stdout.write(paint({ root }, { width: terminal.width(), color: terminal.outColor }));
    if (provider !== undefined) {
      for (const problem of providerProblems(kernel, name)) {
        terminal.stderr.write(`${terminal.err('red', '✖')} ${sanitize(problem)}\n`);
      }
    }
    return EXIT.ok;
  });
}

interface DescribedProvider {
  readonly provider: ProviderStatus;
  readonly operations: readonly OperationListing[];
}

function describeProvider(kernel: Kernel, provider: ProviderStatus): DescribedProvider {
  return {
    provider,
    operations: kernel.operations().filter((listing) => listing.provider === provider.name),
  };
}

function providerNode({ provider, operations }: DescribedProvider): RenderNode {
  const { identity } = provider;
  return group([
    text(provider.name, 'bold'),
    text(`state: ${provider.state}`),
    ...(identity === undefined
      ? []
      : [
          text(`version: ${identity.version}`),
          text(`source: ${identity.source}`),
          text(`protocol version: ${identity.protocolVersion}`),
        ]),
    text(''),
    {
      type: 'table',
      headers: ['OPERATION', 'KIND', 'RISK'],
      rows: operations.map(({ name, operation }) => [name, operation.kind, operation.risk]),
    },
  ]);
}

function operationNode({ name, operation }: OperationListing): RenderNode {
  const { concurrency } = operation;
  const locks =
    concurrency?.safe !== true
      ? 'one call at a time for the whole provider'
      : concurrency.keyFields.length === 0
        ? 'calls run in parallel'
        : `calls with the same ${concurrency.keyFields.join(' and ')} run one after the other`;
  return group([
    text(name, 'bold'),
    text(operation.description),
    text(''),
    text(`kind: ${operation.kind}   risk: ${operation.risk}`),
    text(
      `timeout: ${operation.defaultTimeoutMs === undefined ? "the kernel's default" : durationText(operation.defaultTimeoutMs)}`,
    ),
    ...(operation.kind === 'interactive' ? [] : [text(`concurrency: ${locks}`)]),
    text(`output while it runs: ${operation.streaming ? 'yes' : 'no'}`),
    ...(operation.kind === 'resource'
      ? [text(`may be tried again after a failure: ${operation.idempotent ? 'yes' : 'no'}`)]
      : []),
    ...(operation.terminatesTurn ? [text('ends the turn when it succeeds')] : []),
    text(''),
    text('Arguments', 'bold'),
    fields(operation.input),
    text(''),
    text('Result', 'bold'),
    fields(operation.output),
  ]);
}

function fields(schema: Schema & { type: 'object' }): RenderNode {
  const rows = fieldRows(schema, '');
  if (rows.length === 0) return text('(none)', 'dim');
  return { type: 'table', headers: ['NAME', 'TYPE', 'REQUIRED', 'DESCRIPTION'], rows };
}

function fieldRows(schema: Schema & { type: 'object' }, prefix: string): string[][] {
  return Object.entries(schema.properties).flatMap(([name, child]) => {
    const path = `${prefix}${name}`;
    const row = [
      path,
      describeType(child),
      schema.required.includes(name) ? 'yes' : '',
      child.description ?? '',
    ];
    const inner = child.type === 'array' ? child.items : child;
    const mark = child.type === 'array' ? '[].' : '.';
    return inner.type === 'object' ? [row, ...fieldRows(inner, `${path}${mark}`)] : [row];
  });
}

function group(children: readonly RenderNode[]): RenderNode {
  return { type: 'group', children };
}

function text(content: string, style?: 'bold' | 'dim'): RenderNode {
  return style === undefined ? { type: 'text', content } : { type: 'text', content, style };
}
