// Group invoke: calls that are valid, invalid, incomplete, too large and not calls at all.
import { compileValidator, type JsonObject, type Operation } from '@tenon/protocol';
import { type Mutation, mutations } from '../arguments/generate.js';
import type { ProviderCase } from '../cases/model.js';
import { hex } from '../model/bytes.js';
import { fail, notApplicable, pass, type Verdict } from '../model/check.js';
import { evidence } from '../model/evidence.js';
import { describeStatus } from '../probe/connection.js';
import { invokeRequest, type RunningProvider, type ToolMethod } from '../probe/provider.js';
import {
  describeRecording,
  failureOf,
  isTerminal,
  type Recording,
  resultOf,
} from '../probe/stream.js';
import { bytesField, MALFORMED } from '../probe/wire.js';
import { invocation } from '../run/invocation.js';
import type { CheckContext } from '../run/model.js';
import { callIn, inDirectory, validArguments } from '../run/exercise.js';
import { contains } from './expectation.js';
import type { GroupChecks } from './group.js';

// One call per mutation; more say nothing new about an operation.
const MUTATIONS_PER_OPERATION = 24;
const OVERSIZED = 6 * 1024 * 1024;

const called = (name: string, args: unknown): string =>
  `called ${name} with ${JSON.stringify(args).slice(0, 300)}`;

async function valid(context: CheckContext): Promise<Verdict> {
  const { calls, skipped } = await context.exercise();
  const found = evidence('made the calls of the case file that should succeed', 'a result');
  for (const { case: one, recording } of calls) {
    if (one === undefined || one.expect.type !== 'result') continue;
    const problem = mismatch(one, recording);
    if (problem === undefined) found.held(one.name);
    else {
      found.broke({
        did: `${called(one.operation, one.arguments)} (${one.name})`,
        expected: problem,
        saw: describeRecording(recording),
      });
    }
  }
  for (const { case: one, recording } of calls) {
    // Generated arguments may name what is not there: any answer will do, none will not.
    if (one !== undefined) continue;
    if (recording.events.some(isTerminal)) found.held(`${recording.operation} (generated)`);
    else {
      found.broke({
        did: called(recording.operation, recording.arguments),
        expected: 'an end of the call',
        saw: describeRecording(recording),
        fix: 'End every call; if this one is meant to run on, add a case of it with long_running: true.',
      });
    }
  }
  for (const { case: one, reason } of skipped)
    if (one.expect.type === 'result') found.missed(reason);
  found.missed(
    'no case expects a result, and there is no data_source; add cases for the resources',
  );
  return found.verdict();
}

/** What should have come, when it did not. */
function mismatch({ expect }: ProviderCase, recording: Recording): string | undefined {
  const result = resultOf(recording);
  if (result === undefined) return 'a result';
  if (expect.type !== 'result' || expect.payload === undefined) return undefined;
  return contains(result.payload, expect.payload)
    ? undefined
    : `a payload with ${JSON.stringify(expect.payload)}`;
}

async function streaming(context: CheckContext): Promise<Verdict> {
  const { calls } = await context.exercise();
  const found = evidence(
    'looked at how each call of the case file ended',
    'an event of the stream, and status OK',
  );
  for (const { recording } of calls) {
    const { code } = recording.status;
    if (recording.events.some(isTerminal) || code === 0) {
      if (recording.events.length > 0) found.held(recording.operation);
    } else if (!recording.timedOut) {
      found.broke({
        did: called(recording.operation, recording.arguments),
        expected: 'a result or an error as an event',
        saw: describeRecording(recording),
        fix: 'Send the ToolError as the last event, and end the stream with OK; a status loses the category.',
      });
    }
  }
  found.missed('no call was made');
  return found.verdict();
}

/** Operations that may be called with arguments that they should refuse. */
function callable(context: CheckContext, operations: readonly Operation[]): Operation[] {
  return operations.filter(
    ({ kind }) => kind === 'data_source' || (kind === 'resource' && context.cases.runResources),
  );
}

