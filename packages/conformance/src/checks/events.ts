// Group events: the rules of the Invoke stream (EVT). Judges the recordings of the run through the cases; makes no
// calls.
import type { Verdict } from '../model/check.js';
import { quoted } from '../model/bytes.js';
import { notApplicable } from '../model/check.js';
import { evidence } from '../model/evidence.js';
import {
  describeRecording,
  isTerminal,
  type RecordedEvent,
  type Recording,
} from '../probe/stream.js';
import type { CheckContext } from '../run/model.js';
import type { Exercised } from '../run/model.js';
import type { GroupChecks } from './group.js';

const didOf = ({ case: one, recording }: Exercised): string =>
  `called ${recording.operation} with ${JSON.stringify(recording.arguments).slice(0, 300)}` +
  (one === undefined ? '' : ` (${one.name})`);

const typeOf = ({ received }: RecordedEvent): string | undefined =>
  received.ok ? received.event.type : undefined;

const count = ({ events }: Recording, type: string): number =>
  events.filter((event) => typeOf(event) === type).length;

async function oneEnd(context: CheckContext): Promise<Verdict> {
  const { calls } = await context.exercise();
  const found = evidence(
    'followed every stream to its end',
    'one result or error, last, and then the end',
  );
  for (const call of calls) {
    const { recording } = call;
    const problem = endProblem(recording);
    if (problem === undefined) found.held(recording.operation);
    else {
      found.broke({
        did: didOf(call),
        expected:
          'exactly one result or error, after everything else, and then the end of the stream',
        saw: `${problem}: ${describeRecording(recording)}`,
      });
    }
  }
  found.missed('no call could be made; add cases');
  return found.verdict();
}

// A failure that came as a status is RPC-03's to report.
function endProblem(recording: Recording): string | undefined {
  const { events, status, timedOut } = recording;
  const ends = events.filter(isTerminal).length;
  const broken = events.find(({ received }) => !received.ok);
  if (broken !== undefined && !isTerminal(broken)) return 'an event that is none';
  if (timedOut && ends === 0) return 'no end';
  if (ends === 0) return status.code === 0 ? 'no result and no error' : undefined;
  if (ends > 1) return `${ends} ends`;
  const last = events.at(-1);
  if (last !== undefined && !isTerminal(last)) return 'events after the end';
  if (status.code !== 0) return 'the end was sent, but the stream did not close with OK';
  return undefined;
}

async function exitStatus(context: CheckContext): Promise<Verdict> {
  const { calls } = await context.exercise();
  const found = evidence(
    'counted the exit_status of each stream',
    'one for cases marked exit_status, else at most one',
  );
  for (const call of calls) {
    const seen = count(call.recording, 'exit_status');
    const due = call.case?.exitStatus === true;
    if (due ? seen === 1 : seen <= 1) {
      if (due) found.held(call.case?.name ?? '');
    } else {
      found.broke({
        did: didOf(call),
        expected: due ? 'exactly one exit_status' : 'at most one exit_status',
        saw: `${seen}: ${describeRecording(call.recording)}`,
      });
    }
  }
  const verdict = found.verdict();
  if (verdict.state === 'fail' || calls.some(({ case: one }) => one?.exitStatus === true))
    return verdict;
  if (context.cases.path !== undefined && context.cases.processBacked.size === 0) {
    return notApplicable('the case file names no operation as process_backed');
  }
  found.missed(
    'no case is marked exit_status: true; add one for each operation that runs a process, and name the operations under process_backed',
  );
  return found.verdict();
}

async function noProcess(context: CheckContext): Promise<Verdict> {
  const { calls } = await context.exercise();
  const found = evidence(
    'looked for exit_status in streams of operations that run no process',
    'none',
  );
  for (const call of calls) {
    const { operation } = call.recording;
    if (context.cases.processBacked.has(operation)) continue;
    if (count(call.recording, 'exit_status') === 0) found.held(operation);
    else if (context.cases.path === undefined) {
      found.missed(`${operation} sent exit_status; a case file must say whether it runs processes`);
    } else {
      found.broke({
        did: didOf(call),
        expected: 'no exit_status',
        saw: describeRecording(call.recording),
        fix: 'Drop the event; or, if it does run a process, name it under process_backed in the case file.',
      });
    }
  }
  const verdict = found.verdict();
  return verdict.state === 'not_reached' && calls.length > 0 && context.cases.path !== undefined
    ? notApplicable('every operation that was called runs processes')
    : verdict;
}

const STREAMED = ['output_chunk', 'progress', 'partial_result'];

async function declared(context: CheckContext): Promise<Verdict> {
  const { calls } = await context.exercise();
  const found = evidence(
    'looked for streamed events of operations without streaming: true',
    'none',
  );
  for (const call of calls) {
    const streamed = call.recording.events.filter((event) =>
      STREAMED.includes(typeOf(event) ?? ''),
    );
    if (call.operation === undefined || call.operation.streaming || streamed.length === 0) {
      found.held(call.recording.operation);
    } else {
      found.broke({
        did: didOf(call),
        expected: 'no streamed events',
        saw: describeRecording(call.recording),
      });
    }
  }
  found.missed('no call could be made; add cases');
  return found.verdict();
}

async function order(context: CheckContext): Promise<Verdict> {
  const { calls } = await context.exercise();
  const found = evidence(
    'joined the output of the cases that say what it should be',
    'the same text',
  );
  for (const call of calls) {
    const expect = call.case?.expect;
    if (expect?.type !== 'result') continue;
    for (const stream of ['stdout', 'stderr'] as const) {
      const wanted = expect[stream];
      if (wanted === undefined) continue;
      const got = joined(call.recording, stream);
      if (got === wanted) found.held(call.case?.name ?? '');
      else found.broke({ did: didOf(call), expected: quoted(wanted), saw: quoted(got) });
    }
  }
  const { schema } = await context.survey();
  if (!schema.operations.some(({ streaming }) => streaming)) {
    return notApplicable('no operation declares streaming');
  }
  found.missed(
    'no case says what the output of a stream is; add expect: { stdout: … } to one, or say under not_applicable why no operation sends output',
  );
  return found.verdict();
}

function joined({ events }: Recording, stream: string): string {
  return Buffer.concat(
    events.flatMap(({ received }) =>
      received.ok && received.event.type === 'output_chunk' && received.event.stream === stream
        ? [received.event.data]
        : [],
    ),
  ).toString();
}

export const events: GroupChecks<'events'> = {
  one_end: oneEnd,
  exit_status: exitStatus,
  no_process: noProcess,
  declared,
  order,
};
