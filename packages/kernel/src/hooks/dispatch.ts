// Runs the subscribers of a hook point: in declaration order, neighbouring observers together. An observer can
// neither change nor stop anything; a veto that fails, hangs or does not decide is a deny (GATE-08); a failing
// transform ends the chain.
import type { HookErrorCategory, HookMode, HookPayload } from '@tenon/protocol';
import { ToolError } from '@tenon/protocol';
import { context, SpanStatusCode, trace } from '@opentelemetry/api';
import type { Subscriber } from './subscriber.js';

/** A hook that did not do its job. */
export interface HookFailure {
  readonly subscriber: string;
  readonly mode: HookMode;
  readonly category: HookErrorCategory;
  readonly message: string;
}

export interface DispatchResult<P extends HookPayload> {
  /** Changed by transforms. */
  readonly payload: P;
  /** Set when a veto, or a failing transform, stops what the point is about. */
  readonly denied?: { readonly by: string; readonly reason: string };
}

export interface DispatchOptions {
  readonly subscribers: readonly Subscriber[];
  /** Milliseconds for a subscriber that names no timeout. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Called for each failure before anything follows from it. */
  readonly onFailure: (failure: HookFailure) => void;
}

const tracer = trace.getTracer('@tenon/kernel');

/** Never rejects. */
export async function dispatchHooks<P extends HookPayload>(
  payload: P,
  options: DispatchOptions,
): Promise<DispatchResult<P>> {
  const subscribers = options.subscribers.filter((one) => one.point === payload.point);
  let current = payload;
  for (const group of runsOf(subscribers)) {
    const [first] = group;
    if (first === undefined) continue;
    if (first.mode === 'observe') {
      await Promise.all(group.map((one) => deliver(one, current, options)));
      continue;
    }
    const delivered = await deliver(first, current, options);
    if (first.mode === 'veto') {
      const denied = vetoed(first, delivered);
      if (denied !== undefined) return { payload: current, denied };
      continue;
    }
    if (!delivered.ok) {
      return {
        payload: current,
        denied: { by: `hook:${first.name}`, reason: delivered.failure.message },
      };
    }
    if (delivered.answer?.type === 'transform')
      current = changed(current, delivered.answer.payload);
  }
  return { payload: current };
}

/** The messages alone may change; whatever else a transform answers with is left where it is. */
function changed<P extends HookPayload>(current: P, answer: HookPayload): P {
  return answer.point === 'pre_model_call' && current.point === 'pre_model_call'
    ? { ...current, messages: answer.messages }
    : current;
}

/** Observers that stand side by side run together; everything else alone. */
function runsOf(subscribers: readonly Subscriber[]): Subscriber[][] {
  const runs: Subscriber[][] = [];
  for (const one of subscribers) {
    const last = runs.at(-1);
    if (one.mode === 'observe' && last?.[0]?.mode === 'observe') last.push(one);
    else runs.push([one]);
  }
  return runs;
}

type Delivered =
  | { readonly ok: true; readonly answer: Awaited<ReturnType<Subscriber['deliver']>> }
  | { readonly ok: false; readonly failure: HookFailure };

async function deliver(
  subscriber: Subscriber,
  payload: HookPayload,
  options: DispatchOptions,
): Promise<Delivered> {
  const timeoutMs = subscriber.timeoutMs ?? options.timeoutMs;
  const span = tracer.startSpan(
    `hook ${payload.point}`,
    { attributes: { 'tenon.hook.name': subscriber.name, 'tenon.hook.mode': subscriber.mode } },
    context.active(),
  );
  const abort = new AbortController();
  const stop = (): void => abort.abort();
  options.signal.addEventListener('abort', stop, { once: true });
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), timeoutMs);
  });
  try {
    const answered = subscriber.deliver(payload, abort.signal).then((answer) => ({ answer }));
    // It may still fail after its time; that is part of the same failure.
    answered.catch(() => undefined);
    const first = await Promise.race([answered, late]);
    if (first === 'late') {
      abort.abort();
      return fail('timeout', `hook "${subscriber.name}" did not answer within ${timeoutMs} ms`);
    }
    const problem = invalid(subscriber, first.answer, payload);
    if (problem !== undefined) return fail('invalid_response', problem);
    return { ok: true, answer: first.answer };
  } catch (error) {
    const message = `hook "${subscriber.name}" failed: ${error instanceof Error ? error.message : String(error)}`;
    return fail(categoryOf(subscriber, error), message);
  } finally {
    clearTimeout(timer);
    options.signal.removeEventListener('abort', stop);
    span.end();
  }

  function fail(category: HookErrorCategory, message: string): Delivered {
    const failure = { subscriber: subscriber.name, mode: subscriber.mode, category, message };
    span.setStatus({ code: SpanStatusCode.ERROR, message });
    options.onFailure(failure);
    return { ok: false, failure };
  }
}

function invalid(
  subscriber: Subscriber,
  answer: Awaited<ReturnType<Subscriber['deliver']>>,
  payload: HookPayload,
): string | undefined {
  if (subscriber.mode === 'observe') return undefined;
  if (answer === undefined) {
    return subscriber.mode === 'transform'
      ? undefined
      : `hook "${subscriber.name}" gave no decision`;
  }
  if (answer.type !== subscriber.mode) {
    return `hook "${subscriber.name}" is a ${subscriber.mode} and answered with ${answer.type}`;
  }
  if (answer.type === 'transform') {
    const { payload: given } = answer;
    if (given.point !== payload.point) {
      return `hook "${subscriber.name}" answered with a payload of ${given.point}`;
    }
    if (given.point === 'pre_model_call' && !Array.isArray(given.messages)) {
      return `hook "${subscriber.name}" answered without messages`;
    }
  }
  if (answer.type === 'veto' && answer.decision === 'unspecified') {
    return `hook "${subscriber.name}" did not decide`;
  }
  return undefined;
}

function vetoed(subscriber: Subscriber, delivered: Delivered): DispatchResult<never>['denied'] {
  const by = `hook:${subscriber.name}`;
  if (!delivered.ok)
    return { by, reason: `${delivered.failure.message}, which counts as a deny (GATE-08)` };
  const { answer } = delivered;
  if (answer?.type === 'veto' && answer.decision === 'allow') return undefined;
  return { by, reason: `hook "${subscriber.name}" denied it` };
}

function categoryOf(subscriber: Subscriber, error: unknown): HookErrorCategory {
  if (error instanceof ToolError && error.category === 'process_crashed') return 'process_crashed';
  if (subscriber.mode === 'transform') return 'transform_failed';
  return subscriber.mode === 'veto' ? 'veto_failed' : 'unknown';
}
