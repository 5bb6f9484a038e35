// One attempt of a call: the stream from its first event to its end, with its deadline, its cancellation and
// its observers. Says how it ended; what to do about that is react's.
import {
  type JsonObject,
  type ReceivedEvent,
  type ToolCall,
  ToolError,
  type ToolErrorData,
  type ToolEvent,
  type Violation,
} from '@tenon/protocol';
import type { CatalogEntry, ProviderConnection } from '../catalog/model.js';
import { checkOutput } from '../output/check-output.js';
import {
  guardEnd,
  guardEvent,
  NEW_STREAM,
  type StreamState,
  violationError,
} from './event-guard.js';

export interface AttemptRequest {
  readonly entry: CatalogEntry;
  readonly connection: ProviderConnection;
  readonly call: ToolCall;
  /** Aborted: the call is cancelled (CAN-01). */
  readonly signal: AbortSignal;
  /** What is left of the call's time, in milliseconds. */
  readonly remainingMs: number;
  /** The whole of it, for messages. */
  readonly deadlineMs: number;
  /** How long the operation may take to end once it was cancelled. */
  readonly graceMs: number;
  /** Sees every event that the rules allow, in order; a promise slows the provider down (EVT-07). */
  readonly onEvent: (event: ToolEvent) => void | Promise<void>;
  readonly processBacked: boolean | undefined;
}

export type ExitStatus = { readonly exitCode: number; readonly signal?: string };

export type AttemptResult = { readonly exitStatus?: ExitStatus } & (
  | { readonly status: 'ok'; readonly payload: JsonObject }
  | {
      readonly status: 'error';
      readonly error: ToolErrorData;
      readonly violations: readonly Violation[];
    }
);

/** Why the kernel ended the stream itself; `lingering`: it was not closed after its terminal event. */
type Stop = 'deadline' | 'cancel' | 'violation' | 'lingering';

/** How long a stream that broke a rule may take to end by itself. */
const VIOLATION_GRACE_MS = 50;

/** Never rejects. */
export async function runAttempt(request: AttemptRequest): Promise<AttemptResult> {
  const { entry, connection, call, graceMs } = request;
  const controller = new AbortController();
  let stopped: Stop | undefined;
  let ignored = false;
  let graceTimer: NodeJS.Timeout | undefined;
  let lingerTimer: NodeJS.Timeout | undefined;
  let events: AsyncIterator<ReceivedEvent> | undefined;
  /** Ends the wait for an observer. */
  let wake: (() => void) | undefined;
  let state = NEW_STREAM;
  const rules = { streaming: entry.operation.streaming, processBacked: request.processBacked };
  let broken: Broken | undefined;
  let failure: ToolErrorData | undefined;

  function stop(why: Stop): void {
    if (stopped !== undefined) return;
    stopped = why;
    wake?.();
    if (why === 'lingering') {
      void events?.return?.();
      return;
    }
    controller.abort();
    graceTimer = setTimeout(() => {
      ignored = true;
      void connection.kill(
        `killed because operation ${entry.operation.name} ignored its cancellation for ${graceMs} ms`,
      );
    }, graceMs);
  }

  // A terminal event that came before stands: then there is nothing left to cancel.
  const end = (why: Stop): void => stop(state.terminal === undefined ? why : 'lingering');
  const cancel = (): void => end('cancel');
  const deadlineTimer = setTimeout(() => end('deadline'), Math.max(request.remainingMs, 0));

  function observed(seen: Promise<void>): Promise<void> {
    return new Promise((resolve) => {
      wake = resolve;
      seen.then(resolve, resolve);
    });
  }

  try {
    request.signal.addEventListener('abort', cancel, { once: true });
    if (request.signal.aborted) cancel();
    events = connection.invoke(call, { signal: controller.signal })[Symbol.asyncIterator]();
    for (;;) {
      const step = await events.next();
      if (step.done === true) break;
      if (broken !== undefined) continue;
      const guarded = guardEvent(state, step.value, rules);
      if (guarded.type === 'broken') {
        // What follows a cancellation is a report at the most, and proves nothing.
        if (stopped === 'cancel' || stopped === 'deadline') continue;
        broken = guarded;
        // Read on until it has ended, so that its locks are not let go while it still works. Most streams are
        // about to end: cancelling each of them would make a server of Node cut the connection in the end, as it
        // takes a thousand resets for an attack.
        clearTimeout(lingerTimer);
        lingerTimer = setTimeout(() => stop('violation'), VIOLATION_GRACE_MS);
        continue;
      }
      ({ state } = guarded);
      if (state.terminal !== undefined) {
        // Nothing may follow (EVT-01). A stream that is left open is left, and what it said stands.
        lingerTimer ??= setTimeout(() => stop('lingering'), graceMs);
        continue;
      }
      const seen = request.onEvent(guarded.event);
      if (seen !== undefined && stopped === undefined) await observed(seen);
    }
  } catch (error) {
    failure = error instanceof ToolError ? error.toData() : kernelFault(error);
  } finally {
    request.signal.removeEventListener('abort', cancel);
    clearTimeout(deadlineTimer);
    clearTimeout(lingerTimer);
    clearTimeout(graceTimer);
  }
  const result = conclude(request, { state, stopped, ignored, broken, failure });
  return state.exitStatus === undefined
    ? result
    : { ...result, exitStatus: exitStatusOf(state.exitStatus) };
}

