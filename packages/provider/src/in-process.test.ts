import assert from 'node:assert/strict';
import { test } from 'node:test';
import type {
  JsonObject,
  KernelCallbacks,
  LogEntry,
  ToolCall,
  ToolEvent,
  ToolProvider,
} from '@tenon/protocol';
import { ToolError } from '@tenon/protocol';
import fc from 'fast-check';
import * as z from 'zod';
import { kitchenSink, witness } from './fixtures/kitchen-sink.js';
import { dataSource, DefinitionError, defineProvider, literalKey, resource } from './index.js';

interface Emitted {
  sessionId: string;
  kind: string;
  payload: Uint8Array;
}

function callbacks() {
  const logs: LogEntry[] = [];
  const emitted: Emitted[] = [];
  const kernel: KernelCallbacks = {
    async emit(event) {
      emitted.push(event);
      return { id: 'E', sequence: emitted.length };
    },
    log: (entry) => void logs.push(entry),
  };
  return { kernel, logs, emitted };
}

async function start(config: JsonObject = {}) {
  const { kernel, logs, emitted } = callbacks();
  const provider = await kitchenSink.inProcess().start(kernel);
  await provider.configure(config);
  return { provider, logs, emitted };
}

function call(toolName: string, args: JsonObject): ToolCall {
  return {
    id: 'C1',
    toolName,
    arguments: args,
    context: { sessionId: 'S1', turnId: 'T1', workingDirectory: '/work' },
  };
}

async function run(
  provider: ToolProvider,
  toolName: string,
  args: JsonObject,
  signal = new AbortController().signal,
): Promise<ToolEvent[]> {
  const events: ToolEvent[] = [];
  for await (const received of provider.invoke(call(toolName, args), { signal })) {
    assert.ok(received.ok);
    events.push(received.event);
  }
  return events;
}

async function failure(provider: ToolProvider, toolName: string, args: JsonObject) {
  const last = (await run(provider, toolName, args)).at(-1);
  assert.equal(last?.type, 'error');
  return last.error;
}

test('RPC-02, RPC-04: identity and schema are the same at every call', async () => {
  const { provider } = await start();
  assert.deepEqual(await provider.describe(), {
    name: 'kitchen-sink',
    version: '1.2.3',
    source: 'example.test/kitchen-sink',
    category: 'tool',
    protocolVersion: 1,
  });
  assert.equal(await provider.schema(), await provider.schema());
  const { operations, supportedHookPoints } = await provider.schema();
  const write = operations.find((operation) => operation.name === 'write');
  assert.deepEqual(write?.derivedKeys, [
    { field: 'path', derivation: 'path', keySpace: 'files' },
    { field: 'text', derivation: 'literal', keySpace: 'write' },
  ]);
  assert.equal(write?.defaultTimeoutMs, 1_500);
  assert.equal(write?.terminatesTurn, true);
  assert.deepEqual(write?.concurrency, { safe: false, keyFields: [] });
  assert.equal(operations.find((one) => one.name === 'ask')?.concurrency, undefined);
  assert.deepEqual(supportedHookPoints, [
    'pre_model_call',
    'pre_tool_call',
    'plan_ready',
    'post_tool_call',
  ]);
});

test('EVT-01: a result, with optional properties that are undefined left out', async () => {
  const { provider } = await start({ label: 'here' });
  assert.deepEqual(await run(provider, 'echo', { text: 'x' }), [
    { type: 'result', payload: { text: 'x', label: 'here', cwd: '/work' } },
  ]);
});

test('EVT-05: streamed events come in order', async () => {
  const { provider } = await start();
  const events = await run(provider, 'count', { to: 100 });
  const chunks = events.flatMap((event) =>
    event.type === 'output_chunk' ? [Buffer.from(event.data).toString()] : [],
  );
  assert.deepEqual(
    chunks,
    Array.from({ length: 100 }, (_, i) => `${i + 1}\n`),
  );
  assert.deepEqual(events.slice(-2), [
    { type: 'exit_status', exitCode: 0 },
    { type: 'result', payload: { sent: 100 } },
  ]);
});

