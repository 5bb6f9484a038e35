// Opening a catalog: names, refusals, failing providers, providers inside of this process (KND-03, RPC-02, RPC-07).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type InProcessProvider, type Operation, ToolError } from '@tenon/protocol';
import type { ProviderConfig } from '../config/model.js';
import { errorOf, openHarness, payloadOf } from '../fixtures/harness.js';
import { restartDelayMs } from './restart-delay.js';
import { suggest } from './suggest.js';

test('a name is resolved with its provider, in the spelling of model APIs, and bare', async (t) => {
  const harness = await openHarness(t);
  for (const name of ['p.read', 'p__read', 'read']) payloadOf(await harness.call(name, []));
  const unknown = await harness.prepare('p.raed', []);
  assert.ok(!unknown.ok);
  assert.equal(unknown.error.category, 'not_found');
  assert.match(unknown.error.message, /did you mean p\.read/);
  for (const name of ['', '.', '__proto__', 'p.', 'x'.repeat(10_000)]) {
    const found = await harness.prepare(name, []);
    assert.ok(!found.ok && found.error.category === 'not_found', name.slice(0, 20));
  }
});

test('suggestions: the nearest of all, the right operation of a wrong provider, and nothing far away', () => {
  const names = ['filesystem.read_file', 'filesystem.write_file', 'search.grep'];
  assert.equal(suggest('filesystem.readfile', names)[0], 'filesystem.read_file');
  assert.equal(suggest('fs.read_file', names)[0], 'filesystem.read_file');
  assert.deepEqual(suggest('something_else', names), []);
});

test('KND-03: a broken operation is refused by itself, with its requirement; it never runs', async (t) => {
  const harness = await openHarness(t, { flags: ['--broken=odd'] });
  const [status] = harness.catalog.providers().map((provider) => provider.status());
  assert.equal(status?.state, 'ready');
  assert.equal(status?.refused[0]?.operation, 'odd');
  const found = await harness.prepare('p.odd', []);
  assert.ok(!found.ok);
  assert.match(found.error.message, /refused.*KND-0/);
  payloadOf(await harness.call('p.read', []));
});

test('RPC-02: a provider without Describe is known by its configuration', async (t) => {
  const harness = await openHarness(t, {
    flags: ['--no-describe'],
    provider: { version: '9.9.9', source: 'here' },
  });
  const [provider] = harness.catalog.providers();
  assert.equal(provider?.identity.version, '9.9.9');
  payloadOf(await harness.call('p.read', []));
});

test('RPC-11: what beforeLaunch refuses is never started', async (t) => {
  const harness = await openHarness(t, {
    launch: { command: 'no-such-program-anywhere' },
  });
  const [provider] = harness.catalog.providers();
  assert.equal(provider?.status().state, 'failed');
  assert.match(provider?.status().problem ?? '', /no-such-program-anywhere/);
  assert.deepEqual(harness.pids(), []);
});

test('RPC-10: the environment of a provider is the allow-list, and nothing else', async (t) => {
  process.env['TENON_TEST_SECRET'] = 'do not tell';
  process.env['TENON_TEST_WANTED'] = 'please';
  t.after(() => {
    delete process.env['TENON_TEST_SECRET'];
    delete process.env['TENON_TEST_WANTED'];
  });
  const harness = await openHarness(t, {
    launch: { envAllow: ['TENON_TEST_WANTED'], env: { SET: 'literally' } },
  });
  const payload = payloadOf(await harness.call('p.read', [{ environment: true }]));
  const names = String(payload['text'])
    .split(' ')
    .filter((name) => !name.startsWith('PLUGIN_') && !name.startsWith('PLUGGABLEHARNESS_'));
  const allowed = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'SET', 'TENON_TEST_WANTED'];
  assert.deepEqual(
    names.filter((name) => !allowed.includes(name)),
    [],
  );
  assert.ok(names.includes('SET') && names.includes('TENON_TEST_WANTED'));
});

test('a first crash costs no pause, a series of them slows down and stays bounded', () => {
  const delays = Array.from({ length: 30 }, (_, failures) => restartDelayMs(failures, () => 0));
  assert.deepEqual(delays.slice(0, 5), [0, 0, 100, 200, 400]);
  assert.ok(delays.every((delay) => delay <= 10_000));
});

const INPUT = { type: 'object', properties: { script: { type: 'string' } }, required: [] } as const;
const OUTPUT = { type: 'object', properties: { text: { type: 'string' } }, required: [] } as const;

function inProcess(
  invoke: Awaited<ReturnType<InProcessProvider['start']>>['invoke'],
): Pick<ProviderConfig, 'launch'> {
  const operation: Operation = {
    name: 'read',
    kind: 'data_source',
    risk: 'read_only',
    description: 'inside',
    input: INPUT,
    output: OUTPUT,
    streaming: true,
    concurrency: { safe: true, keyFields: [] },
    idempotent: false,
    terminatesTurn: false,
    derivedKeys: [],
  };
  return {
    launch: {
      type: 'in_process',
      provider: {
        start: async () => ({
          describe: async () => ({
            name: 'inside',
            version: '1.0.0',
            source: '',
            category: 'tool',
            protocolVersion: 1,
          }),
          schema: async () => ({
            operations: [operation],
            slashCommands: [],
            config: [],
            supportedHookPoints: [],
          }),
          configure: async () => undefined,
          invoke,
          preview: async () => undefined,
          render: async () => undefined,
          dispatchHook: async () => undefined,
          stop: async () => undefined,
        }),
      },
    },
  };
}

test('a provider inside of this process: the same rules, deadlines and cancellations', async (t) => {
  const harness = await openHarness(t, {
    settings: { cancelGraceMs: 50 },
    provider: inProcess(async function* (call) {
      const script = call.arguments['script'];
      if (script === '["ok"]')
        yield { ok: true, event: { type: 'result', payload: { text: 'x' } } };
      if (script === '["nan"]') {
        yield { ok: true, event: { type: 'result', payload: { text: Number.NaN } } };
      }
      if (script === '["throws"]') {
        throw new ToolError({ category: 'not_found', message: 'gone', retryable: false });
      }
      if (script === '["bug"]') throw new Error('a bug');
      if (script === '["hangs"]') await new Promise(() => undefined);
    }),
  });
  const call = (what: string, timeoutMs = 5_000) =>
    harness.call('p.read', [what] as never, { timeoutMs, session: harness.newSession() });
  assert.deepEqual(payloadOf(await call('ok')), { text: 'x' });
  assert.equal(errorOf(await call('nothing'), 'unknown').details?.['requirement'], 'EVT-01');
  assert.equal(errorOf(await call('nan'), 'unknown').details?.['requirement'], 'EVT-06');
  errorOf(await call('throws'), 'not_found');
  assert.match(errorOf(await call('bug'), 'unknown').message, /a bug/);
  errorOf(await call('hangs', 50), 'timeout');
  assert.deepEqual(payloadOf(await call('ok')), { text: 'x' }, 'and it was started again');
});
