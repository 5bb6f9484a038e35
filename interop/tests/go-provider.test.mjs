// A provider on the real go-plugin and grpc-go runs under our kernel.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { processAlive, tempDir, waitUntil } from '@tenon/test-support';
import { configOf, kernelFor } from './kernel.mjs';
import { goProgram } from './peers.mjs';

async function start(t, launch) {
  const provider = goProgram(t, 'provider');
  return provider && kernelFor(t, configOf('go', provider, [], launch));
}

const pidOf = (kernel) => kernel.providers()[0].pid;

for (const tls of ['mutual', 'off']) {
  test(`a Go provider answers, tls ${tls}`, async (t) => {
    const made = await start(t, { tls });
    if (made === undefined) return;
    const outcome = await made.kernel.call({ name: 'go.echo', arguments: { text: 'grüße 🎈' } });
    assert.equal(outcome.status, 'ok');
    assert.deepEqual(outcome.payload, { text: 'grüße 🎈' });
    assert.equal(made.kernel.providers()[0].identity.name, 'go-interop');
    const pid = pidOf(made.kernel);
    await made.kernel.close();
    assert.equal(processAlive(pid), false);
  });
}

test('a Go provider calls back: Emit, Log, and what it prints', async (t) => {
  const made = await start(t);
  if (made === undefined) return;
  const { kernel, events } = made;
  const workingDirectory = tempDir(t);
  const session = await kernel.openSession({ workingDirectory });
  const outcome = await session.call({
    name: 'go.append_note',
    arguments: { file: 'notes.txt', line: 'one' },
  });
  assert.equal(outcome.status, 'ok', JSON.stringify(outcome));
  assert.equal(readFileSync(join(workingDirectory, 'notes.txt'), 'utf8'), 'one\n');
  await waitUntil(() =>
    events.some((event) => event.type === 'provider_output' && event.text.includes('appended to')),
  );
  await kernel.journal.flush();
  const entries = [...kernel.journal.session(session.id)];
  const emitted = entries.filter((entry) => entry.type === 'emit');
  assert.deepEqual(
    emitted.map((entry) => [entry.id, entry.provider, Buffer.from(entry.payload).toString()]),
    [[outcome.payload.event_id, 'go', '{"line":"one"}']],
  );
  // One entry in both fields of the request is one entry.
  const logged = entries.filter((entry) => entry.type === 'provider_log');
  assert.deepEqual(
    logged.map((entry) => [entry.level, entry.message]),
    [['info', 'appended to notes.txt']],
  );
});

test('cancelling reaches the Go context, and what was streamed is kept (CAN-01, CAN-05)', async (t) => {
  const made = await start(t);
  if (made === undefined) return;
  const abort = new AbortController();
  const outcome = await made.kernel.call(
    { name: 'go.wait', arguments: {} },
    {
      signal: abort.signal,
      observer: (event) => {
        if (event.type === 'call_event' && event.event.type === 'output_chunk') abort.abort();
      },
    },
  );
  assert.equal(outcome.status, 'cancelled');
  assert.ok(outcome.partial.some((event) => event.type === 'output_chunk'));
  const next = await made.kernel.call({ name: 'go.echo', arguments: { text: 'still here' } });
  assert.equal(next.status, 'ok');
});

test('each way a Go provider fails is told apart (ERR-04, ERR-10, ERR-12, EVT-06)', async (t) => {
  const made = await start(t);
  if (made === undefined) return;
  const failure = async (how) => {
    const outcome = await made.kernel.call({ name: 'go.fail', arguments: { how } });
    assert.equal(outcome.status, 'error');
    return outcome.error;
  };
  assert.equal((await failure('not_found')).category, 'not_found');
  const returned = await failure('returned');
  assert.equal(returned.category, 'unknown');
  assert.match(JSON.stringify(returned), /returned instead of sent/);
  const silent = await failure('silent');
  assert.equal(silent.category, 'unknown');
  assert.match(JSON.stringify(silent), /EVT-0[16]/);

  const before = pidOf(made.kernel);
  const exited = await failure('exit');
  assert.equal(exited.category, 'process_crashed');
  assert.match(JSON.stringify(exited), /7/);
  const panicked = await failure('panic');
  assert.equal(panicked.category, 'process_crashed');
  assert.match(JSON.stringify(panicked), /asked to panic/);
  const next = await made.kernel.call({ name: 'go.echo', arguments: { text: 'again' } });
  assert.equal(next.status, 'ok');
  assert.notEqual(pidOf(made.kernel), before);
});
