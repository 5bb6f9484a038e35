// The attempts of one call, until one succeeds or the reaction to a failure says that it was the last (RCT, RTY).
// The model sees only how the last one ended (RTY-06); the recorder is told of each.
import type { Span } from '@opentelemetry/api';
import { ToolError, type ToolErrorData, type ToolEvent } from '@tenon/protocol';
import type { PreparedCall } from '../call.js';
import type { ProviderConnection } from '../catalog/model.js';
import type { KernelSettings } from '../config/model.js';
import { backoffMs } from '../react/backoff.js';
import { react } from '../react/react.js';
import type { Reaction } from '../react/reaction.js';
import { deadlineMs } from './deadline.js';
import type { Observation } from './observation.js';
import { createPartialReport } from './partial-report.js';
import type { CallRecorder } from './recorder.js';
import { type AttemptResult, runAttempt } from './run-attempt.js';
import { attemptSpan, endSpan } from './spans.js';

export interface AttemptsRequest {
  readonly prepared: PreparedCall;
  readonly signal: AbortSignal;
  readonly recorder: CallRecorder;
  readonly observe: Observation;
  readonly settings: KernelSettings;
  readonly timeoutMs: number | undefined;
  readonly turnAborting: () => boolean;
  readonly span: Span;
  /** Takes the lock of the whole provider; false when the call was cancelled meanwhile. */
  readonly holdAll: () => Promise<boolean>;
}

export interface AttemptsEnd {
  /** How the last one ended. */
  readonly result: AttemptResult;
  readonly attempts: number;
  /** What the last one had reported. */
  readonly partial: readonly ToolEvent[];
  /** Which start of the provider the last one ran on; undefined when none could be had. */
  readonly incarnation: number | undefined;
}

/** Never rejects. */
export async function runAttempts(request: AttemptsRequest): Promise<AttemptsEnd> {
  const { prepared, recorder, settings, signal } = request;
  const { entry, call } = prepared;
  const allowedMs = deadlineMs(
    entry.operation,
    entry.provider.config,
    settings.defaultTimeoutMs,
    request.timeoutMs,
  );
  let connection = await connect(request);
  if (!('invoke' in connection)) {
    const result = { status: 'error', error: connection, violations: [] } as const;
    return { result, attempts: 0, partial: [], incarnation: undefined };
  }
  void request.observe({
    type: 'call_started',
    callId: call.id,
    provider: entry.provider.name,
    operation: entry.operation.name,
    kind: entry.operation.kind,
  });
  const startedAt = performance.now();
  const left = (): number => allowedMs - (performance.now() - startedAt);
  for (let attempt = 1; ; attempt++) {
    const { incarnation } = connection;
    const { result, partial } = await oneAttempt(request, connection, attempt, allowedMs, left());
    if (result.status === 'ok') {
      recorder.attemptEnded({ attempt, status: 'ok' });
      return { result, attempts: attempt, partial, incarnation };
    }
    const { error, violations } = result;
    const reaction = reactTo(request, error, attempt, allowedMs, left());
    recorder.attemptEnded({ attempt, status: 'error', error, reaction, violations });
    const last: AttemptsEnd = { result, attempts: attempt, partial, incarnation };
    if (reaction.type !== 'retry' && reaction.type !== 'retry_serialized') return last;
    void request.observe({
      type: 'call_retrying',
      callId: call.id,
      attempt: attempt + 1,
      delayMs: reaction.delayMs,
      error,
    });
    const ready =
      (await pause(reaction.delayMs, signal)) &&
      (reaction.type === 'retry' || (await serialize(request, attempt)));
    if (!ready) return { ...last, result: cancelledBetween(prepared, result.error) };
    const next = await connect(request);
    if (!('invoke' in next)) {
      return {
        ...last,
        result: { status: 'error', error: next, violations: [] },
        incarnation: undefined,
      };
    }
    connection = next;
  }
}

