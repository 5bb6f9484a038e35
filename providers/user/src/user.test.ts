// The user provider: questions that a kernel asks itself.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { provider } from './index.js';

test('KND-05 CON-03 its operations are interactive, without a concurrency claim, and one field is the answer', () => {
  for (const operation of provider.schema.operations) {
    assert.equal(operation.kind, 'interactive');
    assert.equal(operation.risk, 'read_only');
    assert.equal(operation.concurrency, undefined);
    assert.equal(Object.keys(operation.output.properties).length, 1);
  }
});

test('a kernel that leaves the asking to the provider is refused at once, never hung', async (t) => {
  const silent = { emit: async () => ({ id: '', sequence: 0 }), log: () => {} };
  const running = await provider.inProcess().start(silent);
  t.after(() => running.stop());
  const call = {
    id: 'c',
    toolName: 'ask_user',
    arguments: { question: 'Which one?' },
    context: { sessionId: 's', turnId: 't', workingDirectory: '/' },
  };
  const events = [];
  for await (const received of running.invoke(call, { signal: new AbortController().signal })) {
    assert.ok(received.ok);
    events.push(received.event);
  }
  const [only] = events;
  assert.ok(only?.type === 'error' && events.length === 1);
  assert.equal(only.error.category, 'permission_denied');
  assert.match(only.error.message, /no person to ask/);
});
