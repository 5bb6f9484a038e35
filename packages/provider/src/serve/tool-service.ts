// The services of a provider on the wire: thin adapters from messages to the running instance.
import type { ServerWritableStream } from '@grpc/grpc-js';
import type { GrpcService } from '@tenon/go-plugin';
import {
  extensionsToWire,
  extensionV1,
  hookAnswerToWire,
  hookDispatchFromWire,
  hookV1,
  identityToWire,
  providerSchemaToWire,
  renderTreeToWire,
  toolCallFromWire,
  type ToolCall,
  type ToolEvent,
  toolEventToWire,
  toolV1,
  type Violation,
} from '@tenon/protocol';
import type { ProviderDefinition } from '../define-provider.js';
import { fail } from '../errors/fail.js';
import type { ProviderInstance } from '../instance.js';
import { createLateReports, type LateReport, type LateReports } from './late-reports.js';
import { protocolService, statusOf, unary } from './protocol-service.js';

/** All services of a tool provider (RPC-01, RPC-02). Services of other categories answer UNIMPLEMENTED by themselves. */
export function providerServices(
  definition: ProviderDefinition,
  instance: ProviderInstance,
): GrpcService[] {
  const reports = createLateReports();
  const services = [
    toolService(definition, instance, reports),
    extensionService(definition, reports),
  ];
  if (definition.options.hooks !== undefined) services.push(hookService(instance));
  return services;
}

function toolService(
  definition: ProviderDefinition,
  instance: ProviderInstance,
  reports: LateReports,
): GrpcService {
  const { options, schema, identity } = definition;
  // RPC-04: made once, so that every answer is the same.
  const schemaAnswer = providerSchemaToWire(schema);
  const hasPreview = [...definition.operations.values()].some(
    (operation) => operation.definition.preview !== undefined,
  );
  return protocolService(toolV1.ToolService, {
    describe: unary('Describe', async () => ({
      $typeName: 'pluggableharness.tool.v1.DescribeResponse' as const,
      producer: identityToWire(identity),
    })),
    getSchema: unary('GetSchema', async () => schemaAnswer),
    configure: unary('Configure', async (request: toolV1.ConfigureRequest) => {
      await instance.configure(request.config ?? {});
      return { $typeName: 'pluggableharness.tool.v1.ConfigureResponse' as const };
    }),
    invoke: (stream) => {
      serveInvoke(instance, stream, reports);
    },
    // Left out where there is nothing behind: grpc-js answers UNIMPLEMENTED (RPC-07).
    ...(hasPreview && {
      preview: unary('Preview', async (request: toolV1.PreviewRequest, signal) => {
        const tree = await instance.preview(callOf(request.call), signal);
        return (
          tree && {
            $typeName: 'pluggableharness.tool.v1.PreviewResponse' as const,
            preview: renderTreeToWire(tree),
          }
        );
      }),
    }),
    ...(options.render !== undefined && {
      render: unary('Render', async (request: toolV1.RenderRequest) => {
        const tree = await instance.render(request.payload, request.schemaVersion);
        return (
          tree && {
            $typeName: 'pluggableharness.tool.v1.RenderResponse' as const,
            tree: renderTreeToWire(tree),
          }
        );
      }),
    }),
  });
}

type InvokeStream = ServerWritableStream<toolV1.InvokeRequest, toolV1.InvokeResponse>;

function serveInvoke(instance: ProviderInstance, stream: InvokeStream, reports: LateReports): void {
  const controller = new AbortController();
  let report: LateReport | undefined;
  const write = (event: ToolEvent): void | Promise<void> => {
    // A cancelled stream carries nothing any more (CAN-01), but somebody may follow the call (CAN-03).
    if (stream.cancelled || stream.destroyed) return report?.add(event);
    const more = stream.write({
      $typeName: 'pluggableharness.tool.v1.InvokeResponse',
      event: toolEventToWire(event),
    });
    if (!more) return roomIn(stream);
  };
  stream.on('cancelled', () =>
    controller.abort(new DOMException('the call was cancelled', 'AbortError')),
  );
  // Its writes fail from now on; the cancel above is what ends the call.
  stream.on('error', () =>
    controller.abort(new DOMException('the stream is broken', 'AbortError')),
  );

  let call: ToolCall;
  try {
    call = callOf(stream.request.call);
  } catch (error) {
    void write({
      type: 'error',
      error: (error as ReturnType<typeof fail.invalidArguments>).toData(),
    });
    stream.end();
    return;
  }
  report = reports.begin(call.id);
  instance
    .invoke(call, controller, write)
    .finally(() => report?.end())
    .then(
      () => stream.end(),
      (error: unknown) => stream.emit('error', statusOf(error)),
    );
}

function roomIn(stream: ServerWritableStream<unknown, unknown>): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      stream.off('drain', done).off('cancelled', done).off('close', done).off('error', done);
      resolve();
    };
    stream.on('drain', done).on('cancelled', done).on('close', done).on('error', done);
  });
}

/** Raises `invalid_arguments` for a request without a call, or a call without its context (RPC-05). */
function callOf(wire: toolV1.ToolCall | undefined): ToolCall {
  if (wire === undefined) throw fail.invalidArguments('the request has no call');
  if (wire.callContext === undefined) {
    throw fail.invalidArguments(
      `the call of "${wire.toolName}" has no call_context: session, turn and working directory`,
    );
  }
  return toolCallFromWire(wire);
}

function extensionService(definition: ProviderDefinition, reports: LateReports): GrpcService {
  const answer = extensionsToWire(definition.schema);
  return protocolService(extensionV1.ToolExtensionService, {
    getExtensions: unary('GetExtensions', async () => answer),
    followCall: (stream) => {
      const following = reports.follow(stream.request.callId, {
        write(event) {
          if (stream.cancelled || stream.destroyed) return;
          const more = stream.write({
            $typeName: 'tenon.extension.v1.FollowCallResponse',
            event: toolEventToWire(event),
          });
          if (!more) return roomIn(stream);
        },
        end: () => stream.end(),
      });
      stream.on('cancelled', () => following.leave());
      stream.on('error', () => following.leave());
    },
  });
}

function hookService(instance: ProviderInstance): GrpcService {
  return protocolService(hookV1.HookSubscriberService, {
    dispatchHook: unary('hooks', async (request: hookV1.DispatchHookRequest, signal) => {
      const dispatch = hookDispatchFromWire(request);
      if (!dispatch.ok) {
        throw fail.invalidArguments(`the dispatch cannot be read: ${listOf(dispatch.violations)}`);
      }
      const answer = await instance.dispatchHook(dispatch.value, signal);
      return answer && hookAnswerToWire(answer);
    }),
  });
}

function listOf(violations: readonly Violation[]): string {
  return violations.map(({ pointer, message }) => `${pointer || '/'}: ${message}`).join('; ');
}
