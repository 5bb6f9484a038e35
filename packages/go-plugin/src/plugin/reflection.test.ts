import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { create, createFileRegistry, fromBinary } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema, FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import type { ClientDuplexStream } from '@grpc/grpc-js';
import { fixture, killAll, start } from '../fixtures/harness.js';
import * as v1 from '../gen/grpc/reflection/v1/reflection_pb.js';
import * as v1alpha from '../gen/grpc/reflection/v1alpha/reflection_pb.js';
import type { PluginProcess } from '../index.js';
import { serviceDefinition } from '../contract/service.js';

after(killAll);

type Request = v1.ServerReflectionRequest['messageRequest'];
type Response = v1.ServerReflectionResponse['messageResponse'];

// v1alpha has the same shape under another name, so one client asks both.
function ask(
  plugin: PluginProcess,
  version: 'v1' | 'v1alpha',
  question: Request,
): Promise<Response> {
  const service = version === 'v1' ? v1.ServerReflection : v1alpha.ServerReflection;
  const schema =
    version === 'v1' ? v1.ServerReflectionRequestSchema : v1alpha.ServerReflectionRequestSchema;
  const method = serviceDefinition(service).serverReflectionInfo;
  const stream = plugin
    .client(service)
    .makeBidiStreamRequest(
      method.path,
      method.requestSerialize,
      method.responseDeserialize,
    ) as ClientDuplexStream<unknown, v1.ServerReflectionResponse>;
  return new Promise((resolve, reject) => {
    stream.once('data', (response: v1.ServerReflectionResponse) => {
      resolve(response.messageResponse);
      stream.end();
    });
    stream.on('error', reject);
    stream.write(
      create(schema as typeof v1.ServerReflectionRequestSchema, { messageRequest: question }),
    );
  });
}

test('both versions of reflection describe what the plugin serves', async () => {
  const { plugin, end } = await start(fixture());
  for (const version of ['v1', 'v1alpha'] as const) {
    const list = await ask(plugin, version, { case: 'listServices', value: '' });
    assert.equal(list.case, 'listServicesResponse');
    assert.deepEqual(
      list.value.service.map(({ name }) => name),
      [
        'fixture.v1.PluginService',
        'grpc.health.v1.Health',
        'grpc.reflection.v1.ServerReflection',
        'grpc.reflection.v1alpha.ServerReflection',
        'plugin.GRPCBroker',
        'plugin.GRPCController',
        'plugin.GRPCStdio',
      ],
    );
    for (const symbol of [
      'fixture.v1.PluginService',
      'fixture.v1.PluginService.Echo',
      'plugin.StdioData.Channel',
    ]) {
      const found = await ask(plugin, version, { case: 'fileContainingSymbol', value: symbol });
      assert.equal(found.case, 'fileDescriptorResponse', symbol);
      const file = found.value.fileDescriptorProto.map((bytes) =>
        fromBinary(FileDescriptorProtoSchema, bytes),
      );
      const registry = createFileRegistry(
        create(FileDescriptorSetSchema, { file: file.toReversed() }),
      );
      assert.ok(registry.getFile(file.at(-1)?.name ?? '') !== undefined);
    }
    const missing = await ask(plugin, version, { case: 'fileByFilename', value: 'no.proto' });
    assert.equal(missing.case, 'errorResponse');
    assert.equal(missing.value.errorCode, 5);
  }
  await end();
});
