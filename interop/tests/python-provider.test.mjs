// A provider in Python on grpcio alone, without TLS, runs under our kernel where the configuration says so.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { processAlive, tempDir } from '@tenon/test-support';
import { configOf, kernelFor } from './kernel.mjs';
import { interopPath, python } from './peers.mjs';

const script = interopPath('python', 'provider.py');

test('a Python provider reads, writes, is cancelled and ends', async (t) => {
  const interpreter = python(t);
  if (interpreter === undefined) return;
  const { kernel } = await kernelFor(t, configOf('py', interpreter, [script], { tls: 'off' }));
  const workingDirectory = tempDir(t);
  const session = await kernel.openSession({ workingDirectory });

  const counted = await session.call({ name: 'py.word_count', arguments: { text: 'a b c' } });
  assert.equal(counted.status, 'ok', JSON.stringify(counted));
  assert.deepEqual(counted.payload, { words: 3 });

  const lines = ['grüße', '世界'];
  const written = await session.call({ name: 'py.write_lines', arguments: { file: 'x', lines } });
  assert.equal(written.status, 'ok');
  assert.equal(readFileSync(join(workingDirectory, 'x'), 'utf8'), 'grüße\n世界\n');

  const missing = await session.call({
    name: 'py.write_lines',
    arguments: { file: 'no/such/folder', lines: [] },
  });
  assert.equal(missing.error?.category, 'not_found');

  const abort = new AbortController();
  const cancelled = await session.call(
    { name: 'py.wait', arguments: {} },
    {
      signal: abort.signal,
      observer: (event) => {
        if (event.type === 'call_event' && event.event.type === 'output_chunk') abort.abort();
      },
    },
  );
  assert.equal(cancelled.status, 'cancelled');

  const { pid } = kernel.providers()[0];
  await kernel.close();
  assert.equal(processAlive(pid), false);
});

test('a provider without TLS is refused unless its configuration allows it', async (t) => {
  const interpreter = python(t);
  if (interpreter === undefined) return;
  const { kernel } = await kernelFor(t, configOf('py', interpreter, [script]));
  const outcome = await kernel.call({ name: 'py.word_count', arguments: { text: 'a' } });
  assert.notEqual(outcome.status, 'ok');
  assert.match(JSON.stringify([kernel.providers(), outcome]), /tls/i);
});
