import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { ServiceError } from '@grpc/grpc-js';
import { create } from '@bufbuild/protobuf';
import { CountRequestSchema, PluginService } from '../gen/fixture/v1/fixture_pb.js';
import {
  act,
  assertNothingLeft,
  echo,
  failToStart,
  fixture,
  greeter,
  isAlive,
  killAll,
  printed,
  start,
  until,
  wrong,
} from '../fixtures/harness.js';
import { serviceDefinition } from '../contract/service.js';

const UNAVAILABLE = 14;

after(killAll);

test('a plugin starts with mutual TLS, answers, and ends when asked', async () => {
  const { plugin, socketDir, output, end } = await start(fixture());
  assert.equal(plugin.tls, true);
  assert.equal(plugin.protocolVersion, 2);
  await plugin.ping(5_000);
  assert.equal((await echo(plugin, 'grüße')).text, 'grüße');
  assert.ok(readdirSync(socketDir).length > 0, 'the plugin listens in the directory it was given');
  await end();
  const exit = await plugin.exited;
  assert.deepEqual([exit.code, exit.signal, exit.expected], [0, null, true]);
  assert.deepEqual(plugin.exit, exit);
  assert.match(printed(output, 'stdio', 'stderr'), /shutting down/);
  await assert.rejects(plugin.ping(1_000), /the plugin exited with code 0/);
});

test('without TLS a plugin is used only where that is allowed', async () => {
  const { plugin, end } = await start(fixture('', { tls: 'off' }));
  assert.equal(plugin.tls, false);
  assert.equal((await echo(plugin, 'plain')).text, 'plain');
  await end();
  const refused = await failToStart(wrong(['print', '1|1|unix|/nowhere|grpc|\\n']));
  assert.equal(refused.reason, 'tls');
  assert.match(refused.message, /without a certificate.*launch it with tls: "off"/s);
});

test('the environment is what was given and the handshake, nothing else', async () => {
  process.env.HOST_SECRET = 'do not hand on';
  const { plugin, end } = await start(fixture('', { env: { PATH: '/bin', COLOUR: 'red' } }));
  delete process.env.HOST_SECRET;
  const environment = JSON.parse(await act(plugin, 'environment')) as Record<string, string>;
  await end();
  assert.deepEqual(Object.keys(environment).sort(), [
    'COLOUR',
    'FIXTURE_PLUGIN',
    'PATH',
    'PLUGIN_CLIENT_CERT',
    'PLUGIN_MAX_PORT',
    'PLUGIN_MIN_PORT',
    'PLUGIN_PROTOCOL_VERSIONS',
    'PLUGIN_UNIX_SOCKET_DIR',
  ]);
  assert.equal(environment.PLUGIN_PROTOCOL_VERSIONS, '1,2');
});

test('messages of many megabytes pass both ways', async () => {
  const { plugin, end } = await start(fixture());
  const data = Buffer.alloc(20 * 1024 * 1024, 'abcdefg');
  const answer = await echo(plugin, '', data);
  assert.ok(data.equals(answer.data));
  await end();
});

test('H1: a line before the handshake is quoted and explained', async () => {
  const error = await failToStart(fixture('chatty'));
  assert.equal(error.reason, 'handshake');
  assert.equal(error.line, 'starting up…');
  assert.match(error.message, /"starting up…".*nothing may be printed on stdout before/s);
});

