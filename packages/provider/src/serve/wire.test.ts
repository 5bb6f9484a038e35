// The SDK as a real process behind the wire.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { test, type TestContext } from 'node:test';
import type { DescMethod, DescService } from '@bufbuild/protobuf';
import { type ClientReadableStream, type ServiceError, status } from '@grpc/grpc-js';
import {
  type GrpcService,
  grpcService,
  launch,
  type PluginProcess,
  serviceDefinition,
} from '@tenon/go-plugin';
import {
  extensionV1,
  hookDispatchToWire,
  hookV1,
  type JsonObject,
  kernelV1,
  providerSchemaFromWire,
  type ReceivedEvent,
  STATUS_DETAILS_KEY,
  toolCallToWire,
  toolErrorFromStatus,
  toolEventFromWire,
  toolV1,
} from '@tenon/protocol';
import { openFds, processAlive, waitUntil } from '@tenon/test-support';
import { HANDSHAKE } from './handshake.js';

const SINK = fileURLToPath(new URL('../fixtures/kitchen-sink.js', import.meta.url));

interface Running {
  readonly process: PluginProcess;
  readonly output: { text: string };
}

async function start(t: TestContext, kernel?: GrpcService): Promise<Running> {
  const output = { text: '' };
  const process = await launch({
    command: globalThis.process.execPath,
    args: [SINK],
    env: {},
    handshake: HANDSHAKE,
    onOutput: ({ data }) => {
      output.text += Buffer.from(data).toString();
    },
    ...(kernel === undefined ? {} : { brokerServices: new Map([[1, [kernel]]]) }),
  });
  t.after(async () => {
    await process.stop();
    assert.ok(!processAlive(process.pid), 'the provider is gone');
  });
  return { process, output };
}

function method(service: DescService, name: string) {
  const definition = serviceDefinition(service)[name];
  assert.ok(definition !== undefined);
  return definition;
}

function unary<T = unknown>(
  { process }: Running,
  service: DescService,
  name: string,
  request: unknown,
): Promise<T> {
  const { path, requestSerialize, responseDeserialize } = method(service, name);
  return new Promise((resolve, reject) => {
    process
      .client(service)
      .makeUnaryRequest(path, requestSerialize, responseDeserialize, request, (error, answer) =>
        error === null ? resolve(answer as T) : reject(error),
      );
  });
}

function open({ process }: Running, toolName: string, args: JsonObject) {
  const { path, requestSerialize, responseDeserialize } = method(toolV1.ToolService, 'invoke');
  const call = toolCallToWire({
    id: 'C1',
    toolName,
    arguments: args,
    context: { sessionId: 'S1', turnId: 'T1', workingDirectory: '/work' },
  });
  const request = { $typeName: 'pluggableharness.tool.v1.InvokeRequest', call };
  return process
    .client(toolV1.ToolService)
    .makeServerStreamRequest(path, requestSerialize, responseDeserialize, request);
}

async function eventsOf(stream: ClientReadableStream<unknown>): Promise<ReceivedEvent[]> {
  const events: ReceivedEvent[] = [];
  for await (const message of stream) {
    events.push(toolEventFromWire((message as toolV1.InvokeResponse).event));
  }
  return events;
}

const invoke = (running: Running, toolName: string, args: JsonObject) =>
  eventsOf(open(running, toolName, args));

async function lastError(running: Running, toolName: string, args: JsonObject) {
  const last = (await invoke(running, toolName, args)).at(-1);
  assert.ok(last?.ok === true && last.event.type === 'error');
  return last.event.error;
}

const configure = (running: Running, config: JsonObject) =>
  unary(running, toolV1.ToolService, 'configure', {
    $typeName: 'pluggableharness.tool.v1.ConfigureRequest',
    config,
  });

async function statusOf(work: Promise<unknown>) {
  try {
    await work;
  } catch (error) {
    const { code, details, metadata } = error as ServiceError;
    const [bin] = metadata.get(STATUS_DETAILS_KEY);
    return { code, details, ...(bin instanceof Uint8Array ? { statusDetailsBin: bin } : {}) };
  }
  throw new Error('it did not fail');
}

