// The kernel's callback service on the wire, for one provider: it is served on a socket of that provider's
// launch alone, so that the connection says who is calling.
import { type sendUnaryData, type ServerUnaryCall, Metadata, status } from '@grpc/grpc-js';
import { type GrpcService, grpcService } from '@tenon/go-plugin';
import {
  decodeMessage,
  encodeMessage,
  eventKinds,
  type KernelCallbacks,
  kernelV1,
  logRequestFromWire,
  ToolError,
  toolErrorToStatus,
} from '@tenon/protocol';

/** The broker id on which every provider finds it. */
export const CALLBACKS_BROKER_ID = 1;

/** Serves the callbacks of one provider. What the kernel does not offer answers UNIMPLEMENTED. */
export function callbackService(callbacks: KernelCallbacks): GrpcService {
  const service = grpcService(kernelV1.KernelCallbackService, {
    emit: unary(async (request: kernelV1.EmitRequest) => {
      const { id, sequence } = await callbacks.emit({
        sessionId: request.sessionId,
        kind: eventKinds.fromWire(request.kind) ?? `kind ${request.kind}`,
        schemaVersion: request.schemaVersion,
        payload: request.payload,
      });
      return {
        $typeName: 'pluggableharness.kernel.v1.EmitResult' as const,
        id,
        sequence: BigInt(sequence),
      };
    }),
    log: unary(async (request: kernelV1.LogRequest) => {
      const { entries, sessionId } = logRequestFromWire(request);
      for (const entry of entries) callbacks.log(entry, sessionId);
      return { $typeName: 'pluggableharness.kernel.v1.LogResult' as const };
    }),
    runSession: unserved('no model is attached to this kernel, so that it cannot run a session'),
    countTokens: unserved('no model is attached to this kernel, so that it cannot count tokens'),
  });
  return { ...service, definition: exactDefinition(service) };
}

/** The protocol's own codec, which refuses what a plain protobuf parser takes silently. */
function exactDefinition(service: GrpcService): GrpcService['definition'] {
  return Object.fromEntries(
    kernelV1.KernelCallbackService.methods.map((method) => [
      method.localName,
      {
        ...service.definition[method.localName],
        requestDeserialize: (bytes: Buffer) => decodeMessage(method.input, bytes),
        responseSerialize: (message: unknown) => encodeMessage(method.output, message as never),
      },
    ]),
  ) as GrpcService['definition'];
}

type Unary<Request, Response> = (
  call: ServerUnaryCall<Request, Response>,
  callback: sendUnaryData<Response>,
) => void;

function unary<Request, Response>(
  answer: (request: Request) => Promise<Response>,
): Unary<Request, Response> {
  return (call, callback) => {
    const respond = async (): Promise<void> => {
      let response: Response;
      try {
        response = await answer(call.request);
      } catch (error) {
        callback(refusal(error));
        return;
      }
      callback(null, response);
    };
    void respond();
  };
}

function unserved(details: string): Unary<unknown, never> {
  return (_call, callback) => callback({ code: status.UNIMPLEMENTED, details });
}

function refusal(error: unknown): { code: number; details: string; metadata: Metadata } {
  const data =
    error instanceof ToolError
      ? error.toData()
      : ({
          category: 'unknown',
          message: error instanceof Error ? error.message : String(error),
          retryable: false,
        } as const);
  const { code, details, metadata } = toolErrorToStatus(data);
  const trailers = new Metadata();
  for (const [key, value] of Object.entries(metadata)) trailers.set(key, Buffer.from(value));
  return { code, details, metadata: trailers };
}