test('a first line without end, of garbage, or of another version is refused', async () => {
  const endless = await failToStart(wrong(['endless']));
  assert.equal(endless.reason, 'handshake');
  assert.match(endless.message, /64 KiB on stdout without a line end, beginning with "xxx/);

  const garbage = await failToStart(wrong(['print', '\u0001\u0007|||||\\n']));
  assert.equal(garbage.reason, 'handshake');
  assert.ok(garbage.message.includes('\\u0001\\u0007|||||'), 'control characters are escaped');

  const future = await failToStart(fixture('future'));
  assert.equal(future.reason, 'version');
  assert.match(future.message, /speaks protocol version 7, this host accepts 1, 2/);

  const closed = await failToStart(wrong(['hang-up']));
  assert.equal(closed.reason, 'handshake');
  assert.match(closed.message, /closed its stdout without printing the go-plugin handshake/);
});

test('H3: an exit while starting is quoted with its last words', async () => {
  const error = await failToStart(wrong(['die', '137']));
  assert.equal(error.reason, 'exited');
  assert.equal(error.exit?.code, 137);
  assert.equal(error.exit.expected, false);
  assert.deepEqual(error.stderrTail, ['reading the configuration', 'no such key: colour']);
  assert.match(error.message, /exited with code 137 before its handshake.*no such key: colour/s);

  const crashed = await failToStart(wrong(['crash']));
  assert.equal(crashed.reason, 'exited');
  assert.match(crashed.message, /was killed by SIGSEGV/);

  const talkative = await failToStart(wrong(['print-and-die']));
  assert.match(talkative.message, /"Error: something is missing"/);
  assert.match(talkative.message, /exited with code 3/);
});

test('a plugin that says nothing is given up in time', async () => {
  const error = await failToStart(wrong(['mute'], { startTimeoutMs: 300 }));
  assert.equal(error.reason, 'timeout');
  assert.match(error.message, /not ready within 300 ms/);
});

test('a plugin that nobody can connect to is given up in time', async () => {
  const error = await failToStart(wrong(['dead-address'], { tls: 'off', startTimeoutMs: 400 }));
  assert.ok(['timeout', 'connect'].includes(error.reason), error.reason);
});

test('a start can be aborted, before and while it runs', async () => {
  const early = await failToStart(wrong(['mute'], { signal: AbortSignal.abort() }));
  assert.equal(early.reason, 'aborted');
  const controller = new AbortController();
  const attempt = failToStart(
    wrong(['mute'], {
      signal: controller.signal,
      onOutput: () => controller.abort(),
    }),
  );
  assert.equal((await attempt).reason, 'aborted');
});

test('H2: a temporary directory of 150 characters is no obstacle', async () => {
  const before = process.env.TMPDIR;
  const base = mkdtempSync(join(tmpdir(), 'long-'));
  const long = join(base, 'x'.repeat(150));
  mkdirSync(long);
  process.env.TMPDIR = long;
  try {
    const { plugin, end } = await start(fixture('', { env: { TMPDIR: long } }));
    assert.equal((await echo(plugin, 'here')).text, 'here');
    await end();
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
    rmSync(base, { recursive: true });
  }
});

test('H4: calls go on when the socket file is deleted', async () => {
  const { plugin, socketDir, end } = await start(fixture());
  await echo(plugin, 'before');
  for (const name of readdirSync(socketDir)) unlinkSync(join(socketDir, name));
  for (let call = 0; call < 20; call += 1) await echo(plugin, 'after');
  await plugin.ping(5_000);
  await end();
});

test('what is printed reaches the host by whichever way it takes', async () => {
  const { plugin, output, end } = await start(fixture());
  await act(plugin, 'print', 'to the console');
  await act(plugin, 'complain', 'to the error console');
  await act(plugin, 'native', 'to the descriptor');
  await until('the console was read', () =>
    printed(output, 'stdio', 'stdout').includes('to the console\n'),
  );
  await until('the error console was read', () =>
    printed(output, 'stdio', 'stderr').includes('to the error console\n'),
  );
  await until('the descriptor was read', () =>
    printed(output, 'pipe', 'stdout').includes('to the descriptor\n'),
  );
  assert.match(printed(output, 'stdio', 'stdout'), /^a stray line while starting\n/);
  assert.ok(plugin.stderrTail().includes('to the error console'));
  await end();
});

test('megabytes of output neither block the plugin nor get lost or out of order', async () => {
  const { plugin, output, end } = await start(fixture());
  await act(plugin, 'print-much');
  await echo(plugin, 'still there');
  await until('all was read', () => printed(output, 'stdio', 'stdout').includes('49999 xxx'));
  const numbers = printed(output, 'stdio', 'stdout')
    .split('\n')
    .filter((line) => /^\d+ x+$/.test(line))
    .map((line) => Number.parseInt(line, 10));
  assert.deepEqual(
    numbers,
    Array.from({ length: 50_000 }, (_, line) => line),
  );
  await end();
});

test('the broker connects a plugin to the services of its own launch', async () => {
  const both = await Promise.all(
    ['one', 'two'].map((who) =>
      start(fixture('', { brokerServices: new Map([[1, [greeter(who)]]]) })),
    ),
  );
  const answers = await Promise.all(both.map(({ plugin }) => act(plugin, 'greet', '1')));
  assert.deepEqual(answers, ['hello plugin, this is one', 'hello plugin, this is two']);
  const again = await act((both[0] as (typeof both)[0]).plugin, 'greet', '1');
  assert.equal(again, 'hello plugin, this is one');
  await assert.rejects(
    act((both[0] as (typeof both)[0]).plugin, 'greet', '9'),
    /announced no service under broker id 9/,
  );
  await Promise.all(both.map(({ end }) => end()));
});

test('the broker works without TLS too', async () => {
  const { plugin, end } = await start(
    fixture('', { tls: 'off', brokerServices: new Map([[1, [greeter('me')]]]) }),
  );
  assert.equal(await act(plugin, 'greet', '1'), 'hello plugin, this is me');
  await end();
});

test('a lost connection is made again, with stdio and broker', async () => {
  const { plugin, output, end } = await start(
    fixture('', { brokerServices: new Map([[1, [greeter('me')]]]) }),
  );
  // More cancelled calls than Node's HTTP/2 server takes from one connection in a burst.
  const method = serviceDefinition(PluginService).count;
  const client = plugin.client(PluginService);
  const cancelled = Array.from({ length: 1_500 }, () => {
    const stream = client.makeServerStreamRequest(
      method.path,
      method.requestSerialize,
      method.responseDeserialize,
      create(CountRequestSchema, { messages: 1 }),
    );
    stream.on('data', () => stream.cancel());
    return new Promise<void>((resolve) => {
      stream.on('error', () => resolve());
      stream.on('end', () => resolve());
    });
  });
  await Promise.all(cancelled);
  // Calls that were under way when the connection went may fail; the next ones do not.
  await echo(plugin, 'lost').catch(() => {});
  await echo(plugin, 'lost, perhaps').catch(() => {});
  await act(plugin, 'print', 'after the loss');
  await until('it is read', () => printed(output, 'stdio', 'stdout').includes('after the loss'));
  assert.equal(await act(plugin, 'greet', '1'), 'hello plugin, this is me');
  await end();
});

test('when a plugin dies, its calls fail, its exit is reported, its children are killed', async () => {
  const { plugin, socketDir } = await start(fixture());
  const child = Number(await act(plugin, 'spawn'));
  const hanging = new Promise<ServiceError>((resolve) => {
    const method = serviceDefinition(PluginService).count;
    plugin
      .client(PluginService)
      .makeServerStreamRequest(
        method.path,
        method.requestSerialize,
        method.responseDeserialize,
        create(CountRequestSchema, { messages: 0 }),
      )
      .on('error', (error) => resolve(error as ServiceError))
      .resume();
  });
  await echo(plugin, 'the stream is open');
  process.kill(plugin.pid, 'SIGKILL');
  assert.equal((await hanging).code, UNAVAILABLE);
  const exit = await plugin.exited;
  assert.deepEqual([exit.code, exit.signal, exit.expected], [null, 'SIGKILL', false]);
  await until('the child is gone', () => !isAlive(child));
  assertNothingLeft(plugin.pid, socketDir);
  await assert.rejects(echo(plugin, 'too late'), {
    code: UNAVAILABLE,
    details: 'the plugin was killed by SIGKILL',
  });
});

test('a plugin that exits by itself leaves its last words', async () => {
  const { plugin, socketDir } = await start(fixture());
  await assert.rejects(act(plugin, 'exit', '42'), { code: UNAVAILABLE });
  const exit = await plugin.exited;
  assert.deepEqual([exit.code, exit.expected], [42, false]);
  assert.ok(exit.stderrTail.includes('I am about to exit'), exit.stderrTail.join('\n'));
  assertNothingLeft(plugin.pid, socketDir);
});

test('a plugin that does not end is terminated, then killed', async () => {
  const limits = { shutdownGraceMs: 100, termGraceMs: 100 };
  for (const how of ['stubborn', 'busy', 'stopped'] as const) {
    const { plugin, socketDir } = await start(fixture(how, limits));
    const child = Number(await act(plugin, 'spawn'));
    if (how === 'busy') act(plugin, 'hang').catch(() => {});
    if (how === 'stopped') process.kill(plugin.pid, 'SIGSTOP');
    const [exit, same] = await Promise.all([plugin.stop(), plugin.stop()]);
    assert.equal(exit, same);
    assert.deepEqual([exit.signal, exit.expected], ['SIGKILL', true], how);
    await until('the child is gone', () => !isAlive(child));
    assertNothingLeft(plugin.pid, socketDir);
  }
});

test('kill ends a plugin at once', async () => {
  const { plugin, socketDir } = await start(fixture());
  const exit = await plugin.kill();
  assert.deepEqual([exit.signal, exit.expected], ['SIGKILL', true]);
  assertNothingLeft(plugin.pid, socketDir);
  assert.equal(existsSync(socketDir), false);
});

test('a health check of a plugin that does not answer says so', async () => {
  const { plugin } = await start(fixture());
  process.kill(plugin.pid, 'SIGSTOP');
  await assert.rejects(plugin.ping(100), /the health check failed: DEADLINE_EXCEEDED/);
  await plugin.kill();
});
