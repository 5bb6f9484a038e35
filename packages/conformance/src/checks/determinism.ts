// Group determinism: the same question gets the same answer (RPC-04, RND, PRV), and pictures are pictures.
import { decodeMessage, renderTreeFromWire, type RenderNode, toolV1 } from '@tenon/protocol';
import type { RenderCase } from '../cases/model.js';
import { hex } from '../model/bytes.js';
import { fail, notApplicable, pass, type Verdict } from '../model/check.js';
import { evidence, type Evidence } from '../model/evidence.js';
import { type Answer, describeStatus } from '../probe/connection.js';
import { invocation } from '../run/invocation.js';
import type { CheckContext } from '../run/model.js';
import { inDirectory, validArguments } from '../run/exercise.js';
import type { GroupChecks } from './group.js';

const UNIMPLEMENTED = 12;
const TIMES = 3;

async function schema(context: CheckContext): Promise<Verdict> {
  const { bytes } = await context.survey();
  const did = 'called GetSchema before and after Configure, in two processes';
  const expected = 'the same answer each time';
  const wanted = normal(bytes);
  const provider = await context.startConfigured();
  for (let time = 0; time < TIMES; time++) {
    const answer = await provider.call('GetSchema', Buffer.alloc(0), context.timeoutMs);
    if (!answer.ok) return fail({ did, expected, saw: describeStatus(answer.status) });
    if (normal(answer.bytes) !== wanted) {
      return fail({
        did,
        expected,
        saw: `${bytes.length} bytes first, then ${difference(bytes, answer.bytes)}`,
        fix: 'Build the answer once, from constants, in a fixed order.',
      });
    }
  }
  return pass(did, expected, `${bytes.length} bytes, ${TIMES + 1} times`);
}

// Maps of protobuf have no order, so bytes may differ where the message does not.
function normal(bytes: Buffer): string {
  return JSON.stringify(
    decodeMessage(toolV1.GetSchemaResponseSchema, bytes),
    (_key, value: unknown) =>
      typeof value === 'bigint'
        ? String(value)
        : typeof value === 'object' && value !== null && !Array.isArray(value)
          ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
          : value,
  );
}

function difference(a: Buffer, b: Buffer): string {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  return `${b.length} bytes; from byte ${at}: ${hex(a.subarray(at, at + 24))} became ${hex(b.subarray(at, at + 24))}`;
}

async function render(context: CheckContext): Promise<Verdict> {
  const cases = context.cases.render.filter((one) => !one.older);
  return rendering(context, cases, 'rendered each payload of the case file twice', async () => {
    const provider = await context.shared();
    const answer = await provider.render(Buffer.from('{}'), '1', context.timeoutMs);
    return !answer.ok && answer.status.code === UNIMPLEMENTED;
  });
}

async function oldPayloads(context: CheckContext): Promise<Verdict> {
  const provider = await context.shared();
  const strange = await provider.render(
    Buffer.from([0xff, 0x00]),
    'conformance-unknown',
    context.timeoutMs,
  );
  if (!strange.ok && strange.status.code === UNIMPLEMENTED)
    return notApplicable('Render is not implemented');
  const found = evidence(
    'rendered payloads of older versions and one of a version that never was',
    'a tree, or a clear error',
  );
  const did = 'rendered the bytes ff 00 of schema_version "conformance-unknown"';
  judge(found, did, strange, 'either');
  const older = context.cases.render.filter((one) => one.older);
  for (const one of older) {
    const answer = await provider.render(one.payload, one.schemaVersion, context.timeoutMs);
    judge(found, `rendered ${one.name}`, answer, one.expect);
  }
  return found.verdict();
}

