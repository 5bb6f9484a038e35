import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { echo, fixture, isAlive, killAll, start, until } from '../fixtures/harness.js';
import { handshake } from '../fixtures/handshake.js';
import { parseHandshakeLine } from '../contract/handshake-line.js';

after(killAll);

const pluginProgram = fileURLToPath(new URL('../fixtures/plugin.js', import.meta.url));
const hostProgram = fileURLToPath(new URL('../fixtures/host.js', import.meta.url));

test('without the cookie a plugin tells the human what it is and exits with 1', () => {
  for (const env of [{}, { [handshake.cookieKey]: 'another' }]) {
    const { status, stdout, stderr } = spawnSync(process.execPath, [pluginProgram], {
      env,
      encoding: 'utf8',
    });
    assert.equal(status, 1);
    assert.equal(stdout, '');
    assert.match(stderr, /^The fixture is a plugin\. It is started by the program that uses it/);
  }
});

test('a certificate that is none is refused', () => {
  const { status, stderr } = spawnSync(process.execPath, [pluginProgram], {
    env: { [handshake.cookieKey]: handshake.cookieValue, PLUGIN_CLIENT_CERT: 'nonsense' },
    encoding: 'utf8',
  });
  assert.equal(status, 1);
  assert.match(stderr, /The fixture cannot serve: PLUGIN_CLIENT_CERT holds no certificate/);
});

async function handshakeOf(env: Record<string, string>): Promise<[ChildProcess, string]> {
  const child = spawn(process.execPath, [pluginProgram], {
    env: { [handshake.cookieKey]: handshake.cookieValue, ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [data] = (await once(child.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
  return [child, data.toString('utf8')];
}

test('the version is the highest that both know, else the lowest of the plugin', async () => {
  const expected: [string | undefined, number][] = [
    ['1,2,3', 2],
    ['1', 1],
    ['9', 1],
    ['', 1],
    [undefined, 1],
  ];
  for (const [accepted, version] of expected) {
    const env = accepted === undefined ? {} : { PLUGIN_PROTOCOL_VERSIONS: accepted };
    const [child, text] = await handshakeOf(env as Record<string, string>);
    const parsed = parseHandshakeLine(text);
    assert.ok(parsed.ok);
    assert.equal(parsed.line.protocolVersion, version);
    assert.equal(text.trim().split('|').length, 6);
    child.kill();
    await once(child, 'exit');
    assert.equal(existsSync(parsed.line.address), false, 'the socket is removed on SIGTERM');
  }
});

test('a host that can multiplex the broker is told that this plugin cannot', async () => {
  const [child, text] = await handshakeOf({ PLUGIN_MULTIPLEX_GRPC: 'true' });
  const parsed = parseHandshakeLine(text);
  assert.ok(parsed.ok);
  assert.equal(parsed.line.multiplex, false);
  child.kill();
  await once(child, 'exit');
});

test('SIGINT is left to the host', async () => {
  const { plugin, end } = await start(fixture());
  for (let signal = 0; signal < 3; signal += 1) process.kill(plugin.pid, 'SIGINT');
  assert.equal((await echo(plugin, 'unmoved')).text, 'unmoved');
  await end();
});

test('SIGTERM runs onShutdown and ends the process with 0', async () => {
  const { plugin } = await start(fixture());
  process.kill(plugin.pid, 'SIGTERM');
  const exit = await plugin.exited;
  assert.deepEqual([exit.code, exit.expected], [0, false]);
  assert.ok(exit.stderrTail.includes('shutting down'), exit.stderrTail.join('\n'));
});

interface Started {
  readonly pid: number;
  readonly child: number;
  readonly socketDir: string;
}

async function startHost(): Promise<[ChildProcess, Started]> {
  const host = spawn(process.execPath, [hostProgram], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [data] = (await once(host.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
  return [host, JSON.parse(data.toString('utf8')) as Started];
}

for (const signal of ['SIGKILL', 'SIGUSR2'] as const) {
  const how = signal === 'SIGKILL' ? 'is killed' : 'exits without stopping it';
  test(`when its host ${how}, a plugin ends and leaves nothing behind`, async () => {
    const [host, { pid, child, socketDir }] = await startHost();
    assert.ok(isAlive(pid) && isAlive(child) && readdirSync(socketDir).length === 2);
    host.kill(signal);
    await once(host, 'exit');
    await until('the plugin and its child are gone', () => !isAlive(pid) && !isAlive(child));
    assert.equal(existsSync(socketDir), false, `${socketDir} is left`);
  });
}
