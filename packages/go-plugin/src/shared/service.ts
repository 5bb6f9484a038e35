// Turns protobuf-es service descriptors into what grpc-js serves and calls.
import { type DescMessage, type DescService, fromBinary, toBinary } from '@bufbuild/protobuf';
import type {
  MethodDefinition,
  ServiceDefinition,
  UntypedServiceImplementation,
} from '@grpc/grpc-js';
import type { GrpcService, ServiceHandlers } from '../types.js';

// A JSON object inside google.protobuf.Struct costs two levels of messages per level of JSON, so
// protobuf-es's own limit of 100 would end at 49.
const RECURSION_LIMIT = 1000;

const definitions = new WeakMap<DescService, ServiceDefinition>();

/**
 * The grpc-js definition of a service, with protobuf-es messages on both sides. Its keys are the
 * generated local names (`getSchema`). The same object is returned for the same descriptor.
 */
export function serviceDefinition(descriptor: DescService): ServiceDefinition {
  const known = definitions.get(descriptor);
  if (known !== undefined) return known;
  const definition: ServiceDefinition = Object.fromEntries(
    descriptor.methods.map((method) => [
      method.localName,
      {
        path: `/${descriptor.typeName}/${method.name}`,
        originalName: method.name,
        requestStream:
          method.methodKind === 'client_streaming' || method.methodKind === 'bidi_streaming',
        responseStream:
          method.methodKind === 'server_streaming' || method.methodKind === 'bidi_streaming',
        requestSerialize: serializer(method.input),
        requestDeserialize: deserializer(method.input),
        responseSerialize: serializer(method.output),
        responseDeserialize: deserializer(method.output),
      },
    ]),
  );
  definitions.set(descriptor, definition);
  return definition;
}

/** One method of a service by its local name. Raises an Error for a name that is not there. */
export function methodOf<S extends DescService>(
  descriptor: S,
  name: keyof S['method'] & string,
): MethodDefinition<unknown, unknown> {
  const method = serviceDefinition(descriptor)[name];
  if (method === undefined) throw new Error(`${descriptor.typeName} has no method ${name}`);
  return method;
}

/** Binds handlers to a service. Handlers that are left out answer UNIMPLEMENTED. */
export function grpcService<S extends DescService>(
  descriptor: S,
  implementation: ServiceHandlers<S>,
): GrpcService {
  return {
    descriptor,
    definition: serviceDefinition(descriptor),
    implementation: implementation as UntypedServiceImplementation,
  };
}

function serializer(schema: DescMessage): (message: unknown) => Buffer {
  return (message) => {
    const bytes = toBinary(schema, message as Parameters<typeof toBinary>[1]);
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  };
}

function deserializer(schema: DescMessage): (bytes: Buffer) => unknown {
  return (bytes) => fromBinary(schema, bytes, { recursionLimit: RECURSION_LIMIT });
}