test('EVT-07: a reader that stops reading stops the handler', async () => {
  let sent = 0;
  const endless = defineProvider({
    name: 'endless',
    version: '1',
    operations: {
      go: dataSource({
        description: 'Never ends by itself.',
        input: z.object({}),
        output: z.object({}),
        streaming: true,
        async handler({ emit, signal }) {
          for (; !signal.aborted; sent++) await emit.chunk('stdout', 'x');
          return {};
        },
      }),
    },
  });
  const provider = await endless.inProcess().start(callbacks().kernel);
  const { signal } = new AbortController();
  let read = 0;
  for await (const event of provider.invoke(call('go', {}), { signal })) {
    assert.ok(event.ok);
    // Many turns of the loop in which an unbounded handler would run on.
    for (let i = 0; i < 20; i++) await new Promise(setImmediate);
    assert.ok(sent - read <= 40, `${sent} sent, ${read} read`);
    if (++read === 50) break;
  }
});

test('EVT-07: a handler that does not wait is stopped before it fills memory', async () => {
  const { provider } = await start();
  const iterator = provider.invoke(call('flood', {}), { signal: new AbortController().signal });
  const events = [];
  for await (const event of iterator) events.push(event.ok ? event.event : undefined);
  const last = events.at(-1);
  assert.ok(last?.type === 'error' && last.error.category === 'unknown');
  assert.match(last.error.message, /await what emit returns/);
  assert.ok(events.length < 100);
});

test('ERR-03: every problem of the arguments, with its pointer', async () => {
  const { provider } = await start();
  const error = await failure(provider, 'write', { path: 1, odd: true });
  assert.equal(error.category, 'invalid_arguments');
  const problems = error.details?.['problems'] as { pointer: string }[];
  assert.deepEqual(problems.map((problem) => problem.pointer).sort(), ['/odd', '/path', '/text']);
});

test('S1: odd names of arguments are arguments like any other', async () => {
  const { provider } = await start();
  const args = JSON.parse('{"__proto__":"a","toString":"b"}') as JsonObject;
  const [event] = await run(provider, '__proto__odd', args);
  assert.deepEqual(event, { type: 'result', payload: { keys: ['__proto__', 'toString'] } });
  const missing = await failure(provider, '__proto__odd', {});
  assert.equal((missing.details?.['problems'] as unknown[] | undefined)?.length, 2);
});

test('RPC-09: an unknown operation is not_found', async () => {
  const { provider } = await start();
  for (const name of ['nope', '', 'toString', '__proto__']) {
    assert.equal((await failure(provider, name, {})).category, 'not_found');
  }
});

test('OUT-01: what does not fit the output schema is never sent', async () => {
  const { provider, logs } = await start();
  for (const how of ['output', 'cyclic']) {
    const error = await failure(provider, 'broken', { how });
    assert.equal(error.category, 'unknown');
    assert.match(error.message, /does not fit its output schema/);
  }
  assert.ok(logs.some((entry) => entry.level === 'error'));
});

test('ERR-12: odd throws, a second exit status, mapped errors', async () => {
  const { provider } = await start();
  assert.equal((await failure(provider, 'broken', { how: 'throw_undefined' })).category, 'unknown');
  assert.match(
    (await failure(provider, 'broken', { how: 'twice' })).message,
    /exit status already/,
  );
  const enoent = await failure(provider, 'broken', { how: 'enoent' });
  assert.equal(enoent.category, 'not_found');
  assert.equal((enoent.details?.['error'] as JsonObject | undefined)?.['path'], '/x');
});

test('CAN-02/03/04: after a cancel the report is sent, and the end is cancelled', async () => {
  const { provider } = await start();
  for (const end of ['abort', 'fail', 'result']) {
    const before = witness.aborted;
    const controller = new AbortController();
    const events: ToolEvent[] = [];
    for await (const one of provider.invoke(call('wait', { end }), {
      signal: controller.signal,
    })) {
      assert.ok(one.ok);
      events.push(one.event);
      if (one.event.type === 'progress') controller.abort();
    }
    assert.equal(witness.aborted, before + 1);
    assert.deepEqual(
      events.map((event) => event.type),
      ['progress', 'partial_result', 'error'],
    );
    const last = events.at(-1);
    assert.ok(last?.type === 'error' && last.error.category === 'cancelled');
    if (end === 'result') assert.deepEqual(last.error.details, { completed: true });
  }
});

