// Group cancellation: long-running calls whose stream is closed (CAN, ERR-09). What an operation says after that
// can only be seen through the extension service's FollowCall; without it, by what came before.
import type { ReceivedEvent } from '@tenon/protocol';
import { fail, notReached, pass, type Verdict } from '../model/check.js';
import { evidence } from '../model/evidence.js';
import { hasProc, isAlive } from '../probe/processes.js';
import type { CheckContext } from '../run/model.js';
import {
  cancelCall,
  type CancelledCall,
  CLEAN_UP_MS,
  longRunningCases,
  warmUp,
} from './cancelled-call.js';
import type { GroupChecks } from './group.js';

const MOMENTS = 6;
const LATEST_MS = 120;
const ENDED = 'it ended by itself before it could be cancelled; let it run for some seconds';

async function each(
  context: CheckContext,
  judge: (call: CancelledCall) => void,
  missed: (reason: string) => void,
  warm = false,
): Promise<void> {
  const { cases, reason } = await longRunningCases(context);
  if (cases.length === 0) missed(reason);
  const provider = cases.length === 0 ? undefined : await context.startConfigured();
  for (const one of cases) {
    if (provider === undefined) return;
    if (warm) await warmUp(context, provider, one);
    const call = await cancelCall(context, provider, one);
    if (call.endedFirst) missed(`${one.name}: ${ENDED}`);
    else judge(call);
  }
}

const didOf = ({ case: one }: CancelledCall): string =>
  `called ${one.operation} with ${JSON.stringify(one.arguments)} (${one.name}) and closed the stream`;

async function cleansUp(context: CheckContext): Promise<Verdict> {
  if (!hasProc) return notReached('processes and open files cannot be seen here (no /proc)');
  const found = evidence(
    'closed the stream of each long-running case',
    'no child process and no open file',
  );
  await each(
    context,
    (call) => {
      const left = [...call.leftProcesses, ...call.leftFiles];
      if (left.length === 0) found.held(`${call.case.name} (${call.hadChildren} children)`);
      else {
        found.broke({
          did: `${didOf(call)}; looked ${CLEAN_UP_MS} ms later`,
          expected: 'no child process, no file of the working directory open',
          saw: `left: ${left.join(', ')}`,
        });
      }
    },
    found.missed,
    true,
  );
  return found.verdict();
}

async function anyMoment(context: CheckContext): Promise<Verdict> {
  const { cases, reason } = await longRunningCases(context);
  const [one] = cases;
  if (one === undefined) return notReached(reason);
  const provider = await context.startConfigured();
  await warmUp(context, provider, one);
  const random = context.random('moments to cancel');
  const moments = [0, ...Array.from({ length: MOMENTS - 1 }, () => random.below(LATEST_MS))];
  const did = `cancelled ${one.operation} after ${moments.join(', ')} ms`;
  const expected = 'nothing left, and SERVING';
  for (const moment of moments) {
    const call = await cancelCall(context, provider, one, moment);
    const left = [...call.leftProcesses, ...call.leftFiles];
    if (left.length > 0) {
      return fail({
        did: `cancelled ${one.operation} after ${moment} ms`,
        expected,
        saw: `left: ${left.join(', ')}`,
      });
    }
  }
  if (!isAlive(provider.process.pid)) return fail({ did, expected, saw: 'the process has ended' });
  const state = await provider.health(context.timeoutMs);
  return state === 'serving' ? pass(did, expected, 'SERVING') : fail({ did, expected, saw: state });
}

const types = (events: readonly ReceivedEvent[]): string =>
  events.map((event) => (event.ok ? event.event.type : 'a broken event')).join(', ') || 'nothing';

async function report(context: CheckContext): Promise<Verdict> {
  const expected = 'an output_chunk or a partial_result that says what was done';
  const found = evidence('closed the stream of each case marked as reports', expected);
  let marked = 0;
  await each(
    context,
    (call) => {
      if (!call.case.reports) return;
      marked += 1;
      const seen = [
        ...call.recording.events.map(({ received }) => received),
        ...(call.report ?? []),
      ];
      const reported = seen.some(
        (event) => event.ok && ['output_chunk', 'partial_result'].includes(event.event.type),
      );
      if (reported) found.held(`${call.case.name}: ${types(seen)}`);
      else {
        found.broke({
          did: didOf(call),
          expected: `${expected}, ${call.report === undefined ? 'before the stream was closed' : 'before or after'}`,
          saw: types(seen),
        });
      }
    },
    found.missed,
  );
  if (marked === 0) {
    found.missed(
      'no long-running case is marked reports: true; mark one that changes something as it goes, or say under not_applicable why there is none',
    );
  }
  return found.verdict();
}

async function noSuccess(context: CheckContext): Promise<Verdict> {
  const found = evidence('looked for a result of each cancelled call', 'none');
  await each(
    context,
    (call) => {
      const seen = [
        ...call.recording.events.map(({ received }) => received),
        ...(call.report ?? []),
      ];
      if (!seen.some((event) => event.ok && event.event.type === 'result')) {
        found.held(
          `${call.case.name}: ${call.report === undefined ? 'the stream ended' : types(call.report)}`,
        );
      } else found.broke({ did: didOf(call), expected: 'no result', saw: types(seen) });
    },
    found.missed,
  );
  return found.verdict();
}

async function category(context: CheckContext): Promise<Verdict> {
  const found = evidence('looked at how each cancelled call ended', 'cancelled, or no end at all');
  await each(
    context,
    (call) => {
      const errors = (call.report ?? []).flatMap((event) =>
        event.ok && event.event.type === 'error' ? [event.event.error.category] : [],
      );
      const wrong = errors.filter((one) => one !== 'cancelled');
      if (wrong.length === 0) found.held(`${call.case.name}: ${errors[0] ?? 'silently'}`);
      else found.broke({ did: didOf(call), expected: 'cancelled', saw: wrong.join(', ') });
    },
    found.missed,
  );
  return found.verdict();
}

export const cancellation: GroupChecks<'cancellation'> = {
  cleans_up: cleansUp,
  any_moment: anyMoment,
  report,
  no_success: noSuccess,
  category,
};
