// The example, as a process that a host starts and calls.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { launch, serviceDefinition } from '@tenon/go-plugin';
import { toolCallToWire, toolEventFromWire, toolV1 } from '@tenon/protocol';
import { HANDSHAKE } from '@tenon/provider';

test('the hello provider greets, and says what it does not know', async (t) => {
  const provider = await launch({
    command: process.execPath,
    args: [fileURLToPath(new URL('provider.mjs', import.meta.url))],
    env: {},
    handshake: HANDSHAKE,
  });
  t.after(() => provider.stop());
  const { path, requestSerialize, responseDeserialize } = serviceDefinition(
    toolV1.ToolService,
  ).invoke;

  const greet = async (args) => {
    const call = toolCallToWire({
      id: 'C',
      toolName: 'greet',
      arguments: args,
      context: { sessionId: 'S', turnId: 'T', workingDirectory: '/' },
    });
    const request = { $typeName: 'pluggableharness.tool.v1.InvokeRequest', call };
    const events = [];
    const stream = provider
      .client(toolV1.ToolService)
      .makeServerStreamRequest(path, requestSerialize, responseDeserialize, request);
    for await (const { event } of stream) events.push(toolEventFromWire(event).event);
    return events;
  };

  assert.deepEqual(await greet({ name: 'Ada', language: 'fr' }), [
    { type: 'result', payload: { greeting: 'Bonjour, Ada!' } },
  ]);
  const [{ error: unknown }] = await greet({ name: 'Ada', language: 'xx' });
  assert.equal(unknown.category, 'not_found');
  const [{ error: wrong }] = await greet({ nam: 'Ada' });
  assert.equal(wrong.category, 'invalid_arguments');
  assert.match(wrong.message, /did you mean "name"/);
});
