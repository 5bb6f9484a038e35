import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { checkHealth, openChannel } from '../contract/connect.js';
import { listen } from '../contract/listener.js';
import { chooseAddress, openToGroup, removeOrphans } from './address.js';
import { healthService } from './health.js';

test('the directory that the host gives is used', () => {
  const chosen = chooseAddress({ PLUGIN_UNIX_SOCKET_DIR: '/run/host' }, 'linux');
  assert.equal(chosen.address.network, 'unix');
  assert.match(chosen.address.path, /^\/run\/host\/plugin[0-9a-f]{8}$/);
  assert.equal(chosen.hostDir, '/run/host');
});

test('H2: a directory that is too long is passed over with a note', () => {
  const long = `/${'x'.repeat(150)}`;
  const chosen = chooseAddress({ PLUGIN_UNIX_SOCKET_DIR: long }, 'linux');
  assert.equal(chosen.address.network, 'unix');
  assert.ok(chosen.address.path.length < 104);
  assert.match(chosen.note ?? '', /is too long for sockets: using /);
  chosen.remove();
  assert.equal(existsSync(join(chosen.address.path, '..')), false);
});

test('on Windows a plugin listens on the first free port of the range', async () => {
  const first = chooseAddress({ PLUGIN_MIN_PORT: '0', PLUGIN_MAX_PORT: '0' }, 'win32');
  const taken = await listen(first.address, [healthService()], undefined);
  const [, takenPort] = taken.address.split(':');
  const range = { PLUGIN_MIN_PORT: takenPort, PLUGIN_MAX_PORT: String(Number(takenPort) + 20) };
  const second = await listen(chooseAddress(range, 'win32').address, [healthService()], undefined);
  assert.notEqual(second.address, taken.address);
  const channel = openChannel('tcp', second.address, undefined);
  await checkHealth(channel, 5_000);
  channel.close();
  await Promise.all([taken.close(0), second.close(0)]);
  const full = { PLUGIN_MIN_PORT: '1', PLUGIN_MAX_PORT: 'many' };
  assert.throws(() => chooseAddress(full, 'win32'), /"many" is no TCP port/);
});

test('a group is let in where the host asks for it', async () => {
  const { address, remove } = chooseAddress({}, 'linux');
  assert.equal(address.network, 'unix');
  const listener = await listen(address, [], undefined);
  assert.equal(statSync(address.path).mode & 0o777, 0o600);
  openToGroup(address.path, { PLUGIN_UNIX_SOCKET_GROUP: String(process.getgid?.()) });
  assert.equal(statSync(address.path).mode & 0o777, 0o660);
  assert.throws(
    () => openToGroup(address.path, { PLUGIN_UNIX_SOCKET_GROUP: 'no-such-group' }),
    /there is no group "no-such-group"/,
  );
  await listener.close(0);
  remove();
});

test('of what a dead host left, only what is certainly its own is removed', () => {
  const base = mkdtempSync(join(tmpdir(), 'orphans-'));
  const own = join(base, 'plugin-abc');
  mkdirSync(own);
  writeFileSync(join(own, 'host1'), '');
  removeOrphans(own, [join(own, 'host1'), join(base, 'elsewhere')]);
  assert.equal(existsSync(own), false);

  const shared = join(base, 'shared');
  mkdirSync(shared);
  removeOrphans(shared, []);
  assert.equal(existsSync(shared), true);
  rmSync(base, { recursive: true });
});
