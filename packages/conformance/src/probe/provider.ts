// A provider that runs and is connected: its methods, with requests that can be valid messages or any bytes.
import { type HandshakeLine, parseHandshakeLine } from '@tenon/go-plugin';
import {
  type CallContext,
  decodeMessage,
  encodeMessage,
  extensionV1,
  type JsonObject,
  type ReceivedEvent,
  toolEventFromBytes,
  toolEventFromWire,
  toolV1,
} from '@tenon/protocol';
import { quoted } from '../model/bytes.js';
import { offerCallbacks } from './callbacks.js';
import { type Answer, connect, type Connection, type Status } from './connection.js';
import {
  type ProviderProcess,
  type SpawnOptions,
  spawnProvider,
  type Target,
} from './provider-process.js';
import type { RecordedEvent, Recording } from './stream.js';
import { bytesField, readVarintField } from './wire.js';

export const TOOL = '/pluggableharness.tool.v1.ToolService/';
export type ToolMethod = 'GetSchema' | 'Configure' | 'Describe' | 'Render' | 'Preview' | 'Invoke';
const SERVING = 1;

export interface Invocation {
  readonly operation: string;
  readonly arguments: JsonObject;
  readonly context: CallContext;
  readonly id: string;
}

export interface InvokeOptions {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: RecordedEvent) => void;
}

export interface RunningProvider {
  readonly process: ProviderProcess;
  readonly line: HandshakeLine;
  readonly connection: Connection;
  /** 'serving', or what it answered instead. */
  health(timeoutMs: number): Promise<string>;
  call(method: Exclude<ToolMethod, 'Invoke'>, request: Buffer, timeoutMs: number): Promise<Answer>;
  configure(config: JsonObject, timeoutMs: number): Promise<Answer>;
  preview(invocation: Invocation, timeoutMs: number): Promise<Answer>;
  render(payload: Uint8Array, schemaVersion: string, timeoutMs: number): Promise<Answer>;
  invoke(invocation: Invocation, options: InvokeOptions): Promise<Recording>;
  invokeBytes(request: Buffer, options: InvokeOptions): Promise<Recording>;
  /** What the operation reports after its stream was closed; undefined where this cannot be asked. */
  follow(callId: string, timeoutMs: number): Promise<readonly ReceivedEvent[] | undefined>;
  shutdown(timeoutMs: number): Promise<Answer>;
  dispose(): Promise<void>;
}

/** The provider did not come up as a host needs it. The message says at which step, and quotes. */
export class StartError extends Error {}

/** Starts it, reads its handshake line, connects, asks its health and offers the kernel's callbacks. */
export async function startProvider(
  target: Target,
  options: SpawnOptions & { readonly startTimeoutMs: number },
): Promise<RunningProvider> {
  const child = await spawnProvider(target, options);
  try {
    const text = await child.firstLine(options.startTimeoutMs);
    const line = readLine(text, child, options.startTimeoutMs);
    const connection = connect(line, child.certificate, options.transcript);
    const running = runningProvider(child, line, connection, options.transcript);
    try {
      await connection.ready(options.startTimeoutMs).catch((error: Error) => {
        throw new StartError(`no connection to ${line.network} ${line.address}: ${error.message}`);
      });
      const health = await running.health(options.startTimeoutMs);
      if (health !== 'serving') throw new StartError(`the health service answered ${health}`);
      const stop = await offerCallbacks(
        connection,
        line,
        child.certificate,
        child.socketDir,
        options.transcript,
      );
      keepStdio(connection);
      return {
        ...running,
        dispose: () => {
          stop();
          return running.dispose();
        },
      };
    } catch (error) {
      connection.close();
      throw error;
    }
  } catch (error) {
    const ended = child.exit;
    const last = child.stderr().trim().split('\n').slice(-3).join(' / ');
    await child.dispose();
    if (!(error instanceof StartError)) throw error;
    throw new StartError(
      error.message +
        (ended === undefined ? '' : `; it exited with ${ended.code ?? ended.signal}`) +
        (last === '' ? '' : `; its last words on stderr: ${quoted(last)}`),
    );
  }
}

function readLine(
  text: string | undefined,
  child: ProviderProcess,
  waitedMs: number,
): HandshakeLine {
  if (text === undefined) {
    throw new StartError(
      child.exit === undefined
        ? `no handshake line on stdout within ${waitedMs} ms`
        : 'it ended without a handshake line',
    );
  }
  const parsed = parseHandshakeLine(text, [1]);
  if (!parsed.ok)
    throw new StartError(`the first line ${quoted(text)} was refused: ${parsed.reason}`);
  return parsed.line;
}

// The bytes of the stdio service reach the transcript through the connection.
function keepStdio(connection: Connection): void {
  void connection.serverStream('/plugin.GRPCStdio/StreamStdio', Buffer.alloc(0), {
    deadlineMs: 3_600_000,
  });
}

