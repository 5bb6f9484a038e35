// A running provider: its configuration, its secrets, its calls under way. Both servers, in process and over the
// wire, are thin layers over this.
import {
  type HookAnswer,
  type HookDispatch,
  type JsonObject,
  type RenderTree,
  type ToolCall,
  ToolError,
  type ToolErrorData,
} from '@tenon/protocol';
import type { EventSink } from './call/emitter.js';
import { checkArguments, runCall } from './call/run-call.js';
import { strayErrors } from './call/stray-errors.js';
import { createLog, type Log } from './callbacks/log.js';
import type { ProviderCallbacks } from './callbacks/kernel.js';
import { mustBeConfigured, readConfig } from './config/read-config.js';
import type { CompiledOperation, ProviderDefinition } from './define-provider.js';
import { classify } from './errors/classify.js';
import { fail } from './errors/fail.js';
import { runHook } from './hooks/hooks.js';
import { createSecretMask, type SecretMask } from './secrets/mask.js';

export interface ProviderInstance {
  readonly mask: SecretMask;
  readonly log: Log;
  configure(config: JsonObject): Promise<void>;
  /**
   * Sends the events of a call to `sink`. Never rejects; resolves when the terminal event was taken. Aborting
   * `controller` cancels the call; the instance does so itself when it shuts down.
   */
  invoke(call: ToolCall, controller: AbortController, sink: EventSink): Promise<void>;
  preview(call: ToolCall, signal: AbortSignal): Promise<RenderTree | undefined>;
  render(payload: Uint8Array, schemaVersion: string): Promise<RenderTree | undefined>;
  dispatchHook(dispatch: HookDispatch, signal: AbortSignal): Promise<HookAnswer | undefined>;
  /** Cancels what runs, waits for it shortly, and tells the author. Never rejects. */
  shutdown(): Promise<void>;
}

/** How long handlers may take to end after the cancel of a shutdown. */
const SHUTDOWN_WAIT_MS = 1_000;

/** Methods reject with ToolError alone, secrets masked. */
export function createInstance(
  definition: ProviderDefinition,
  callbacks: ProviderCallbacks,
): ProviderInstance {
  const { options, identity, schema } = definition;
  const mask = createSecretMask();
  const log = createLog(identity.name, mask, (entry) => callbacks.log(entry));
  const running = new Map<Promise<void>, AbortController>();
  let config: unknown = mustBeConfigured(schema.config)
    ? undefined
    : readConfig(schema.config, {}).values;
  let stopping = false;

  const clean = async <T>(work: () => T | Promise<T>, signal?: AbortSignal): Promise<T> => {
    try {
      return await strayErrors.watch(async () => work());
    } catch (thrown) {
      const data = classify(thrown, signal?.aborted ?? false);
      if (data.category === 'unknown') log.error(data.message, data.details ?? {});
      throw maskedError(data, mask);
    }
  };

  const find = (call: ToolCall): CompiledOperation => {
    const compiled = definition.operations.get(call.toolName);
    if (compiled !== undefined) return compiled;
    // RPC-09.
    throw fail.notFound(`${identity.name} has no operation "${call.toolName}"`, {
      operations: [...definition.operations.keys()],
    });
  };

  const ready = (): unknown => {
    if (stopping)
      throw fail.executionFailed('the provider is shutting down', {}, { retryable: true });
    if (config !== undefined) return config;
    throw fail.executionFailed(
      `${identity.name} is not configured: it needs ${requiredNames(schema.config)}`,
    );
  };

  const run = async (
    call: ToolCall,
    controller: AbortController,
    sink: EventSink,
  ): Promise<void> => {
    let environment: Parameters<typeof runCall>[4];
    let compiled: CompiledOperation;
    try {
      compiled = find(call);
      const callLog = createLog(
        identity.name,
        mask,
        (entry) => callbacks.log(entry, call.context.sessionId),
        { operation: call.toolName, call_id: call.id },
      );
      environment = {
        config: ready(),
        mask,
        callbacks,
        log: callLog,
        stopHandler: () => controller.abort(new DOMException('the call has failed', 'AbortError')),
      };
    } catch (thrown) {
      await sink({ type: 'error', error: maskedError(classify(thrown, false), mask).toData() });
      return;
    }
    await runCall(compiled, call, controller.signal, sink, environment);
  };

  return {
    mask,
    log,
    configure: (block) =>
      clean(async () => {
        const read = readConfig(schema.config, block);
        // Before the author's code sees them, so that its own errors are masked too.
        mask.add(read.secrets);
        await options.onConfigure?.({ config: read.values as never, log });
        config = read.values;
      }),

    async invoke(call, controller, sink) {
      const work = run(call, controller, sink);
      running.set(work, controller);
      try {
        await work;
      } finally {
        running.delete(work);
      }
    },

    preview: (call, signal) =>
      clean(async () => {
        const compiled = find(call);
        const { preview } = compiled.definition;
        if (preview === undefined) return undefined;
        const own = ready();
        checkArguments(compiled, call);
        const tree = (await preview({
          args: call.arguments,
          call: { id: call.id, toolName: call.toolName, context: call.context },
          signal,
          log,
          config: own,
        } as never)) as RenderTree | undefined;
        return tree === undefined ? undefined : mask.tree(tree);
      }, signal),

    render: (payload, schemaVersion) =>
      clean(async () => {
        if (options.render === undefined) return undefined;
        return mask.tree(
          await options.render(payload, schemaVersion, { config: ready() as never, log }),
        );
      }),

    dispatchHook: (dispatch, signal) =>
      clean(async () => {
        if (options.hooks === undefined) return undefined;
        return runHook(options.hooks, dispatch, { signal, log, config: ready() });
      }, signal),

    async shutdown() {
      if (stopping) return;
      stopping = true;
      for (const controller of running.values()) {
        controller.abort(new DOMException('the provider is shutting down', 'AbortError'));
      }
      await Promise.race([Promise.all(running.keys()), delay(SHUTDOWN_WAIT_MS)]);
      try {
        await options.onShutdown?.();
      } catch (thrown) {
        log.error(`onShutdown failed: ${classify(thrown, false).message}`);
      }
    },
  };
}

function maskedError(data: ToolErrorData, mask: SecretMask): ToolError {
  return new ToolError({
    ...data,
    message: mask.text(data.message),
    ...(data.details === undefined ? {} : { details: mask.json(data.details) }),
  });
}

function requiredNames(attributes: ProviderDefinition['schema']['config']): string {
  return attributes
    .filter((attribute) => attribute.required)
    .map((attribute) => attribute.name)
    .join(', ');
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}
