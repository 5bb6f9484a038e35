// Server reflection, v1 and v1alpha, from protobuf-es descriptors. The two versions differ in their
// package name alone, so that one implementation serves both.
import { create, type DescFile, type DescService, toBinary } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';
import { status } from '@grpc/grpc-js';
import * as v1 from '../gen/grpc/reflection/v1/reflection_pb.js';
import * as v1alpha from '../gen/grpc/reflection/v1alpha/reflection_pb.js';
import { grpcService } from '../contract/service.js';
import type { GrpcService } from '../types.js';

/** Describes `services` and itself. Services without a descriptor are listed by nobody. */
export function reflectionServices(services: readonly GrpcService[]): GrpcService[] {
  const described = services.flatMap(({ descriptor }) => (descriptor ? [descriptor] : []));
  const catalogue = catalogueOf([...described, v1.ServerReflection, v1alpha.ServerReflection]);
  return [
    grpcService(v1.ServerReflection, {
      serverReflectionInfo: (stream) => {
        stream.on('data', (request: v1.ServerReflectionRequest) => {
          const { host: validHost } = request;
          const messageResponse = answer(catalogue, request.messageRequest);
          stream.write(
            create(v1.ServerReflectionResponseSchema, {
              validHost,
              originalRequest: request,
              messageResponse,
            }),
          );
        });
        stream.on('end', () => stream.end());
      },
    }),
    grpcService(v1alpha.ServerReflection, {
      serverReflectionInfo: (stream) => {
        stream.on('data', (request: v1alpha.ServerReflectionRequest) => {
          const { host: validHost } = request;
          const messageResponse = answer(catalogue, request.messageRequest);
          stream.write(
            create(v1alpha.ServerReflectionResponseSchema, {
              validHost,
              originalRequest: request,
              messageResponse,
            }),
          );
        });
        stream.on('end', () => stream.end());
      },
    }),
  ];
}

interface Catalogue {
  readonly services: readonly string[];
  readonly byName: ReadonlyMap<string, DescFile>;
  readonly bySymbol: ReadonlyMap<string, DescFile>;
}

function catalogueOf(descriptors: readonly DescService[]): Catalogue {
  const byName = new Map<string, DescFile>();
  const add = (file: DescFile) => {
    const name = file.proto.name;
    if (byName.has(name)) return;
    byName.set(name, file);
    file.dependencies.forEach(add);
  };
  for (const descriptor of descriptors) add(descriptor.file);
  const bySymbol = new Map<string, DescFile>();
  for (const file of byName.values()) {
    for (const symbol of symbolsOf(file)) bySymbol.set(symbol, file);
  }
  const services = [...new Set(descriptors.map((descriptor) => descriptor.typeName))].sort();
  return { services, byName, bySymbol };
}

function symbolsOf(file: DescFile): string[] {
  const messages = [...file.messages];
  const symbols: string[] = [];
  for (let message = messages.pop(); message !== undefined; message = messages.pop()) {
    symbols.push(message.typeName, ...message.nestedEnums.map((nested) => nested.typeName));
    symbols.push(...message.fields.map((field) => `${message?.typeName}.${field.name}`));
    messages.push(...message.nestedMessages);
  }
  for (const enumeration of file.enums) symbols.push(enumeration.typeName);
  for (const service of file.services) {
    symbols.push(service.typeName);
    symbols.push(...service.methods.map((method) => `${service.typeName}.${method.name}`));
  }
  return symbols;
}

type Answer =
  | { case: 'fileDescriptorResponse'; value: { fileDescriptorProto: Uint8Array[] } }
  | { case: 'listServicesResponse'; value: { service: { name: string }[] } }
  | { case: 'allExtensionNumbersResponse'; value: { baseTypeName: string } }
  | { case: 'errorResponse'; value: { errorCode: number; errorMessage: string } };

function answer(
  { services, byName, bySymbol }: Catalogue,
  request:
    | v1.ServerReflectionRequest['messageRequest']
    | v1alpha.ServerReflectionRequest['messageRequest'],
): Answer {
  switch (request.case) {
    case 'listServices':
      return {
        case: 'listServicesResponse',
        value: { service: services.map((name) => ({ name })) },
      };
    case 'fileByFilename':
      return fileAnswer(byName.get(request.value), `file "${request.value}"`);
    case 'fileContainingSymbol':
      return fileAnswer(bySymbol.get(request.value), `symbol "${request.value}"`);
    case 'allExtensionNumbersOfType':
      return bySymbol.has(request.value)
        ? { case: 'allExtensionNumbersResponse', value: { baseTypeName: request.value } }
        : failure(status.NOT_FOUND, `unknown type "${request.value}"`);
    case 'fileContainingExtension':
      return failure(status.NOT_FOUND, 'there are no extensions here');
    default:
      return failure(status.INVALID_ARGUMENT, 'an unknown kind of question');
  }
}

// The file and all it imports, the file itself first: a client need not ask again.
function fileAnswer(file: DescFile | undefined, what: string): Answer {
  if (file === undefined) return failure(status.NOT_FOUND, `unknown ${what}`);
  const files = new Set<DescFile>();
  const add = (next: DescFile) => {
    if (files.has(next)) return;
    files.add(next);
    next.dependencies.forEach(add);
  };
  add(file);
  return {
    case: 'fileDescriptorResponse',
    value: {
      fileDescriptorProto: [...files].map(({ proto }) =>
        toBinary(FileDescriptorProtoSchema, proto),
      ),
    },
  };
}

function failure(errorCode: number, errorMessage: string): Answer {
  return { case: 'errorResponse', value: { errorCode, errorMessage } };
}