test('RPC-08: without a host it says what it is, and ends with 1', async () => {
  const child = spawn(process.execPath, [SINK], { stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  child.stderr.on('data', (data: Buffer) => {
    text += data.toString();
  });
  const [code] = (await once(child, 'close')) as [number];
  assert.equal(code, 1);
  assert.match(text, /kitchen-sink 1\.2\.3/);
});

test('RPC-01/02/04: Describe, GetSchema and GetExtensions, the same at every call', async (t) => {
  const running = await start(t);
  const ask = (service: DescService, name: string) => unary(running, service, name, {});
  const described = (await ask(toolV1.ToolService, 'describe')) as toolV1.DescribeResponse;
  assert.equal(described.producer?.name, 'kitchen-sink');
  assert.equal(described.producer?.protocolVersion, 1);
  const first = (await ask(toolV1.ToolService, 'getSchema')) as toolV1.GetSchemaResponse;
  assert.deepEqual(await ask(toolV1.ToolService, 'getSchema'), first);
  const extensions = (await ask(
    extensionV1.ToolExtensionService,
    'getExtensions',
  )) as extensionV1.GetExtensionsResponse;
  const read = providerSchemaFromWire(first, extensions);
  assert.deepEqual(read.violations, []);
  assert.equal(read.schema.operations.find((one) => one.name === 'write')?.derivedKeys.length, 2);
});

test('services of other categories answer UNIMPLEMENTED at once', async (t) => {
  const running = await start(t);
  const elsewhere = method(toolV1.ToolService, 'describe');
  const asked = new Promise((resolve, reject) => {
    running.process.client(toolV1.ToolService).makeUnaryRequest(
      '/pluggableharness.model.v1.ModelService/Describe',
      elsewhere.requestSerialize,
      (bytes: Buffer) => bytes,
      {},
      (error) => (error === null ? resolve(undefined) : reject(error)),
    );
  });
  assert.equal((await statusOf(asked)).code, status.UNIMPLEMENTED);
});

test('EVT-05: thousands of events arrive in order', async (t) => {
  const events = await invoke(await start(t), 'count', { to: 3_000 });
  const chunks = events.flatMap((one) =>
    one.ok && one.event.type === 'output_chunk' ? [Number(Buffer.from(one.event.data))] : [],
  );
  assert.deepEqual(
    chunks,
    Array.from({ length: 3_000 }, (_, i) => i + 1),
  );
  const last = events.at(-1);
  assert.ok(last?.ok === true && last.event.type === 'result');
});

test('CFG-01: Configure fails with a status and its ErrorInfo', async (t) => {
  const running = await start(t);
  const received = await statusOf(configure(running, { label: 1, odd: 's3cr3t-value' }));
  assert.equal(received.code, status.INVALID_ARGUMENT);
  const error = toolErrorFromStatus(received);
  assert.equal(error.category, 'invalid_arguments');
  assert.equal((error.details?.['problems'] as unknown[] | undefined)?.length, 2);
  assert.ok(!received.details.includes('s3cr3t-value'));
});

test('PRV-01, RND-01: pictures over the wire; their failures are statuses', async (t) => {
  const running = await start(t);
  const preview = (toolName: string, text: string) => {
    const call = toolCallToWire({
      id: 'C',
      toolName,
      arguments: { path: 'p', text },
      context: { sessionId: 'S', turnId: 'T', workingDirectory: '/' },
    });
    return unary(running, toolV1.ToolService, 'preview', {
      $typeName: 'pluggableharness.tool.v1.PreviewRequest',
      call,
    });
  };
  const shown = (await preview('write', 'hello')) as toolV1.PreviewResponse;
  assert.equal(shown.preview?.root?.node.case, 'text');
  assert.equal((await statusOf(preview('write', 'none'))).code, status.UNIMPLEMENTED);
  assert.equal((await statusOf(preview('write', 'throw'))).code, status.NOT_FOUND);
  assert.equal((await statusOf(preview('write', 'crash'))).code, status.INTERNAL);
  const render = unary(running, toolV1.ToolService, 'render', {
    $typeName: 'pluggableharness.tool.v1.RenderRequest',
    payload: Buffer.from('x'),
    schemaVersion: '0',
  });
  assert.equal((await statusOf(render)).code, status.INVALID_ARGUMENT);
});

test('HKP-01: hooks over the wire', async (t) => {
  const running = await start(t);
  const dispatch = hookDispatchToWire({
    mode: 'veto',
    payload: {
      point: 'pre_tool_call',
      call: {
        id: 'C',
        toolName: 'bad',
        arguments: {},
        context: { sessionId: 'S', turnId: 'T', workingDirectory: '/' },
      },
    },
  });
  const answer = await unary<hookV1.DispatchHookResponse>(
    running,
    hookV1.HookSubscriberService,
    'dispatchHook',
    dispatch,
  );
  assert.ok(
    answer.outcome.case === 'veto' && answer.outcome.value.decision === hookV1.HookDecision.DENY,
  );
  const empty = { $typeName: 'pluggableharness.hook.v1.DispatchHookRequest', mode: 3 };
  const refused = statusOf(unary(running, hookV1.HookSubscriberService, 'dispatchHook', empty));
  assert.equal((await refused).code, status.INVALID_ARGUMENT);
});

test('CAN-01/02: closing the stream aborts the handler', async (t) => {
  const running = await start(t);
  const stream = open(running, 'wait', { end: 'abort' });
  stream.on('error', () => {});
  await once(stream, 'data');
  stream.cancel();
  await waitUntil(() => running.output.text.includes('the wait was aborted'));
  const [event] = await invoke(running, 'echo', { text: 'still here' });
  assert.ok(event?.ok === true && event.event.type === 'result');
});

test('ERR-12: an error that escapes from a call fails this call alone', async (t) => {
  const running = await start(t);
  const other = open(running, 'wait', { end: 'abort' });
  other.on('error', () => {});
  await once(other, 'data');
  const rejection = await lastError(running, 'broken', { how: 'stray_rejection' });
  assert.equal(rejection.category, 'unknown');
  assert.match(rejection.message, /nobody waits for me/);
  const event = await lastError(running, 'broken', { how: 'stray_event' });
  assert.equal(event.category, 'not_found');
  await waitUntil(() => running.output.text.includes('an error escaped in a call'));
  assert.ok(processAlive(running.process.pid));
  assert.equal(other.destroyed, false);
  other.cancel();
});

const DAMAGED: readonly (readonly [string, number[]])[] = [
  ['a length beyond the end', [0x0a, 0xff, 0x01, 0x00]],
  ['a tag of an illegal wire type', [0x0f]],
  ['a varint where a message belongs', [0x08, 0x01]],
  ['text that is no UTF-8', [0x0a, 0x04, 0x0a, 0x02, 0xc3, 0x28]],
];

test('a request that cannot be read is a status or an error, never a crash', async (t) => {
  const running = await start(t);
  for (const desc of [...toolV1.ToolService.methods, ...extensionV1.ToolExtensionService.methods]) {
    for (const [what, bytes] of DAMAGED) {
      const ended = await sendRaw(running, desc, Buffer.from(bytes));
      const fine = [status.INTERNAL, status.INVALID_ARGUMENT, status.OK, status.UNIMPLEMENTED];
      assert.ok(
        fine.map(Number).includes(ended.code),
        `${desc.name}, ${what}: ${ended.code} ${ended.details}`,
      );
      assert.notEqual(ended.details, undefined);
    }
  }
  assert.ok(processAlive(running.process.pid));
  await running.process.ping(5_000);
});

function sendRaw(
  { process }: Running,
  desc: DescMethod,
  bytes: Buffer,
): Promise<{ code: number; details: string }> {
  const stream = process.client(toolV1.ToolService).makeServerStreamRequest(
    `/${desc.parent.typeName}/${desc.name}`,
    (raw: Buffer) => raw,
    (raw: Buffer) => raw,
    bytes,
  );
  stream.on('error', () => {});
  stream.resume();
  return new Promise((resolve) => {
    stream.on('status', ({ code, details }) => resolve({ code, details }));
  });
}

test('RPC-05: a request without a call, or without its context, is invalid_arguments', async (t) => {
  const running = await start(t);
  const { path, requestSerialize, responseDeserialize } = method(toolV1.ToolService, 'invoke');
  for (const call of [
    undefined,
    { $typeName: 'pluggableharness.tool.v1.ToolCall', id: 'C', toolName: 'echo' },
  ]) {
    const stream = running.process
      .client(toolV1.ToolService)
      .makeServerStreamRequest(path, requestSerialize, responseDeserialize, {
        $typeName: 'pluggableharness.tool.v1.InvokeRequest',
        call,
      });
    const [event] = await eventsOf(stream);
    assert.ok(event?.ok === true && event.event.type === 'error');
    assert.equal(event.event.error.category, 'invalid_arguments');
  }
});

test('megabytes in both directions', async (t) => {
  const running = await start(t);
  const text = 'x'.repeat(12 * 1024 * 1024);
  const [event] = await invoke(running, 'echo', { text });
  assert.ok(event?.ok === true && event.event.type === 'result');
  assert.equal(event.event.payload['text'], text);
});

function jsonSafe(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}

test('CFG-02: no secret in events, logs, prints or emitted payloads of a process', async (t) => {
  const token = 'w1re-s3cr3t';
  const seen: string[] = [];
  const service = grpcService(kernelV1.KernelCallbackService, {
    log: ({ request }, callback) => {
      // Older kernels read one field, newer ones the other.
      assert.deepEqual(request.entries, [request.entry]);
      seen.push(JSON.stringify(request, jsonSafe));
      callback(null, { $typeName: 'pluggableharness.kernel.v1.LogResult' });
    },
    emit: ({ request }, callback) => {
      seen.push(Buffer.from(request.payload).toString());
      callback(null, { $typeName: 'pluggableharness.kernel.v1.EmitResult', id: 'E', sequence: 7n });
    },
  });
  const running = await start(t, service);
  await configure(running, { token });
  for (const how of ['result', 'error', 'stray']) {
    const events = await invoke(running, 'leak', { how });
    const output = events.flatMap((one) =>
      one.ok && one.event.type === 'output_chunk' ? [one.event.data] : [],
    );
    assert.equal(Buffer.concat(output).toString(), 'chunk [redacted] end');
    assert.ok(!JSON.stringify(events).includes(token));
  }
  await waitUntil(() => seen.filter((one) => one.includes('the token is')).length === 3);
  await waitUntil(() => running.output.text.split('stderr [redacted]').length === 4);
  assert.ok(seen.some((one) => one === '{"token":"[redacted]"}'));
  assert.ok(!seen.join('').includes(token));
  assert.ok(!running.output.text.includes(token));
});

test('a kernel without callbacks, or with none of them implemented, is tolerated', async (t) => {
  const silent = await start(t, grpcService(kernelV1.KernelCallbackService, {}));
  await configure(silent, { token: 'unimportant' });
  const events = await invoke(silent, 'leak', { how: 'result' });
  const last = events.at(-1);
  assert.ok(last?.ok === true && last.event.type === 'result');
  // What the kernel does not take goes to stderr.
  await waitUntil(() => silent.output.text.includes('info kitchen-sink: the token is [redacted]'));
});

test('Shutdown cancels running calls, tells the author, and ends the process', async (t) => {
  const before = openFds().filter((fd) => fd.startsWith('socket:')).length;
  const running = await start(t);
  const stream = open(running, 'wait', { end: 'abort' });
  stream.on('error', () => {});
  await once(stream, 'data');
  const ended = await running.process.stop();
  assert.equal(ended.code, 0);
  assert.match(running.output.text, /shutdown seen/);
  assert.equal(openFds().filter((fd) => fd.startsWith('socket:')).length, before);
});