function runningProvider(
  child: ProviderProcess,
  line: HandshakeLine,
  connection: Connection,
  transcript: SpawnOptions['transcript'],
): RunningProvider {
  const call: RunningProvider['call'] = (method, request, timeoutMs) =>
    connection.unary(`${TOOL}${method}`, request, timeoutMs);
  const invokeBytes = async (
    request: Buffer,
    options: InvokeOptions,
    { operation, arguments: args }: Pick<Recording, 'operation' | 'arguments'> = {
      operation: '',
      arguments: undefined,
    },
  ): Promise<Recording> => {
    const events: RecordedEvent[] = [];
    const output = { stdout: Buffer.alloc(0), stderr: Buffer.alloc(0) };
    const started = performance.now();
    const { status } = await connection.serverStream(`${TOOL}Invoke`, request, {
      deadlineMs: options.timeoutMs,
      ...(options.signal === undefined ? {} : { signal: options.signal }),
      onMessage: (bytes) => {
        const event = { bytes, received: toolEventFromBytes(bytes) };
        events.push(event);
        if (event.received.ok && event.received.event.type === 'output_chunk') {
          const { stream, data } = event.received.event;
          // A secret may be cut in two by chunks; the joined output is searched as well.
          output[stream] = Buffer.concat([output[stream].subarray(-256), data]);
          transcript.add(`joined ${stream}`, output[stream]);
        }
        options.onEvent?.(event);
      },
    });
    return {
      operation,
      arguments: args,
      events,
      status,
      durationMs: performance.now() - started,
      timedOut: isOurDeadline(status, performance.now() - started, options.timeoutMs),
    };
  };
  return {
    process: child,
    line,
    connection,
    health: async (timeoutMs) => {
      const answer = await connection.unary(
        '/grpc.health.v1.Health/Check',
        bytesField(1, 'plugin'),
        timeoutMs,
      );
      if (!answer.ok) return `status ${answer.status.code} ${quoted(answer.status.details)}`;
      const state = readVarintField(answer.bytes, 1);
      return state === SERVING ? 'serving' : `state ${state ?? 0} (SERVING is 1)`;
    },
    call,
    configure: (config, timeoutMs) => call('Configure', configureRequest(config), timeoutMs),
    preview: (invocation, timeoutMs) =>
      call(
        'Preview',
        encodeMessage(toolV1.PreviewRequestSchema, {
          $typeName: 'pluggableharness.tool.v1.PreviewRequest',
          call: wireCall(invocation),
        }),
        timeoutMs,
      ),
    render: (payload, schemaVersion, timeoutMs) =>
      call(
        'Render',
        encodeMessage(toolV1.RenderRequestSchema, {
          $typeName: 'pluggableharness.tool.v1.RenderRequest',
          payload,
          schemaVersion,
        }),
        timeoutMs,
      ),
    invokeBytes: (request, options) => invokeBytes(request, options),
    invoke: (invocation, options) => invokeBytes(invokeRequest(invocation), options, invocation),
    follow: async (callId, timeoutMs) => {
      const { messages, status } = await connection.serverStream(
        '/tenon.extension.v1.ToolExtensionService/FollowCall',
        bytesField(1, callId),
        { deadlineMs: timeoutMs },
      );
      if (status.code !== 0 && messages.length === 0) return undefined;
      return messages.map((bytes) =>
        toolEventFromWire(decodeMessage(extensionV1.FollowCallResponseSchema, bytes).event),
      );
    },
    shutdown: (timeoutMs) =>
      connection.unary('/plugin.GRPCController/Shutdown', Buffer.alloc(0), timeoutMs),
    dispose: async () => {
      connection.close();
      await child.dispose();
    },
  };
}

// The provider sees our deadline too, and may be the first to end the stream because of it.
function isOurDeadline(status: Status, tookMs: number, timeoutMs: number): boolean {
  return status.code !== 0 && tookMs >= timeoutMs - 50;
}

function wireCall(invocation: Invocation): toolV1.ToolCall {
  const { context } = invocation;
  return {
    $typeName: 'pluggableharness.tool.v1.ToolCall',
    id: invocation.id,
    toolName: invocation.operation,
    arguments: asWireJson(invocation.arguments),
    callContext: {
      $typeName: 'pluggableharness.common.v1.CallContext',
      sessionId: context.sessionId,
      turnId: context.turnId,
      workingDirectory: context.workingDirectory,
    },
  };
}

// The same JSON: protobuf-es's type allows changes, ours does not. Encoding makes none.
const asWireJson = (value: JsonObject): NonNullable<toolV1.ToolCall['arguments']> =>
  value as NonNullable<toolV1.ToolCall['arguments']>;

export function configureRequest(config: JsonObject): Buffer {
  return encodeMessage(toolV1.ConfigureRequestSchema, {
    $typeName: 'pluggableharness.tool.v1.ConfigureRequest',
    config: asWireJson(config),
  });
}

export function invokeRequest(invocation: Invocation): Buffer {
  return encodeMessage(toolV1.InvokeRequestSchema, {
    $typeName: 'pluggableharness.tool.v1.InvokeRequest',
    call: wireCall(invocation),
  });
}
