// Group errors: how the failures that the cases provoke are classified (ERR). Judges the recordings of the run
// through the cases; makes no calls.
import { type ToolErrorCategory, toolV1, decodeMessage } from '@tenon/protocol';
import type { Finding, Verdict } from '../model/check.js';
import { hex } from '../model/bytes.js';
import { evidence, type Evidence } from '../model/evidence.js';
import { describeRecording, failureOf } from '../probe/stream.js';
import type { CheckContext } from '../run/model.js';
import type { Exercised } from '../run/model.js';
import type { GroupChecks, Run } from './group.js';

const didOf = ({ case: one, recording }: Exercised): string =>
  `called ${recording.operation} with ${JSON.stringify(recording.arguments).slice(0, 300)}` +
  (one === undefined ? '' : ` (${one.name})`);

/** All cases that expect this category end in it. */
function category(wanted: ToolErrorCategory, hint: string): Run {
  return async (context) => {
    const found = evidence(`made the calls whose cases expect ${wanted}`, wanted);
    await judge(context, wanted, found);
    found.missed(
      `no case expects ${wanted}; ${hint}, or say under not_applicable why it cannot happen`,
    );
    return found.verdict();
  };
}

async function judge(
  context: CheckContext,
  wanted: ToolErrorCategory,
  found: Evidence,
): Promise<void> {
  const { calls, skipped } = await context.exercise();
  for (const call of calls) {
    const expect = call.case?.expect;
    if (expect?.type !== 'error' || expect.category !== wanted) continue;
    const failure = failureOf(call.recording);
    if (failure?.category === wanted) found.held(call.case?.name ?? call.recording.operation);
    else
      found.broke({ did: didOf(call), expected: wanted, saw: describeRecording(call.recording) });
  }
  for (const { case: one, reason } of skipped) {
    if (one.expect.type === 'error' && one.expect.category === wanted) found.missed(reason);
  }
}

async function classified(context: CheckContext): Promise<Verdict> {
  const { calls } = await context.exercise();
  const found = evidence(
    'compared the categories of failures that the cases tell apart',
    'as many kinds',
  );
  const failures = calls.flatMap((call) => {
    const got = failureOf(call.recording);
    const expect = call.case?.expect;
    return got !== undefined && expect?.type === 'error'
      ? [{ call, got, wanted: expect.category }]
      : [];
  });
  const wanted = new Set(failures.map((failure) => failure.wanted));
  const got = new Set(failures.map((failure) => failure.got.category));
  const [only] = got;
  if (wanted.size > 1 && got.size === 1) {
    found.broke({
      did: `provoked ${failures.length} failures of the kinds ${[...wanted].join(', ')}`,
      expected: 'a category for each kind',
      saw: `${only} for all of them`,
    });
  } else if (wanted.size > 1) found.held([...got].join(', '));
  found.missed(
    'the cases provoke failures of one kind at most; add cases for two or more categories',
  );
  return found.verdict();
}

async function complete(context: CheckContext): Promise<Verdict> {
  const { calls } = await context.exercise();
  const found = evidence(
    'looked at every error that came',
    'a message; details absent or an object',
  );
  for (const call of calls) {
    for (const { bytes, received } of call.recording.events) {
      if (received.ok && received.event.type === 'error') found.held(received.event.error.category);
      if (received.ok) continue;
      for (const violation of received.violations.filter(
        ({ requirement }) => requirement === 'ERR-02',
      )) {
        found.broke(finding(call, violation.message, bytes));
      }
    }
  }
  found.missed('no call ended in an error; add cases that fail');
  return found.verdict();
}

const finding = (call: Exercised, message: string, bytes: Uint8Array): Finding => ({
  did: didOf(call),
  expected: 'an error with a category, a message and retryable',
  saw: `${message} [${hex(bytes)}]`,
});

async function allowed(context: CheckContext): Promise<Verdict> {
  const { calls } = await context.exercise();
  const found = evidence(
    'looked at the category of every error that came',
    'one of the eight for providers',
  );
  for (const call of calls) {
    for (const { bytes, received } of call.recording.events) {
      if (received.ok) {
        if (received.event.type === 'error') found.held(received.event.error.category);
        continue;
      }
      if (!isForbidden(bytes)) continue;
      found.broke({
        did: didOf(call),
        expected: 'one of the eight categories that a provider may use',
        saw: `${received.violations.map(({ message }) => message).join('; ')} [${hex(bytes)}]`,
      });
    }
  }
  found.missed('no call ended in an error; add cases that fail');
  return found.verdict();
}

function isForbidden(bytes: Uint8Array): boolean {
  try {
    const { event } = decodeMessage(toolV1.InvokeResponseSchema, bytes);
    if (event?.event.case !== 'error') return false;
    const { category: number } = event.event.value;
    return (
      number === toolV1.ToolErrorCategory.PROCESS_CRASHED ||
      number === toolV1.ToolErrorCategory.UNSPECIFIED ||
      toolV1.ToolErrorCategory[number] === undefined
    );
  } catch {
    return false; // Not an error event at all; group events reports it.
  }
}

async function unknown(context: CheckContext): Promise<Verdict> {
  const { calls } = await context.exercise();
  const found = evidence(
    'looked at every error of the category unknown',
    'details with the error beneath it',
  );
  await judge(context, 'unknown', found);
  for (const call of calls) {
    const failure = failureOf(call.recording);
    if (failure?.category !== 'unknown' || call.recording.status.code !== 0) continue;
    if (Object.keys(failure.details ?? {}).length > 0) found.held(JSON.stringify(failure.details));
    else {
      found.broke({
        did: didOf(call),
        expected: 'details that hold the raw error',
        saw: describeRecording(call.recording),
      });
    }
  }
  found.missed(
    'nothing ended in unknown; add a case that provokes it, or say under not_applicable why it cannot happen',
  );
  return found.verdict();
}

export const errors: GroupChecks<'errors'> = {
  classified,
  complete,
  not_found: category('not_found', 'add a call whose target is not there'),
  permission_denied: category('permission_denied', 'add a call that is refused'),
  execution_failed: category('execution_failed', 'add a call that runs and fails'),
  timeout: category('timeout', "add a call that meets the provider's own deadline"),
  conflict: category('concurrency_conflict', 'add a call with while_running that gets in its way'),
  allowed,
  unknown,
};
