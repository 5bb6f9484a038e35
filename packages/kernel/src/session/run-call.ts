// Runs one allowed call of a turn and keeps its outcome. For a resource the intent is on the disk before
// anything can happen: after a crash of the kernel it is known that the call may have run.
import { createCallRecorder } from '../journal/recorder.js';
import { executeCall, type PreparedCall } from '../call.js';
import type { Redactor } from '../journal/redact.js';
import type { CallOutcome } from '../outcome.js';
import type { LockTicket } from '../locks/lock-table.js';
import { whileRunning } from './state.js';
import {
  endCancelled,
  endWithout,
  journalOutcome,
  type TurnCall,
  type TurnContext,
} from './turn-context.js';

/** Never rejects; `call.outcome` is set when it resolves. A lock that was queued is always released. */
export async function runCall(
  context: TurnContext,
  call: TurnCall,
  prepared: PreparedCall,
  lock?: LockTicket,
): Promise<void> {
  const { kernel, session, turnId, signal } = context;
  const provider = prepared.entry.provider.name;
  if (signal.aborted) {
    lock?.release();
    return endCancelled(call);
  }
  if (prepared.entry.operation.kind === 'resource') {
    try {
      await kernel.journal.appendDurably({
        type: 'intent',
        sessionId: session.id,
        turnId,
        callId: call.callId,
        arguments: prepared.call.arguments,
        idempotent: prepared.entry.operation.idempotent,
      });
    } catch (error) {
      lock?.release();
      const why = error instanceof Error ? error.message : String(error);
      const message = `it was not run, because its intent could not be journaled: ${why}`;
      return endWithout(call, {
        status: 'error',
        error: { category: 'unknown', message, retryable: false },
      });
    }
  }
  const recorder = createCallRecorder({
    journal: kernel.journal,
    ...(kernel.redactor === undefined ? {} : { redactor: kernel.redactor }),
    sessionId: session.id,
    callId: call.callId,
    provider,
    capBytes: kernel.config.settings.journalChunkCapBytes,
    onError: (error) => {
      const message = error instanceof Error ? error.message : String(error);
      void kernel.observer({ type: 'log', provider: 'kernel', level: 'error', message });
    },
  });
  const outcome = await whileRunning(session, provider, () =>
    executeCall({
      prepared,
      session,
      signal,
      recorder,
      observer: context.observer,
      settings: kernel.config.settings,
      ...(context.timeoutMs === undefined ? {} : { timeoutMs: context.timeoutMs }),
      turnAborting: () => signal.aborted,
      ...(lock === undefined ? {} : { lock }),
    }),
  );
  call.outcome = withoutSecrets(outcome, kernel.redactor);
  // At once, not at the end of the turn: a kernel that dies in between must not leave it as unknown.
  journalOutcome(context, call);
}

/** CFG-02 for words about a call; a payload is what was asked for, and is left as it is. */
function withoutSecrets(outcome: CallOutcome, redactor: Redactor | undefined): CallOutcome {
  if (redactor === undefined || outcome.status === 'ok') return outcome;
  return { ...outcome, error: redactor.deep(outcome.error) };
}