async function refusals(
  context: CheckContext,
  make: (operation: Operation, args: JsonObject) => readonly Mutation[],
  did: string,
): Promise<Verdict> {
  const { schema } = await context.survey();
  const found = evidence(did, 'invalid_arguments');
  for (const operation of callable(context, schema.operations)) {
    const provider = await context.shared();
    const args = validArguments(context, operation);
    for (const { what, arguments: broken } of make(operation, args)) {
      const directory = context.workspaces.fresh();
      const recording = await callIn(
        context,
        provider,
        operation.name,
        inDirectory(broken, directory),
        directory,
      );
      const failure = failureOf(recording);
      if (failure?.category === 'invalid_arguments') found.held(`${operation.name}: ${what}`);
      else {
        found.broke({
          did: `${called(operation.name, broken)}, where ${what}`,
          expected: 'invalid_arguments',
          saw: describeRecording(recording),
        });
      }
    }
  }
  found.missed(
    schema.operations.some(({ kind }) => kind === 'resource') && !context.cases.runResources
      ? 'only resources could be called; set run_resources: true in the case file'
      : 'no operation takes arguments that could be wrong',
  );
  return found.verdict();
}

const invalid = (context: CheckContext): Promise<Verdict> =>
  refusals(
    context,
    (operation, args) => sample(context, operation.name, mutations(operation.input, args)),
    'broke one rule of each input_schema at a time',
  );

function sample(
  context: CheckContext,
  name: string,
  all: readonly Mutation[],
): readonly Mutation[] {
  const left = [...all];
  const random = context.random(`mutations of ${name}`);
  while (left.length > MUTATIONS_PER_OPERATION) left.splice(random.below(left.length), 1);
  return left;
}

const undeclared = (context: CheckContext): Promise<Verdict> =>
  refusals(
    context,
    (_operation, args) => [
      {
        what: '/conformance_unknown is not declared',
        arguments: { ...args, conformance_unknown: 1 },
      },
    ],
    'added a property that no input_schema declares',
  );

async function unknownTool(context: CheckContext): Promise<Verdict> {
  const provider = await context.startConfigured();
  const found = evidence('called operations that do not exist', 'not_found');
  for (const name of ['conformance_no_such_operation', '', '__proto__']) {
    const recording = await callIn(context, provider, name, {}, context.workspaces.fresh());
    const failure = failureOf(recording);
    if (failure?.category === 'not_found') found.held(`"${name}"`);
    else {
      found.broke({
        did: `called an operation named "${name}"`,
        expected: 'not_found, in the stream or as the gRPC status NOT_FOUND',
        saw: describeRecording(recording),
      });
    }
  }
  return alive(context, provider, found.verdict());
}

/** The verdict, unless the provider did not survive. */
async function alive(
  context: CheckContext,
  provider: RunningProvider,
  verdict: Verdict,
): Promise<Verdict> {
  const state = await provider.health(context.timeoutMs);
  if (state === 'serving') return verdict;
  const { exit } = provider.process;
  return fail({
    did: 'asked its health afterwards',
    expected: 'SERVING',
    saw: exit === undefined ? state : `the process has ended with ${exit.code ?? exit.signal}`,
    fix: 'Catch what a request can cause; a bad request must not end the process.',
  });
}

async function missingContext(context: CheckContext): Promise<Verdict> {
  const { schema } = await context.survey();
  const operation = schema.operations.find(({ kind }) => kind === 'data_source');
  const provider = await context.startConfigured();
  const found = evidence(
    'sent Invoke without a call, and a call without call_context',
    'an end of the call',
  );
  const name = operation?.name ?? 'conformance_no_such_operation';
  for (const [what, bytes] of [
    ['an empty request', Buffer.alloc(0)],
    [
      'a call without call_context',
      bytesField(1, Buffer.concat([bytesField(1, 'id'), bytesField(2, name)])),
    ],
  ] as const) {
    const recording = await provider.invokeBytes(bytes, { timeoutMs: context.timeoutMs });
    if (!recording.timedOut && (recording.events.some(isTerminal) || recording.status.code !== 0)) {
      found.held(`${what}: ${describeRecording(recording)}`);
    } else {
      found.broke({
        did: `sent ${what} (${hex(bytes)})`,
        expected: 'a result, an error or a status',
        saw: describeRecording(recording),
        fix: 'Look at call and call_context before you use them; answer invalid_arguments.',
      });
    }
  }
  return alive(context, provider, found.verdict());
}

async function oversized(context: CheckContext): Promise<Verdict> {
  const { schema } = await context.survey();
  const provider = await context.startConfigured();
  const [operation] = schema.operations.filter(({ kind }) => kind === 'data_source');
  const call = invocation(
    operation?.name ?? 'conformance_no_such_operation',
    { conformance_unknown: 'x'.repeat(OVERSIZED) },
    context.workspaces.fresh(),
  );
  const bytes = invokeRequest(call);
  const did = `sent a call of ${bytes.length} bytes`;
  const expected = 'an answer, or RESOURCE_EXHAUSTED';
  const recording = await provider.invokeBytes(bytes, { timeoutMs: context.timeoutMs * 2 });
  const saw = describeRecording(recording);
  if (recording.timedOut || (recording.status.code === 0 && !recording.events.some(isTerminal))) {
    return fail({ did, expected, saw });
  }
  return alive(context, provider, pass(did, expected, saw));
}

