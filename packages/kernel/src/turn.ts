// A turn: all calls of one model message, in the order that observers and the journal see. This file reads like
// the picture of the data flow; each step is a file of its own.
import { context as otel, trace } from '@opentelemetry/api';
import { checkJson, type JsonObject, ToolError } from '@tenon/protocol';
import { newId } from './session/ids.js';
import type { RequestedCall, RunOptions, TurnEnd, TurnResult } from './api.js';
import { prepareCall } from './call.js';
import { dispatchHooks } from './hooks/dispatch.js';
import { bothObservers } from './invoke/both-observers.js';
import type { CallOutcome } from './outcome.js';
import { planAndApply } from './plan/plan-and-apply.js';
import { brokenBound } from './session/bounds.js';
import { refuse } from './session/gate.js';
import { hookOptions } from './session/hook-options.js';
import { linkedSignal } from './session/linked-signal.js';
import { runInteractive, runReads } from './session/read-calls.js';
import { safeObserver } from './session/safe-observer.js';
import type { KernelState, SessionState } from './session/state.js';
import {
  describe,
  endCancelled,
  endWithout,
  journalOutcome,
  type TurnCall,
  type TurnContext,
} from './session/turn-context.js';

const tracer = trace.getTracer('@tenon/kernel');

/** Runs the calls; every one of them has an outcome afterwards, in declaration order. Rejects never. */
export async function runTurn(
  kernel: KernelState,
  session: SessionState,
  requested: readonly RequestedCall[],
  options: RunOptions,
): Promise<TurnResult> {
  const span = tracer.startSpan('turn', {
    attributes: { 'gen_ai.conversation.id': session.id, 'tenon.turn.calls': requested.length },
  });
  const linked = linkedSignal([options.signal, session.abort.signal]);
  const context: TurnContext = {
    kernel,
    session,
    turnId: newId(),
    signal: linked.signal,
    observer: bothObservers(
      kernel.observer,
      options.observer === undefined ? undefined : safeObserver(options.observer, kernel.redactor),
    ),
    approver: options.approver ?? kernel.approver,
    timeoutMs: options.timeoutMs,
  };
  const calls = requested.map(
    (call, index): TurnCall => ({
      callId: newId(),
      index,
      requested: call,
      startedAt: performance.now(),
      prepared: undefined,
      outcome: undefined,
      journaled: false,
    }),
  );
  try {
    return await otel.with(trace.setSpan(otel.active(), span), () => steps(context, calls));
  } finally {
    linked.release();
    span.end();
  }
}

async function steps(context: TurnContext, calls: readonly TurnCall[]): Promise<TurnResult> {
  const { session } = context;
  begin(context, calls);
  const stop = stopReason(context, calls);
  session.turns += 1;
  if (stop !== undefined) {
    for (const call of calls) {
      endWithout(call, { status: 'denied', reason: stop.message, decidedBy: stop.reason });
    }
    return finish(context, calls, stop);
  }
  await prepareAll(context, calls);
  await preToolCallHooks(context, calls);
  await runReads(context, openOf(calls, 'data_source'));
  await runInteractive(context, openOf(calls, 'interactive'));
  const apply = await planAndApply(context, openOf(calls, 'resource'));
  await postToolCallHooks(context, calls);
  if (apply !== undefined) {
    await dispatchHooks({ point: 'post_apply', apply }, hookOptions(context, 'post_apply'));
  }
  return finish(context, calls, endOf(context, calls));
}

function begin({ kernel, session, turnId }: TurnContext, calls: readonly TurnCall[]): void {
  const callIds = calls.map((call) => call.callId);
  kernel.record({ type: 'turn_started', sessionId: session.id, turnId, callIds });
}

type Stop = Extract<TurnEnd, { reason: 'bound' | 'doom_loop' }>;

/** Why nothing of this turn may run. */
function stopReason(
  { kernel, session }: TurnContext,
  calls: readonly TurnCall[],
): Stop | undefined {
  const bound = brokenBound(kernel.config.settings.bounds, {
    turns: session.turns,
    elapsedMs: Date.now() - session.startedAt,
    costUsd: session.costUsd,
  });
  if (bound !== undefined) return bound;
  for (const { requested } of calls) {
    // `provider__operation` is another spelling of the same name.
    const name = requested.name.replace('__', '.');
    const message = session.doomLoop.check(name, requested.arguments);
    if (message !== undefined) return { reason: 'doom_loop', message };
  }
  return undefined;
}