async function rendering(
  context: CheckContext,
  cases: readonly RenderCase[],
  did: string,
  unimplemented: () => Promise<boolean>,
): Promise<Verdict> {
  if (await unimplemented()) return notApplicable('Render is not implemented');
  const found = evidence(did, 'a tree, twice the same');
  const provider = await context.shared();
  for (const one of cases) {
    const answers = [
      await provider.render(one.payload, one.schemaVersion, context.timeoutMs),
      await provider.render(one.payload, one.schemaVersion, context.timeoutMs),
    ] as const;
    judge(found, `rendered ${one.name}`, answers[0], one.expect);
    same(found, `rendered ${one.name} twice`, answers);
  }
  found.missed('the case file has no payload to render; add some under render');
  return found.verdict();
}

function judge(
  found: Evidence,
  did: string,
  answer: Answer,
  expected: 'tree' | 'error' | 'either',
): void {
  if (answer.ok) {
    const problem = treeProblem(decodeMessage(toolV1.RenderResponseSchema, answer.bytes).tree);
    if (problem === undefined && expected !== 'error') found.held(did);
    else
      found.broke({
        did,
        expected: expected === 'error' ? 'an error' : 'a tree',
        saw: problem ?? 'a tree',
      });
    return;
  }
  const { status } = answer;
  // A message that says nothing, no answer and a crash are no clear errors.
  const clear = status.details.trim() !== '' && ![4, 14].includes(status.code);
  if (clear && expected !== 'tree') found.held(`${did}: ${describeStatus(status)}`);
  else {
    found.broke({
      did,
      expected:
        expected === 'tree'
          ? 'a tree'
          : 'a tree, or an error with a message that names the version',
      saw: describeStatus(status),
    });
  }
}

function same(found: Evidence, did: string, [first, second]: readonly [Answer, Answer]): void {
  if (first.ok && second.ok && !first.bytes.equals(second.bytes)) {
    found.broke({ did, expected: 'the same tree', saw: difference(first.bytes, second.bytes) });
  }
}

/** What keeps a tree from being shown as it was meant. */
function treeProblem(
  tree: Parameters<typeof renderTreeFromWire>[0] | undefined,
): string | undefined {
  if (tree === undefined) return 'an answer without a tree';
  const unknown = (node: RenderNode): boolean => {
    if (node.type === 'unknown') return true;
    if (node.type === 'list') return node.items.some(unknown);
    return 'children' in node && node.children.some(unknown);
  };
  return unknown(renderTreeFromWire(tree).root) ? 'a tree with a node of no kind' : undefined;
}

async function preview(context: CheckContext): Promise<Verdict> {
  const { schema: read } = await context.survey();
  const resources = read.operations.filter(({ kind }) => kind === 'resource');
  if (resources.length === 0) return notApplicable('there is no resource');
  const found = evidence(
    'previewed each resource twice',
    'a tree, twice the same; or UNIMPLEMENTED',
  );
  const provider = await context.shared();
  for (const operation of resources) {
    const directory = context.workspaces.fresh();
    const args = inDirectory(validArguments(context, operation), directory);
    const call = invocation(operation.name, args, directory);
    const answers = [
      await provider.preview(call, context.timeoutMs),
      await provider.preview(call, context.timeoutMs),
    ] as const;
    const [first] = answers;
    const did = `previewed ${operation.name} with ${JSON.stringify(args)}`;
    if (!first.ok && first.status.code === UNIMPLEMENTED) continue;
    if (first.ok) {
      const problem = treeProblem(decodeMessage(toolV1.PreviewResponseSchema, first.bytes).preview);
      if (problem === undefined) found.held(operation.name);
      else found.broke({ did, expected: 'a tree', saw: problem });
      same(found, `${did} twice`, answers);
    } else if ([4, 14].includes(first.status.code) || first.status.details.trim() === '') {
      found.broke({
        did,
        expected: 'a tree, or an error with a message',
        saw: describeStatus(first.status),
      });
    } else found.held(`${operation.name}: ${describeStatus(first.status)}`);
  }
  const verdict = found.verdict();
  return verdict.state === 'not_reached' ? notApplicable('Preview is not implemented') : verdict;
}

export const determinism: GroupChecks<'determinism'> = {
  schema,
  render,
  old_payloads: oldPayloads,
  preview,
};
