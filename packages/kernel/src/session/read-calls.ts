// The calls of a turn that change nothing: data_source calls together, as their locks allow, then interactive
// calls one at a time. Both pass the policy first; neither is part of the plan (KND-05).
import { askPerson } from './interactive.js';
import { recordAllow, refuse, verdictOn } from './gate.js';
import { runCall } from './run-call.js';
import { endCancelled, endWithout, type TurnCall, type TurnContext } from './turn-context.js';

/** Resolves when all of them have ended. */
export async function runReads(context: TurnContext, calls: readonly TurnCall[]): Promise<void> {
  const allowed = calls.filter((call) => precheck(context, call));
  await Promise.all(
    allowed.flatMap((call) => {
      const { prepared } = call;
      if (prepared === undefined) return [];
      // Queued now, in declaration order.
      const lock = prepared.entry.provider.locks.request(prepared.keys, prepared.mode);
      return [runCall(context, call, prepared, lock)];
    }),
  );
}

/** One question at a time: a person has one attention. */
export async function runInteractive(
  context: TurnContext,
  calls: readonly TurnCall[],
): Promise<void> {
  for (const call of calls) {
    if (precheck(context, call)) await ask(context, call);
  }
}

/** Whether the policy lets it run; if not, it has ended. */
function precheck(context: TurnContext, call: TurnCall): boolean {
  if (call.prepared === undefined) return false;
  if (context.signal.aborted) {
    endCancelled(call);
    return false;
  }
  const verdict = verdictOn(context, call.prepared);
  if (verdict.action === 'allow') {
    recordAllow(context, call, verdict);
    return true;
  }
  refuse(context, call, verdict);
  return false;
}

async function ask(context: TurnContext, call: TurnCall): Promise<void> {
  const { prepared } = call;
  if (prepared === undefined) return;
  const { operation } = prepared.entry;
  const override = prepared.entry.provider.config.timeoutsMs[operation.name];
  const timeoutMs =
    context.timeoutMs ??
    override ??
    operation.defaultTimeoutMs ??
    context.kernel.config.settings.defaultTimeoutMs;
  const answer = await askPerson(prepared, context.approver, { signal: context.signal, timeoutMs });
  if (answer.type === 'denied') {
    // Nobody there is not the provider's fault: it does not count on its breaker.
    return endWithout(call, { status: 'denied', reason: answer.reason, decidedBy: 'kernel' });
  }
  if (answer.type === 'error') {
    const status = answer.error.category === 'cancelled' ? 'cancelled' : 'error';
    return endWithout(call, { status, error: answer.error });
  }
  call.outcome = {
    callId: call.callId,
    provider: prepared.entry.provider.name,
    operation: operation.name,
    kind: operation.kind,
    arguments: prepared.call.arguments,
    attempts: 1,
    durationMs: Math.round(performance.now() - call.startedAt),
    partial: [],
    status: 'ok',
    payload: answer.payload,
  };
}