/** The provider's connection, or why there is none. */
async function connect(request: AttemptsRequest): Promise<ProviderConnection | ToolErrorData> {
  const { signal, prepared } = request;
  let wake: () => void = () => undefined;
  const aborted = new Promise<undefined>((resolve) => {
    wake = () => resolve(undefined);
  });
  try {
    const live = prepared.entry.provider.live();
    if (live !== undefined) return live;
    signal.addEventListener('abort', wake, { once: true });
    if (signal.aborted) wake();
    const connection = await Promise.race([prepared.entry.provider.connection(), aborted]);
    if (connection !== undefined) return connection;
    return {
      category: 'cancelled',
      message: `${prepared.entry.qualifiedName} was cancelled while its provider was being started.`,
      retryable: false,
    };
  } catch (error) {
    if (error instanceof ToolError) return error.toData();
    const message = error instanceof Error ? error.message : String(error);
    return { category: 'unknown', message, retryable: false, details: { error: message } };
  } finally {
    signal.removeEventListener('abort', wake);
  }
}

async function oneAttempt(
  request: AttemptsRequest,
  connection: ProviderConnection,
  attempt: number,
  allowedMs: number,
  remainingMs: number,
): Promise<{ result: AttemptResult; partial: readonly ToolEvent[] }> {
  const { prepared, recorder, settings, observe } = request;
  const { entry, call } = prepared;
  const { provider, operation } = entry;
  const report = createPartialReport(settings.journalChunkCapBytes);
  const span = attemptSpan(entry, attempt, request.span);
  recorder.attemptStarted({
    attempt,
    ...(connection.pid === undefined ? {} : { pid: connection.pid }),
    providerVersion: provider.identity.version,
    deadlineMs: Math.max(0, Math.round(remainingMs)),
    lockKeys: prepared.mode === 'exclusive' ? ['(provider)'] : prepared.keys,
  });
  const result = await runAttempt({
    entry,
    connection,
    call,
    signal: request.signal,
    remainingMs,
    deadlineMs: allowedMs,
    graceMs: settings.cancelGraceMs,
    processBacked: provider.processBacked(operation.name),
    onEvent(event) {
      report.add(event);
      recorder.event(attempt, event);
      return observe({ type: 'call_event', callId: call.id, event });
    },
  });
  if (result.status === 'ok') {
    recorder.event(attempt, { type: 'result', payload: result.payload });
    provider.succeeded(operation.name, result.exitStatus !== undefined);
  }
  endSpan(span, result.status === 'ok' ? undefined : result.error);
  return { result, partial: report.events() };
}

function reactTo(
  request: AttemptsRequest,
  error: ToolErrorData,
  attempt: number,
  allowedMs: number,
  leftMs: number,
): Reaction {
  const { operation } = request.prepared.entry;
  const { retry } = request.settings;
  return react(
    {
      category: error.category,
      retryable: error.retryable,
      kind: operation.kind,
      idempotent: operation.idempotent,
      attempt,
      turnAborting: request.turnAborting(),
    },
    {
      maxAttempts: retry.maxAttempts,
      delayMs: backoffMs(attempt, retry),
      remainingMs: Math.min(leftMs, retry.maxTotalMs - (allowedMs - leftMs)),
    },
  );
}

/**
 * RCT-06: the next attempt holds its keys exclusively. Keys that the call has are held already, and stay so; when
 * it has none, or they did not help the first time, it takes the whole provider.
 */
async function serialize(request: AttemptsRequest, failedAttempt: number): Promise<boolean> {
  if (request.prepared.keys.length > 0 && failedAttempt === 1) return true;
  return request.holdAll();
}

/** Resolves to false when the call is cancelled first. */
function pause(ms: number, signal: AbortSignal): Promise<boolean> {
  if (signal.aborted) return Promise.resolve(false);
  return new Promise((resolve) => {
    const end = (done: boolean): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      resolve(done);
    };
    const abort = (): void => end(false);
    const timer = setTimeout(end, ms, true);
    signal.addEventListener('abort', abort, { once: true });
  });
}

function cancelledBetween(prepared: PreparedCall, failure: ToolErrorData): AttemptResult {
  return {
    status: 'error',
    violations: [],
    error: {
      category: 'cancelled',
      retryable: false,
      message: `${prepared.entry.qualifiedName} was cancelled while it waited to be tried again.`,
      details: { last_failure: { ...failure, details: failure.details ?? {} } },
    },
  };
}
