// Decisions on calls as the session keeps and journals them: the policy's, a hook's, a person's. A refusal ends
// the call, and counts on the provider's breaker (GATE-05, BRK-01).
import type { JsonObject, Operation } from '@tenon/protocol';
import type { PreparedCall } from '../call.js';
import { decide } from '../policy/decide.js';
import type { PolicyVerdict } from '../policy/model.js';
import { endWithout, type TurnCall, type TurnContext } from './turn-context.js';

/** What the policy and the session's own rules say. */
export function verdictOn({ kernel, session }: TurnContext, prepared: PreparedCall): PolicyVerdict {
  const { entry, call } = prepared;
  const subject = {
    provider: entry.provider.name,
    operation: entry.operation.name,
    kind: entry.operation.kind,
    risk: entry.operation.risk,
    arguments: call.arguments,
    workingDirectory: session.workingDirectory,
    pathArguments: pathArguments(entry.operation),
  };
  return decide(kernel.policy, subject, session.rules);
}

/** Whole arguments that are paths by the operation's own word. */
function pathArguments({ derivedKeys }: Operation): string[] {
  return derivedKeys.flatMap(({ derivation, field }) => {
    const [name = ''] = field.split('/');
    return derivation === 'path' && (field === name || field === `${name}/*`) ? [name] : [];
  });
}

export interface Decided {
  readonly decidedBy: string;
  readonly reason: string;
  readonly scope?: string;
  readonly downgraded?: boolean;
  /** Before a correction (GATE-06). */
  readonly originalArguments?: JsonObject;
}

/** Journals that a call may run. */
export function recordAllow(context: TurnContext, call: TurnCall, decided: Decided): void {
  record(context, call, 'allow', decided);
}

/** Journals that a call may not run, and ends it. */
export function refuse(context: TurnContext, call: TurnCall, decided: Decided): void {
  record(context, call, 'deny', decided);
  endWithout(call, { status: 'denied', reason: decided.reason, decidedBy: decided.decidedBy });
  const provider = call.prepared?.entry.provider.name;
  // An open breaker that refuses is no new bad outcome.
  if (provider === undefined || decided.decidedBy === 'breaker') return;
  context.session.breakers.of(provider).record({ type: 'denied', reason: decided.reason });
}

function record(
  { kernel, session, turnId }: TurnContext,
  call: TurnCall,
  action: 'allow' | 'deny',
  decided: Decided,
): void {
  const corrected =
    decided.originalArguments === undefined || call.prepared === undefined
      ? {}
      : {
          originalArguments: decided.originalArguments,
          arguments: call.prepared.call.arguments,
        };
  kernel.record({
    type: 'decision',
    sessionId: session.id,
    turnId,
    callId: call.callId,
    action,
    decidedBy: decided.decidedBy,
    reason: decided.reason,
    scope: decided.scope ?? 'once',
    downgraded: decided.downgraded ?? false,
    ...corrected,
  });
}