interface Broken {
  readonly violations: readonly Violation[];
  readonly trail: readonly string[];
}

interface Ended {
  readonly state: StreamState;
  readonly stopped: Stop | undefined;
  readonly ignored: boolean;
  readonly broken: Broken | undefined;
  /** How the stream itself failed. */
  readonly failure: ToolErrorData | undefined;
}

/** The first that applies, from the most to the least that it says. */
function conclude(request: AttemptRequest, ended: Ended): AttemptResult {
  const { entry } = request;
  const { state, stopped, broken, failure } = ended;
  if (broken !== undefined) {
    const { violations, trail } = broken;
    return failed(violationError(violations, trail, entry.provider.name), violations);
  }
  if (stopped === 'deadline') return failed(timeoutError(request, ended));
  if (stopped === 'cancel') return failed(cancelledError(request, ended));
  if (failure !== undefined) {
    // A process that dies after its terminal event has said everything before.
    if (state.terminal === undefined) return failed(failure);
    if (failure.category !== 'process_crashed') {
      const violation: Violation = {
        requirement: 'EVT-01',
        pointer: '',
        message: `the stream failed after its terminal event (${state.terminal.type}): ${failure.message}`,
      };
      return failed(violationError([violation], state.trail, entry.provider.name), [violation]);
    }
  }
  const end = guardEnd(state);
  if (end.type === 'broken') {
    return failed(violationError(end.violations, end.trail, entry.provider.name), end.violations);
  }
  if (end.event.type === 'error') return failed(end.event.error);
  const checked = checkOutput(entry, end.event.payload);
  return checked.ok
    ? { status: 'ok', payload: end.event.payload }
    : failed(checked.error, checked.violations);
}

function failed(error: ToolErrorData, violations: readonly Violation[] = []): AttemptResult {
  return { status: 'error', error, violations };
}

/** TMO-03. */
function timeoutError(request: AttemptRequest, ended: Ended): ToolErrorData {
  const { entry, deadlineMs, graceMs } = request;
  const after = ended.ignored
    ? ` It ignored its cancellation for ${graceMs} ms, so its provider was killed; the next call starts it again.`
    : '';
  return {
    category: 'timeout',
    retryable: true,
    message: `${entry.qualifiedName} did not end within ${deadlineMs} ms and was cancelled.${after}${unsure(ended)}`,
    details: { deadline_ms: deadlineMs, ...reported(ended) },
  };
}

/** CAN-04: whatever the provider says after the cancel, it is not a success. */
function cancelledError(request: AttemptRequest, ended: Ended): ToolErrorData {
  const { entry, graceMs } = request;
  const after = ended.ignored
    ? ` It ignored that for ${graceMs} ms, so its provider was killed; the next call starts it again.`
    : '';
  return {
    category: 'cancelled',
    retryable: false,
    message: `${entry.qualifiedName} was cancelled.${after}${unsure(ended)}`,
    ...(ended.state.terminal === undefined && !ended.ignored ? {} : { details: reported(ended) }),
  };
}

function unsure(ended: Ended): string {
  return ended.state.terminal?.type === 'result'
    ? ' It reported a result afterwards, which is not taken for a success; the work may have been done.'
    : '';
}

function reported(ended: Ended): JsonObject {
  const { terminal } = ended.state;
  return {
    ...(ended.ignored ? { ignored_cancellation: true } : {}),
    ...(terminal?.type === 'result' ? { late_result: terminal.payload } : {}),
    ...(terminal?.type === 'error' ? { late_error: { ...terminal.error } } : {}),
  };
}

/** An error of our own, such as arguments that the wire cannot carry. */
function kernelFault(error: unknown): ToolErrorData {
  const message = error instanceof Error ? error.message : String(error);
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  return {
    category: 'unknown',
    retryable: false,
    message: `The call could not be carried out: ${message}`,
    details: { error: message, stack },
  };
}

function exitStatusOf(event: NonNullable<StreamState['exitStatus']>): ExitStatus {
  return event.signal === undefined
    ? { exitCode: event.exitCode }
    : { exitCode: event.exitCode, signal: event.signal };
}
