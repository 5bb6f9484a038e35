// The kernel's callback service as a provider process reaches it: dialled through the broker when it is first
// needed. A kernel that offers none, or not all of it, is no failure: logs go to stderr then, and emit says so.
import type { BrokerConnection, PluginBroker } from '@tenon/go-plugin';
import { serviceDefinition } from '@tenon/go-plugin';
import {
  eventKinds,
  GRPC_CODE,
  isUnimplemented,
  kernelV1,
  type LogEntry,
  logRequestToWire,
  STATUS_DETAILS_KEY,
  ToolError,
  toolErrorFromStatus,
} from '@tenon/protocol';
import type { ServiceDefinition, ServiceError } from '@grpc/grpc-js';
import { logLine } from '../callbacks/log.js';
import type { ProviderCallbacks } from '../callbacks/kernel.js';
import { CALLBACKS_BROKER_ID } from './handshake.js';

/** Log entries that may be on their way to the kernel; beyond, stderr takes them. */
const MAX_LOGS_UNDER_WAY = 1_000;

export interface BrokerCallbacks extends ProviderCallbacks {
  /** To be called once the process is served; what is logged before goes to stderr. */
  attach(broker: PluginBroker): void;
}

export function brokerCallbacks(): BrokerCallbacks {
  let broker: PluginBroker | undefined;
  let dialled: Promise<BrokerConnection | undefined> | undefined;
  let logsRefused = false;
  let logsUnderWay = 0;

  const connection = (): Promise<BrokerConnection | undefined> => {
    if (broker === undefined) return Promise.resolve(undefined);
    dialled ??= broker.dial(CALLBACKS_BROKER_ID).catch((error: unknown) => {
      const why = error instanceof Error ? error.message : String(error);
      process.stderr.write(`the kernel offers no callbacks, logs go here: ${why}\n`);
      return undefined;
    });
    return dialled;
  };

  const sendLog = async (entry: LogEntry, sessionId: string | undefined): Promise<void> => {
    const kernel = logsRefused ? undefined : await connection();
    if (kernel === undefined) {
      process.stderr.write(logLine(entry));
      return;
    }
    try {
      await call(kernel, 'log', logRequestToWire(entry, sessionId));
    } catch (error) {
      logsRefused ||= isUnimplemented(error as ServiceError);
      process.stderr.write(logLine(entry));
    }
  };

  return {
    attach(served) {
      broker = served;
    },
    log(entry, sessionId) {
      if (logsUnderWay >= MAX_LOGS_UNDER_WAY) {
        process.stderr.write(logLine(entry));
        return;
      }
      logsUnderWay += 1;
      void sendLog(entry, sessionId).finally(() => {
        logsUnderWay -= 1;
      });
    },
    async emit({ sessionId, kind, schemaVersion, payload }) {
      const number = eventKinds.toWire(kind as Parameters<typeof eventKinds.toWire>[0]);
      if (number === undefined) throw new TypeError(`there is no event kind "${kind}"`);
      const kernel = await connection();
      if (kernel === undefined) return undefined;
      try {
        const answer = (await call(kernel, 'emit', {
          $typeName: 'pluggableharness.kernel.v1.EmitRequest',
          sessionId,
          kind: number,
          schemaVersion,
          payload,
        } satisfies kernelV1.EmitRequest)) as kernelV1.EmitResult;
        return { id: answer.id, sequence: Number(answer.sequence) };
      } catch (error) {
        const failure = error as ServiceError;
        if (isUnimplemented(failure)) return undefined;
        throw refusal(failure);
      }
    },
  };
}

function refusal(error: ServiceError): ToolError {
  // Not every rejection of grpc-js carries metadata.
  const bytes = error.metadata?.get(STATUS_DETAILS_KEY)[0];
  const data = toolErrorFromStatus(
    {
      code: error.code ?? GRPC_CODE.INTERNAL,
      details: error.details ?? error.message,
      ...(bytes instanceof Uint8Array ? { statusDetailsBin: bytes } : {}),
    },
    { processGone: false },
  );
  return new ToolError(data, { cause: error });
}

function call(
  kernel: BrokerConnection,
  method: 'emit' | 'log',
  request: kernelV1.EmitRequest | kernelV1.LogRequest,
): Promise<unknown> {
  // Typed as the general definition: which of the two requests it is depends on `method`.
  const methods: ServiceDefinition = serviceDefinition(kernelV1.KernelCallbackService);
  const definition = methods[method];
  if (definition === undefined) throw new Error(`the callback service has no ${method}`);
  const client = kernel.client(kernelV1.KernelCallbackService);
  return new Promise((resolve, reject) => {
    client.makeUnaryRequest(
      definition.path,
      definition.requestSerialize,
      definition.responseDeserialize,
      request,
      (error, answer) => (error === null ? resolve(answer) : reject(error)),
    );
  });
}