test('CAN-02: leaving the iterator cancels the call', async () => {
  const { provider } = await start();
  const before = witness.aborted;
  const { signal } = new AbortController();
  for await (const _ of provider.invoke(call('wait', { end: 'abort' }), { signal })) break;
  await new Promise(setImmediate);
  assert.equal(witness.aborted, before + 1);
});

test('CFG-01: a configuration that is refused leaves the one before', async () => {
  const { provider } = await start({ label: 'first' });
  await assert.rejects(provider.configure({ label: 1, odd: 2 }), (error) => {
    assert.ok(error instanceof ToolError);
    assert.match(error.message, /\/label must be a string.*\/odd is not an attribute/);
    return error.category === 'invalid_arguments';
  });
  await assert.rejects(provider.configure({ label: 'second', refuse: true }), /makes no sense/);
  const [event] = await run(provider, 'echo', { text: '' });
  assert.ok(event?.type === 'result' && event.payload['label'] === 'first');
});

test('CFG-02: a secret is in nothing that leaves the provider', async () => {
  const token = 'c0nf1g-s3cr3t';
  const { provider, logs, emitted } = await start({ token });
  for (const how of ['result', 'error', 'stray']) {
    const events = await run(provider, 'leak', { how });
    const output = events.flatMap((event) => (event.type === 'output_chunk' ? [event.data] : []));
    assert.equal(Buffer.concat(output).toString(), 'chunk [redacted] end');
    assert.ok(!JSON.stringify(events).includes(token));
  }
  assert.ok(logs.length >= 3);
  assert.ok(!JSON.stringify(logs).includes(token));
  assert.equal(Buffer.from(emitted[0]?.payload ?? []).toString(), '{"token":"[redacted]"}');
  assert.equal(emitted[0]?.sessionId, 'S1');
  const tree = await provider.render(Buffer.from(`has ${token}`), '1');
  assert.deepEqual(tree, { root: { type: 'text', content: 'has [redacted]' } });
});

test('PRV-01, RPC-07: preview, no preview, failing preview', async () => {
  const { provider } = await start();
  const { signal } = new AbortController();
  const preview = (tool: string, args: JsonObject) =>
    provider.preview(call(tool, args), { signal });
  assert.deepEqual(await preview('write', { path: 'p', text: 't' }), {
    root: { type: 'text', content: 'would write t' },
  });
  assert.equal(await preview('write', { path: 'p', text: 'none' }), undefined);
  assert.equal(await preview('echo', { text: 't' }), undefined);
  await assert.rejects(preview('write', { path: 'p', text: 'throw' }), { category: 'not_found' });
  await assert.rejects(preview('write', { path: 'p', text: 'crash' }), { category: 'unknown' });
  await assert.rejects(preview('write', {}), { category: 'invalid_arguments' });
});

test('RND-03: an unknown schema version is a clear error', async () => {
  const { provider } = await start();
  await assert.rejects(provider.render(Buffer.from('x'), '9'), { category: 'invalid_arguments' });
});

test('HKP-01, GATE-08: hooks answer in their mode; a broken veto rejects', async () => {
  const { provider } = await start();
  const { signal } = new AbortController();
  const payload = (toolName: string) =>
    ({ point: 'pre_tool_call', call: call(toolName, {}) }) as const;
  const veto = (toolName: string) =>
    provider.dispatchHook({ mode: 'veto', payload: payload(toolName) }, { signal });
  assert.deepEqual(await veto('good'), { type: 'veto', decision: 'allow' });
  assert.deepEqual(await veto('bad'), { type: 'veto', decision: 'deny' });
  const plan = { point: 'plan_ready', plan: { turnId: 'T', items: [] } } as const;
  await assert.rejects(provider.dispatchHook({ mode: 'veto', payload: plan }, { signal }), {
    category: 'unknown',
  });
  await assert.rejects(provider.dispatchHook({ mode: 'observe', payload: plan }, { signal }), {
    category: 'invalid_arguments',
  });
  const model = { point: 'pre_model_call', messages: [] } as const;
  assert.deepEqual(await provider.dispatchHook({ mode: 'transform', payload: model }, { signal }), {
    type: 'transform',
    payload: model,
  });
});

