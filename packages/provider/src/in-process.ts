// A provider inside of the process that embeds the kernel: the same behaviour, without a child and a wire.
import type { InProcessProvider, ReceivedEvent, ToolEvent } from '@tenon/protocol';
import { eventQueue } from './call/event-queue.js';
import type { ProviderDefinition } from './define-provider.js';
import { createInstance } from './instance.js';

export function inProcessProvider(definition: ProviderDefinition): InProcessProvider {
  return {
    async start(callbacks) {
      const instance = createInstance(definition, callbacks);
      return {
        describe: async () => definition.identity,
        schema: async () => definition.schema,
        configure: (config) => instance.configure(config),
        invoke: (call, { signal }) => received(instance, call, signal),
        preview: (call, { signal }) => instance.preview(call, signal),
        render: (payload, schemaVersion) => instance.render(payload, schemaVersion),
        dispatchHook: (dispatch, { signal }) => instance.dispatchHook(dispatch, signal),
        stop: () => instance.shutdown(),
      };
    },
  };
}

async function* received(
  instance: ReturnType<typeof createInstance>,
  call: Parameters<typeof instance.invoke>[0],
  signal: AbortSignal,
): AsyncGenerator<ReceivedEvent> {
  const controller = new AbortController();
  const abort = () => controller.abort(signal.reason);
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort, { once: true });
  const queue = eventQueue<ToolEvent>();
  const work = instance
    .invoke(call, controller, (event) => queue.push(event))
    .finally(() => queue.end());
  let ended = false;
  try {
    for await (const event of queue) yield { ok: true, event };
    await work;
    ended = true;
  } finally {
    signal.removeEventListener('abort', abort);
    // A consumer that leaves early has cancelled the call, as one that closes a stream.
    if (!ended) controller.abort(new DOMException('nobody reads the events', 'AbortError'));
    queue.discard();
  }
}