const METHODS: readonly ToolMethod[] = [
  'GetSchema',
  'Describe',
  'Configure',
  'Invoke',
  'Preview',
  'Render',
];

async function malformed(context: CheckContext): Promise<Verdict> {
  const provider = await context.startConfigured();
  const found = evidence(
    'sent four kinds of malformed bytes to each of the six methods',
    'an answer to each',
  );
  for (const method of METHODS) {
    for (const { what, bytes } of MALFORMED) {
      const ended = await send(provider, method, bytes, context.timeoutMs);
      if (ended.answered) found.held(`${method}: ${ended.saw}`);
      else {
        found.broke({
          did: `sent ${what} (${hex(bytes)}) to ${method}`,
          expected: 'a status other than OK (or, where nothing is read, an answer)',
          saw: ended.saw,
        });
      }
      if (provider.process.exit !== undefined) return alive(context, provider, found.verdict());
    }
  }
  return alive(context, provider, found.verdict());
}

async function send(
  provider: RunningProvider,
  method: ToolMethod,
  bytes: Buffer,
  timeoutMs: number,
): Promise<{ answered: boolean; saw: string }> {
  if (method === 'Invoke') {
    const recording = await provider.invokeBytes(bytes, { timeoutMs });
    const silent = recording.status.code === 0 && !recording.events.some(isTerminal);
    return { answered: !recording.timedOut && !silent, saw: describeRecording(recording) };
  }
  const answer = await provider.call(method, bytes, timeoutMs);
  if (answer.ok) return { answered: true, saw: 'OK' };
  // DEADLINE_EXCEEDED is ours: nothing came.
  return { answered: answer.status.code !== 4, saw: describeStatus(answer.status) };
}

async function relativePath(context: CheckContext): Promise<Verdict> {
  const { calls, skipped } = await context.exercise();
  const found = evidence(
    'made the calls of the cases marked as relative_path, while the process stood in another, empty directory',
    'what the case expects, and nothing new in that directory',
  );
  for (const { case: one, recording, strays } of calls) {
    if (one?.relativePath !== true) continue;
    const wanted = one.expect.type === 'error' ? one.expect.category : 'result';
    const got = failureOf(recording)?.category ?? 'result';
    const missed = mismatch(one, recording);
    if (wanted === got && strays.length === 0 && (wanted !== 'result' || missed === undefined)) {
      found.held(one.name);
    } else {
      found.broke({
        did: `${called(one.operation, one.arguments)} (${one.name})`,
        expected: `${missed ?? wanted}, and no file in the directory of the process`,
        saw:
          describeRecording(recording) +
          (strays.length > 0
            ? `; in the directory of the process appeared ${strays.join(', ')}`
            : ''),
      });
    }
  }
  for (const { case: one, reason } of skipped) if (one.relativePath) found.missed(reason);
  found.missed(
    'no case is marked relative_path: true; add a call with a relative path to a fixture, or say under not_applicable why there is none',
  );
  return found.verdict();
}

async function payload(context: CheckContext): Promise<Verdict> {
  const { calls } = await context.exercise();
  const found = evidence(
    'compared each result with the output_schema of its operation',
    'no difference',
  );
  for (const { operation, recording } of calls) {
    const result = resultOf(recording);
    if (result === undefined || operation === undefined) continue;
    const problems = compileValidator(operation.output, { requirement: 'OUT-01' })(result.payload);
    if (problems.length === 0) found.held(operation.name);
    else {
      found.broke({
        did: called(operation.name, recording.arguments),
        expected: 'a payload that fits output_schema; a kernel refuses any other',
        saw: problems.map(({ pointer, message }) => `${pointer || '/'}: ${message}`).join('; '),
        fix: 'Correct the schema or the payload.',
      });
    }
  }
  if (calls.length === 0) return notApplicable('no operation could be called');
  found.missed('no call ended in a result; add cases that succeed');
  return found.verdict();
}

export const invoke: GroupChecks<'invoke'> = {
  valid,
  streaming,
  invalid,
  undeclared,
  unknown_tool: unknownTool,
  missing_context: missingContext,
  oversized,
  malformed,
  relative_path: relativePath,
  payload,
};
