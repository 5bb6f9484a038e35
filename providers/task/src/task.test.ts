// The task provider as a kernel in the same process sees it, on real files.
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { JsonObject } from '@tenon/provider';
import { tempDir } from '@tenon/test-support';
import { provider } from './index.js';

async function started(t: TestContext, directory = tempDir(t), config: JsonObject = {}) {
  const silent = { emit: async () => ({ id: '', sequence: 0 }), log: () => {} };
  const running = await provider.inProcess().start(silent);
  t.after(() => running.stop());
  await running.configure(config);
  const call = async (toolName: string, args: JsonObject, sessionId = 'one') => {
    const context = { sessionId, turnId: 't', workingDirectory: directory };
    const signal = new AbortController().signal;
    for await (const received of running.invoke(
      { id: 'c', toolName, arguments: args, context },
      { signal },
    )) {
      assert.ok(received.ok);
      if (received.event.type === 'result') return { payload: received.event.payload };
      if (received.event.type === 'error') return { error: received.event.error };
    }
    throw new Error('no terminal event');
  };
  return { directory, call };
}

const list = async (call: Awaited<ReturnType<typeof started>>['call'], session = 'one') =>
  (await call('task_list', {}, session)).payload?.['tasks'] as {
    id: string;
    title: string;
    status: string;
  }[];

test('tasks are kept by session, and by another process of the provider', async (t) => {
  const { call, directory } = await started(t);
  assert.deepEqual(await list(call), []);
  await call('task_create', { title: 'write' });
  await call('task_create', { title: 'test', status: 'in_progress' });
  await call('task_create', { title: 'other' }, 'two');
  const again = await started(t, directory);
  assert.deepEqual(
    (await list(again.call)).map(({ id, title, status }) => [id, title, status]),
    [
      ['1', 'write', 'pending'],
      ['2', 'test', 'in_progress'],
    ],
  );
  assert.equal((await list(again.call, 'two')).length, 1);
});

test('an update changes what is named, and the same update twice is the same', async (t) => {
  const { call, directory } = await started(t);
  await call('task_create', { title: 'write', notes: 'soon' });
  const first = await call('task_update', { id: '1', status: 'done' });
  const file = join(directory, '.agent/sessions/one/tasks.json');
  const after = readFileSync(file, 'utf8');
  assert.deepEqual(await call('task_update', { id: '1', status: 'done' }), first);
  assert.equal(readFileSync(file, 'utf8'), after);
  assert.match(after, /"notes": "soon"/);
  assert.deepEqual((await call('task_list', { status: 'pending' })).payload, { tasks: [] });
});

test('what cannot be done is told apart', async (t) => {
  const { call } = await started(t, tempDir(t), { max_tasks: 1 });
  assert.equal((await call('task_update', { id: '9' })).error?.category, 'not_found');
  assert.equal((await call('task_create', { title: ' ' })).error?.category, 'invalid_arguments');
  assert.equal((await call('task_create', {})).error?.category, 'invalid_arguments');
  await call('task_create', { title: 'a' });
  assert.equal((await call('task_create', { title: 'b' })).error?.category, 'execution_failed');
  const outside = await call('task_list', {}, '../elsewhere');
  assert.equal(outside.error?.category, 'invalid_arguments');
});

test('many changes at once are all there, with ids of their own, and no temporary file is left', async (t) => {
  const { call, directory } = await started(t);
  await Promise.all(Array.from({ length: 50 }, (_, n) => call('task_create', { title: `t${n}` })));
  const tasks = await list(call);
  assert.equal(new Set(tasks.map((task) => task.id)).size, 50);
  await Promise.all(tasks.map(({ id }) => call('task_update', { id, status: 'done' })));
  assert.ok((await list(call)).every((task) => task.status === 'done'));
  assert.deepEqual(readdirSync(join(directory, '.agent/sessions/one')), ['tasks.json']);
});

test('a damaged file is reported and never overwritten', async (t) => {
  const { call, directory } = await started(t);
  const folder = join(directory, '.agent/sessions/one');
  mkdirSync(folder, { recursive: true });
  for (const text of ['{"format":1,"next":', '{"format":2}', '[]', '']) {
    writeFileSync(join(folder, 'tasks.json'), text);
    const { error } = await call('task_create', { title: 'x' });
    assert.equal(error?.category, 'execution_failed');
    assert.equal(readFileSync(join(folder, 'tasks.json'), 'utf8'), text);
  }
});
