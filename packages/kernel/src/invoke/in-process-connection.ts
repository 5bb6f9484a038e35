// A provider inside of this process, behind the same interface as a subprocess. It cannot be killed: giving it
// up means that its calls end here, whatever its code still does.
import {
  checkJson,
  extensionsToWire,
  type InProcessProvider,
  type KernelCallbacks,
  providerSchemaFromWire,
  providerSchemaToWire,
  type ReceivedEvent,
  ToolError,
} from '@tenon/protocol';
import type { CrashReport } from '../catalog/model.js';
import type { ReadingConnection } from './grpc-connection.js';
import { crashError } from './status-failure.js';

export interface InProcessOptions {
  readonly provider: string;
  readonly incarnation: number;
  readonly implementation: InProcessProvider;
  readonly callbacks: KernelCallbacks;
}

/** Starts it. Rejects with what its `start` throws. */
export async function openInProcessConnection(
  options: InProcessOptions,
): Promise<ReadingConnection> {
  const { provider, incarnation } = options;
  const running = await options.implementation.start(options.callbacks);
  let end: (report: CrashReport) => void = () => undefined;
  const closed = new Promise<CrashReport>((resolve) => {
    end = resolve;
  });
  const report = (reason: string, expected: boolean): CrashReport => ({
    incarnation,
    reason,
    expected,
    stderrTail: [],
  });

  async function stop(): Promise<void> {
    await running.stop();
    end(report('it was stopped', true));
  }

  return {
    incarnation,
    closed,
    stop,
    async kill(reason) {
      end(report(reason, false));
      await running.stop();
    },
    describe: () => running.describe(),
    schema: () => running.schema(),
    async readSchema() {
      const schema = await running.schema();
      // By way of the wire, so that it is held to the same rules.
      return providerSchemaFromWire(providerSchemaToWire(schema), extensionsToWire(schema));
    },
    configure: (config) => running.configure(config),
    preview: (call, how) => running.preview(call, how),
    render: (payload, schemaVersion) => running.render(payload, schemaVersion),
    dispatchHook: (dispatch, how) => running.dispatchHook(dispatch, how),
    invoke: (call, how) => ({
      [Symbol.asyncIterator]: () =>
        untilClosed(running.invoke(call, how)[Symbol.asyncIterator](), closed, provider),
    }),
  };
}

/**
 * Passes events on until the provider is given up, then fails as a process that died would. What JSON cannot
 * carry is a rule break here as it is on the wire.
 */
function untilClosed(
  events: AsyncIterator<ReceivedEvent>,
  closed: Promise<CrashReport>,
  provider: string,
): AsyncIterator<ReceivedEvent> {
  let crash: CrashReport | undefined;
  let left = false;
  let wake: (() => void) | undefined;
  async function noticeEnd(): Promise<void> {
    crash = await closed;
    wake?.();
  }
  void noticeEnd();

  /** The next event, or undefined when it is not waited for any more. */
  function nextOrEnd(): Promise<IteratorResult<ReceivedEvent> | undefined> {
    return new Promise((resolve, reject) => {
      wake = () => resolve(undefined);
      if (crash !== undefined || left) wake();
      else events.next().then(resolve, reject);
    });
  }

  return {
    async next() {
      const step = await nextOrEnd();
      if (left) return { done: true, value: undefined };
      if (step === undefined) throw new ToolError(crashError(provider, crash ?? UNKNOWN_END));
      if (step.done === true || !step.value.ok) return step;
      const { event } = step.value;
      if (event.type !== 'result' && event.type !== 'partial_result') return step;
      const json = checkJson(event.payload, 'EVT-06');
      return json.ok ? step : { done: false, value: json };
    },
    async return() {
      left = true;
      wake?.();
      // It may only come to its end much later, or never: nobody waits for that.
      events.return?.().catch(() => undefined);
      return { done: true, value: undefined };
    },
  };
}

const UNKNOWN_END: CrashReport = {
  incarnation: 0,
  reason: 'it ended',
  expected: false,
  stderrTail: [],
};
