// A gRPC service of the protocol whose requests are read by the protocol's own codec, which refuses what a plain
// protobuf parser takes silently (a field of another wire type), and whose unary methods are async functions.
import type { DescService } from '@bufbuild/protobuf';
import { type GrpcService, grpcService, type ServiceHandlers } from '@tenon/go-plugin';
import { decodeMessage, encodeMessage, ToolError, toolErrorToStatus } from '@tenon/protocol';
import { Metadata, type sendUnaryData, type ServerUnaryCall, status } from '@grpc/grpc-js';
import { classify } from '../errors/classify.js';

export function protocolService<S extends DescService>(
  descriptor: S,
  handlers: ServiceHandlers<S>,
): GrpcService {
  const service = grpcService(descriptor, handlers);
  const definition = Object.fromEntries(
    descriptor.methods.map((method) => {
      const base = service.definition[method.localName];
      if (base === undefined)
        throw new Error(`${method.name} is missing in ${descriptor.typeName}`);
      return [
        method.localName,
        {
          ...base,
          // grpc-js answers INTERNAL with the message when this throws.
          requestDeserialize: (bytes: Buffer) => decodeMessage(method.input, bytes),
          responseSerialize: (message: unknown) => {
            const bytes = encodeMessage(method.output, message as never);
            return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
          },
        },
      ];
    }),
  );
  return { ...service, definition };
}

/**
 * A unary method from an async function. A rejection becomes a status with an ErrorInfo; undefined says that the
 * provider has no such thing, and becomes UNIMPLEMENTED (RPC-07).
 */
export function unary<Request, Response>(
  what: string,
  answer: (request: Request, signal: AbortSignal) => Promise<Response | undefined>,
): (call: ServerUnaryCall<Request, Response>, callback: sendUnaryData<Response>) => void {
  return (call, callback) => {
    const controller = new AbortController();
    call.on('cancelled', () => controller.abort(new DOMException('cancelled', 'AbortError')));
    const respond = async (): Promise<void> => {
      let response: Response | undefined;
      try {
        response = await answer(call.request, controller.signal);
      } catch (error) {
        callback(statusOf(error));
        return;
      }
      if (response !== undefined) callback(null, response);
      else callback({ code: status.UNIMPLEMENTED, details: `this provider has no ${what}` });
    };
    void respond();
  };
}

/** The gRPC status of an error, as grpc-js takes it. */
export function statusOf(error: unknown): { code: number; details: string; metadata: Metadata } {
  const data = error instanceof ToolError ? error.toData() : classify(error, false);
  const { code, details, metadata } = toolErrorToStatus(data);
  const trailers = new Metadata();
  for (const [key, value] of Object.entries(metadata)) trailers.set(key, Buffer.from(value));
  return { code, details, metadata: trailers };
}
