// From "ask" to a decision on one plan item: the approver is asked, a correction is checked, a scope is kept.
// Whatever goes wrong concerns this item alone: it is denied, with the reason (GATE-02, GATE-04..07).
import type { JsonObject, PlanItem } from '@tenon/protocol';
import { type PreparedCall, type Preparation } from '../call.js';
import type { ApprovalDecision, Approver, DecisionScope } from './approver.js';

export type ItemDecision =
  | {
      readonly action: 'allow';
      readonly by: string;
      readonly reason: string;
      readonly scope: DecisionScope;
      /** With corrected arguments, if there are any: what runs, and what is locked on (GATE-06). */
      readonly prepared: PreparedCall;
      readonly corrected: boolean;
    }
  | {
      readonly action: 'deny';
      readonly by: string;
      readonly reason: string;
      readonly scope: 'once' | 'session';
    }
  | { readonly action: 'cancelled' };

export interface AskRequest {
  readonly item: PlanItem;
  readonly prepared: PreparedCall;
  readonly approver: Approver | undefined;
  /** Why it is asked. */
  readonly reason: string;
  readonly signal: AbortSignal;
  /** Validates corrected arguments and derives their keys. */
  readonly prepare: (args: JsonObject) => Promise<Preparation>;
  /** Makes an "always" last. A rejection refuses it, loudly. */
  readonly saveAlways: (item: PlanItem) => Promise<void>;
}

/** So often a decision that cannot be taken is asked for again. */
const MAX_ROUNDS = 3;

/** Never rejects. */
export async function askForItem(request: AskRequest): Promise<ItemDecision> {
  const { approver, item } = request;
  if (approver === undefined) return denied(nobody(request), 'kernel');
  let problems: readonly string[] = [];
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    let taken: Taken;
    try {
      const decision = await untilAborted(
        approver.decide(
          {
            item,
            sessionId: request.prepared.call.context.sessionId,
            turnId: request.prepared.call.context.turnId,
            workingDirectory: request.prepared.call.context.workingDirectory,
            input: request.prepared.entry.operation.input,
            reason: request.reason,
            problems,
          },
          { signal: request.signal },
        ),
        request.signal,
      );
      taken = await take(request, decision);
    } catch (error) {
      if (request.signal.aborted) return { action: 'cancelled' };
      const message = error instanceof Error ? error.message : String(error);
      return denied(`no decision could be had: ${message}`, 'kernel');
    }
    if (taken.ok) return taken.decision;
    problems = taken.problems;
  }
  return denied(`the decision could not be taken: ${problems.join('; ')}`, 'kernel');
}

const denied = (reason: string, by: string): ItemDecision => ({
  action: 'deny',
  by,
  reason,
  scope: 'once',
});

function nobody({ item, reason }: AskRequest): string {
  const name = `${item.provider}.${item.operation}`;
  return (
    `${name} needs a decision (${reason}), and nobody is there to make it. To let it run, add ` +
    `policy "allow-${item.operation}" { match = { tool_name = "${name}" } action = "allow" } to the configuration, ` +
    'or run it where it can be approved'
  );
}

type Taken =
  | { readonly ok: true; readonly decision: ItemDecision }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Throws for an answer that is none: a program in JavaScript may give anything. */
async function take(request: AskRequest, decision: ApprovalDecision): Promise<Taken> {
  if (decision.action === 'deny') {
    const { by, scope } = decision;
    const reason = decision.reason === '' ? `${by} denied it` : decision.reason;
    return { ok: true, decision: { action: 'deny', by, reason, scope } };
  }
  if (decision.action !== 'allow') throw new TypeError('the answer neither allows nor denies');
  let { prepared } = request;
  const corrected = decision.arguments !== undefined;
  if (decision.arguments !== undefined) {
    const again = await request.prepare(decision.arguments);
    if (!again.ok) return { ok: false, problems: [again.error.message] };
    prepared = again.prepared;
  }
  if (decision.scope === 'always') {
    try {
      await request.saveAlways(request.item);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      return { ok: false, problems: [`"always" could not be saved: ${why}`] };
    }
  }
  return {
    ok: true,
    decision: {
      action: 'allow',
      by: decision.by,
      reason: `${decision.by} allowed it${corrected ? ' with corrected arguments' : ''}`,
      scope: decision.scope,
      prepared,
      corrected,
    },
  };
}

/** Rejects when the signal aborts first: an approver that does not listen cannot hold the turn. */
export function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const abort = (): void => reject(new Error('it was cancelled'));
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
