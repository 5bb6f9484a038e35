// Turns protobuf-es service descriptors into what grpc-js serves and calls.
import { type DescMessage, type DescService, fromBinary, toBinary } from '@bufbuild/protobuf';
import type { ServiceDefinition, UntypedServiceImplementation } from '@grpc/grpc-js';
import type { GrpcService, ServiceHandlers, TypedServiceDefinition } from '../types.js';

// A JSON object inside google.protobuf.Struct costs two levels of messages per level of JSON, so
// protobuf-es's own limit of 100 would end at 49.
const RECURSION_LIMIT = 1000;

const definitions = new WeakMap<DescService, ServiceDefinition>();

/**
 * The grpc-js definition of a service, with protobuf-es messages on both sides. Its keys are the
 * generated local names (`getSchema`). The same object is returned for the same descriptor.
 */
export function serviceDefinition<S extends DescService>(descriptor: S): TypedServiceDefinition<S> {
  let definition = definitions.get(descriptor);
  if (definition === undefined) {
    definition = buildDefinition(descriptor);
    definitions.set(descriptor, definition);
  }
  // Built from this very descriptor, of which the type speaks.
  return definition as TypedServiceDefinition<S>;
}

function buildDefinition(descriptor: DescService): ServiceDefinition {
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
  return definition;
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