/** resolve ─► validate arguments; what fails has ended. */
async function prepareAll(context: TurnContext, calls: readonly TurnCall[]): Promise<void> {
  const { kernel, session, turnId } = context;
  const preparations = await Promise.all(
    calls.map((call) =>
      prepareCall({
        catalog: kernel.catalog,
        name: call.requested.name,
        arguments: call.requested.arguments,
        callId: call.callId,
        sessionId: session.id,
        turnId,
        workingDirectory: session.workingDirectory,
      }).catch((error: unknown) => ({ ok: false as const, error: errorOf(error) })),
    ),
  );
  for (const [index, preparation] of preparations.entries()) {
    const call = calls[index] as TurnCall;
    if (preparation.ok) call.prepared = preparation.prepared;
    const entry = preparation.ok ? preparation.prepared.entry : undefined;
    const { id, name } = call.requested;
    const { provider, operation } = describe(call);
    kernel.record({
      type: 'call_requested',
      sessionId: session.id,
      turnId,
      callId: call.callId,
      index,
      name,
      provider,
      operation,
      ...(entry === undefined ? {} : { kind: entry.operation.kind, risk: entry.operation.risk }),
      ...(id === undefined ? {} : { modelCallId: id }),
      arguments: call.prepared?.call.arguments ?? journalable(call.requested.arguments),
    });
    if (!preparation.ok) endWithout(call, { status: 'error', error: preparation.error });
  }
}

/** Arguments that were not accepted, as far as they can be written down. */
function journalable(args: unknown): JsonObject | string {
  if (typeof args === 'string') return args;
  const checked = checkJson(args ?? {});
  return checked.ok ? checked.value : String(args);
}

function errorOf(error: unknown) {
  if (error instanceof ToolError) return error.toData();
  const message = error instanceof Error ? error.message : String(error);
  return { category: 'unknown' as const, message, retryable: false };
}

/** For every call in declaration order; a veto refuses that call alone. */
async function preToolCallHooks(context: TurnContext, calls: readonly TurnCall[]): Promise<void> {
  for (const call of calls) {
    if (call.prepared === undefined || call.outcome !== undefined) continue;
    if (context.signal.aborted) {
      endCancelled(call);
      continue;
    }
    const { denied } = await dispatchHooks(
      { point: 'pre_tool_call', call: call.prepared.call },
      hookOptions(context, 'pre_tool_call'),
    );
    // A veto that was cut off by the abort has not decided.
    if (context.signal.aborted) endCancelled(call);
    else if (denied !== undefined)
      refuse(context, call, { decidedBy: denied.by, reason: denied.reason });
  }
}

function openOf(calls: readonly TurnCall[], kind: string): TurnCall[] {
  return calls.filter(
    (call) => call.outcome === undefined && call.prepared?.entry.operation.kind === kind,
  );
}

/** For every call that was resolved, in declaration order, with what it ended in. */
async function postToolCallHooks(context: TurnContext, calls: readonly TurnCall[]): Promise<void> {
  for (const { prepared, outcome } of calls) {
    if (prepared === undefined || outcome === undefined) continue;
    const result =
      outcome.status === 'ok'
        ? ({ type: 'result', payload: outcome.payload } as const)
        : ({ type: 'error', error: outcome.error } as const);
    await dispatchHooks(
      { point: 'post_tool_call', call: prepared.call, outcome: result },
      hookOptions(context, 'post_tool_call'),
    );
  }
}

function endOf({ signal }: TurnContext, calls: readonly TurnCall[]): TurnEnd {
  if (signal.aborted) return { reason: 'aborted' };
  // TRM-02.
  const last = calls.find(
    (call) =>
      call.outcome?.status === 'ok' && call.prepared?.entry.operation.terminatesTurn === true,
  );
  return last === undefined
    ? { reason: 'continue' }
    : { reason: 'terminated', callId: last.callId };
}

async function finish(
  context: TurnContext,
  calls: readonly TurnCall[],
  end: TurnEnd,
): Promise<TurnResult> {
  const outcomes = calls.map((call): CallOutcome => {
    if (call.outcome === undefined) endCancelled(call);
    return call.outcome as CallOutcome;
  });
  for (const call of calls) journalOutcome(context, call);
  const { kernel, session, turnId } = context;
  kernel.record({
    type: 'turn_ended',
    sessionId: session.id,
    turnId,
    reason: end.reason,
    ...('message' in end ? { message: end.message } : {}),
  });
  return { turnId, outcomes, end };
}
