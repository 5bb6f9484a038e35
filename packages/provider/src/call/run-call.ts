// One call from its arguments to its terminal event. Whatever the author's code does, exactly one of result and
// error goes to the sink, last (EVT-01); this never rejects.
import {
  checkJson,
  type JsonObject,
  type JsonValue,
  type ToolCall,
  type ToolErrorData,
  type Violation,
} from '@tenon/protocol';
import type { CompiledOperation } from '../define-provider.js';
import { bindKernel, type ProviderCallbacks } from '../callbacks/kernel.js';
import type { Log } from '../callbacks/log.js';
import { classify } from '../errors/classify.js';
import { fail } from '../errors/fail.js';
import type { ErasedContext } from '../operation.js';
import type { SecretMask } from '../secrets/mask.js';
import { createEmitter, type EventSink } from './emitter.js';
import { strayErrors } from './stray-errors.js';

export interface CallEnvironment {
  readonly config: unknown;
  readonly mask: SecretMask;
  readonly callbacks: ProviderCallbacks;
  readonly log: Log;
  /** Tells a handler to stop that is still at work although its call has ended, by an error that escaped it. */
  readonly stopHandler: () => void;
}

/**
 * Runs a call. `signal` cancels it; then it ends as `cancelled` whatever the handler says, and what the handler
 * emits until it ends is still sent, as its report of what was done (CAN-02, CAN-03, CAN-04).
 */
export async function runCall(
  compiled: CompiledOperation,
  call: ToolCall,
  signal: AbortSignal,
  sink: EventSink,
  environment: CallEnvironment,
): Promise<void> {
  const { mask, log } = environment;
  const emitter = createEmitter({
    operation: compiled.operation.name,
    streaming: compiled.definition.streaming,
    processBacked: compiled.definition.processBacked,
    mask,
    sink,
    onLate: (type) => log.warn(`dropped an event of type ${type}: the call had ended already`),
  });
  const ended = await resultOf(compiled, call, signal, emitter.emit, environment);
  const failed = ended.type === 'result' && emitter.overflow !== undefined;
  const outcome = failed
    ? ({ type: 'error', error: classify(emitter.overflow, signal.aborted) } as const)
    : ended;
  emitter.close();
  if (outcome.type === 'error' && outcome.error.category === 'unknown') {
    // ERR-12: an error that nobody foresaw is for the author to see, not only for the model.
    log.error(`${call.toolName} failed: ${outcome.error.message}`, outcome.error.details ?? {});
  }
  await sink(
    outcome.type === 'error' ? { type: 'error', error: maskError(outcome.error, mask) } : outcome,
  );
}

type Ended =
  | { readonly type: 'result'; readonly payload: JsonObject }
  | { readonly type: 'error'; readonly error: ToolErrorData };

async function resultOf(
  compiled: CompiledOperation,
  call: ToolCall,
  signal: AbortSignal,
  emit: ErasedContext['emit'],
  environment: CallEnvironment,
): Promise<Ended> {
  const { operation, definition } = compiled;
  let working = false;
  try {
    checkArguments(compiled, call);
    if (definition.handler === undefined) {
      throw fail.executionFailed(
        `${operation.name} is answered by a human through the kernel; this provider cannot answer it`,
      );
    }
    if (signal.aborted) throw fail.cancelled('the call was cancelled before it began');
    const context: ErasedContext = {
      args: call.arguments,
      call: { id: call.id, toolName: call.toolName, context: call.context },
      signal,
      emit,
      kernel: bindKernel(environment.callbacks, call.context.sessionId, environment.mask),
      log: environment.log,
      config: environment.config,
    };
    const { handler } = definition;
    working = true;
    const returned = await strayErrors.watch(async () => {
      try {
        return await handler(context);
      } finally {
        working = false;
      }
    });
    if (signal.aborted) {
      // CAN-04: nothing that looks like full success after a cancel, but the journal should know (CAN-05).
      throw fail.cancelled('the call was cancelled; its work had been completed by then', {
        completed: true,
      });
    }
    return { type: 'result', payload: checkedOutput(compiled, returned, environment.mask) };
  } catch (thrown) {
    const error = classify(thrown, signal.aborted);
    if (working) environment.stopHandler();
    return { type: 'error', error };
  }
}

/** ERR-03: raises `invalid_arguments` with every problem and where it is. */
export function checkArguments(compiled: CompiledOperation, call: ToolCall): void {
  const violations = compiled.checkArguments(call.arguments);
  if (violations.length === 0) return;
  throw fail.invalidArguments(
    `the arguments of ${compiled.operation.name} do not fit: ${listOf(violations)}`,
    { problems: violations.map((violation) => ({ ...violation })) },
  );
}

/** Masked first, so that what is checked is what is sent. */
function checkedOutput(
  compiled: CompiledOperation,
  returned: unknown,
  mask: SecretMask,
): JsonObject {
  const output = withoutUndefined(returned);
  const json = checkJson(output, 'OUT-01');
  const violations = json.ok ? compiled.checkOutput(output) : json.violations;
  if (json.ok && violations.length === 0) {
    const masked = mask.json(json.value);
    if (masked === json.value || compiled.checkOutput(masked).length === 0) return masked;
    throw fail.unknown(
      `${compiled.operation.name} returned a secret of the configuration where its output schema has no room to redact it`,
    );
  }
  throw fail.unknown(
    `${compiled.operation.name} returned what does not fit its output schema: ${listOf(violations)}`,
    { problems: violations.map((violation) => ({ ...violation })) },
  );
}

function listOf(violations: readonly Violation[]): string {
  return violations.map(({ pointer, message }) => `${pointer || '/'}: ${message}`).join('; ');
}

function maskError(error: ToolErrorData, mask: SecretMask): ToolErrorData {
  if (mask.isEmpty) return error;
  return {
    ...error,
    message: mask.text(error.message),
    ...(error.details === undefined ? {} : { details: mask.json(error.details) }),
  };
}

/** An optional property that is undefined is one that is not there; zod's types allow both. */
function withoutUndefined(value: unknown, depth = 0): unknown {
  // What is deeper, or contains itself, is refused by checkJson.
  if (typeof value !== 'object' || value === null || depth > 256) return value;
  if (Array.isArray(value)) {
    return value.some(needsCopy) ? value.map((item) => withoutUndefined(item, depth + 1)) : value;
  }
  if (!isPlainObject(value)) return value;
  const entries = Object.entries(value as JsonObject as Record<string, JsonValue | undefined>);
  if (!entries.some(([, inner]) => inner === undefined || needsCopy(inner))) return value;
  return Object.fromEntries(
    entries
      .filter(([, inner]) => inner !== undefined)
      .map(([key, inner]) => [key, withoutUndefined(inner, depth + 1)]),
  );
}

function needsCopy(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}