test('KND-05: an interactive operation without a handler fails when it is invoked', async () => {
  const { provider } = await start();
  assert.equal((await failure(provider, 'ask', { question: '?' })).category, 'execution_failed');
});

test('stop cancels what runs, and calls that come later are refused', async () => {
  const { provider } = await start();
  const running = run(provider, 'wait', { end: 'abort' });
  await new Promise(setImmediate);
  const before = witness.shutdowns;
  await provider.stop();
  assert.equal(witness.shutdowns, before + 1);
  assert.equal((await running).at(-1)?.type, 'error');
  assert.match((await failure(provider, 'echo', { text: 'x' })).message, /shutting down/);
});

test('EVT-01: whatever a handler does, exactly one terminal event comes, last', async () => {
  const step = fc.constantFrom('chunk', 'progress', 'partial', 'exit', 'turn', 'late');
  const end = fc.constantFrom('result', 'bad_result', 'throw', 'throw_fail', 'reject');
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), end, async (steps, ending) => {
      const odd = defineProvider({
        name: 'odd',
        version: '1',
        operations: {
          go: resource({
            description: 'Does as the property says.',
            risk: 'low',
            input: z.object({}),
            output: z.object({ n: z.number() }),
            streaming: true,
            processBacked: true,
            async handler({ emit }) {
              for (const one of steps) {
                if (one === 'chunk') void emit.chunk('stderr', 'x');
                if (one === 'progress') await emit.progress('p', 0.1);
                if (one === 'partial') await emit.partial({});
                if (one === 'exit') await emit.exitStatus(1);
                if (one === 'turn') await new Promise(setImmediate);
                if (one === 'late') setImmediate(() => void emit.progress('late'));
              }
              if (ending === 'throw') throw new Error('x');
              if (ending === 'throw_fail') throw Object.assign(new Error('x'), { code: 'EACCES' });
              if (ending === 'reject') return Promise.reject(new Error('x'));
              return ending === 'result' ? { n: 1 } : (JSON.parse('{}') as { n: number });
            },
          }),
        },
      });
      const provider = await odd.inProcess().start(callbacks().kernel);
      const events = await run(provider, 'go', {});
      const terminal = events.filter((event) => event.type === 'result' || event.type === 'error');
      assert.equal(terminal.length, 1);
      assert.equal(events.at(-1), terminal[0]);
      assert.ok(events.filter((event) => event.type === 'exit_status').length <= 1);
    }),
    { numRuns: 60 },
  );
});

test('DefinitionError lists every problem of every operation', () => {
  assert.throws(
    () =>
      defineProvider({
        name: 'has spaces',
        version: '',
        slashCommands: [{ name: 'x', description: '', template: 't' }],
        operations: {
          one: dataSource({
            description: '',
            input: z.object({ n: z.number().min(1), deep: z.object({ x: z.string().nullable() }) }),
            output: z.object({}),
            keys: [literalKey('nowhere')],
            timeout: 0,
            handler: () => ({}),
          }),
          'b d': dataSource({
            description: 'd',
            input: z.object({}),
            output: z.object({}),
            concurrency: JSON.parse('{"safe":false,"keyFields":["x"]}') as { safe: false },
            handler: () => ({}),
          }),
        },
      }),
    (error) => {
      assert.ok(error instanceof DefinitionError);
      const seen = error.problems.map(
        ({ operation, pointer, keyword, requirement }) =>
          `${operation ?? '-'} ${pointer} ${keyword ?? '-'} ${requirement ?? '-'}`,
      );
      assert.deepEqual(seen, [
        '- /name - RPC-02',
        '- /version - RPC-02',
        'one /operations/one/input/properties/n minimum SCH-01',
        'one /operations/one/input/properties/deep/properties/x nullable SCH-01',
        'one /operations/one/description - SCH-02',
        'one /operations/one/timeout - TMO-01',
        'one /operations/one/keys/0/field - OPEN-02',
        'b d /operations/b d - SCH-02',
        'b d /operations/b d/concurrency/keyFields - CON-07',
        'b d /operations/b d/concurrency/keyFields/0 - CON-07',
        '- /slashCommands/0/description - SCH-04',
      ]);
      return true;
    },
  );
});
