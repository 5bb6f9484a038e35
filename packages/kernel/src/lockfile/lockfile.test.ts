// Lock files, and providers that are not what was locked.
import assert from 'node:assert/strict';
import { chmodSync, existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { tempDir } from '@tenon/test-support';
import { configFromObject } from '../config/load.js';
import type { ProviderConfig } from '../config/model.js';
import { createKernel } from '../kernel.js';
import { hashFiles } from './hash-files.js';
import { platform } from './model.js';
import { readLockFile } from './read.js';
import { verifyLock } from './verify.js';
import { lockFileText, makeLockFile, writeLockFile } from './write.js';

const identity = {
  name: 'x',
  version: '1.2.3',
  source: 'here',
  category: 'tool',
  protocolVersion: 1,
};

function providerOf(command: readonly string[], more: object = {}): ProviderConfig {
  const [provider] = configFromObject({ provider: { x: { command, ...more } } }).providers;
  assert.ok(provider);
  return provider;
}

test('a lock file is written, read again, and kept as it is where nothing changed', async (t) => {
  const folder = tempDir(t);
  const program = join(folder, 'program');
  writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 });
  const provider = providerOf([program]);
  const path = join(folder, '.agent', 'agent.lock.hcl');
  const lock = await makeLockFile([{ config: provider, identity }], undefined);
  await writeLockFile(path, lock);
  assert.deepEqual(await readLockFile(path), lock);
  assert.match(readFileSync(path, 'utf8'), /lock_file_version = 1/);
  const later = () => new Date(Date.now() + 1_000_000);
  assert.deepEqual(await makeLockFile([{ config: provider, identity }], lock, later), lock);
  const other = {
    providers: lock.providers.map((one) => ({
      ...one,
      sha256: { ...one.sha256, plan9_mips: { command: 'a'.repeat(64) } },
    })),
  };
  const merged = await makeLockFile([{ config: provider, identity }], other);
  assert.deepEqual(
    Object.keys(merged.providers[0]?.sha256 ?? {}).sort(),
    [platform(), 'plan9_mips'].sort(),
  );
  assert.equal(await readLockFile(join(folder, 'none')), undefined);
});

test('the version of a lock file is read before anything else', async (t) => {
  const path = join(tempDir(t), 'agent.lock.hcl');
  const problem = async (text: string): Promise<string> => {
    writeFileSync(path, text);
    return readLockFile(path).then(
      () => '',
      (error: Error) => error.message,
    );
  };
  assert.match(
    await problem('lock_file_version = 99\n<<< a language of the future >>>'),
    /version 99.*update/,
  );
  assert.match(await problem('provider "x" {}'), /no lock_file_version/);
  assert.match(await problem('lock_file_version = x'), /which is none/);
  assert.match(await problem('lock_file_version = 1\nprovider "x" {'), /missing/);
  assert.match(await problem('lock_file_version = 1\nprovider "x" {\n}\n'), /source is missing/);
  assert.match(
    await problem(
      'lock_file_version = 1\nprovider "x" {\n source = "a"\n version = "1"\n resolved_at = ""\n sha256 = { a = { command = "zz" } }\n}\n',
    ),
    /64 hexadecimal/,
  );
});

test('what differs is named, and a dev override is not checked', async (t) => {
  const folder = tempDir(t);
  const script = join(folder, 'provider.mjs');
  writeFileSync(script, '// one\n');
  const provider = providerOf(['node', script]);
  const lock = await makeLockFile([{ config: provider, identity }], undefined);
  const [locked] = lock.providers;
  assert.deepEqual(
    Object.keys(locked?.sha256[platform()] ?? {}),
    ['argument 1'],
    'the script, not node',
  );
  const verified = await verifyLock(lock, provider, process.execPath);
  assert.deepEqual(verified.args, [script]);
  writeFileSync(script, '// two\n');
  await assert.rejects(
    verifyLock(lock, provider, process.execPath),
    /argument 1.*SHA-256.*is locked.*tenon lock/s,
  );
  await assert.rejects(
    verifyLock({ providers: [] }, provider, process.execPath),
    /not in the lock file/,
  );
  await assert.rejects(
    verifyLock(
      { providers: [{ ...locked!, sha256: { plan9_mips: {} } }] },
      provider,
      process.execPath,
    ),
    /not locked for/,
  );
  const wanted = providerOf(['node', script], { version: '9.9.9' });
  await assert.rejects(verifyLock(lock, wanted, process.execPath), /asks for version 9\.9\.9/);
  const dev = providerOf(['node', script], { dev: true });
  assert.deepEqual((await verifyLock(lock, dev, process.execPath)).args, [script]);
  assert.deepEqual((await makeLockFile([{ config: dev, identity }], undefined)).providers, []);
});

test('RPC-11 a tampered program never runs', async (t) => {
  const folder = tempDir(t);
  const program = join(folder, 'program');
  const touched = join(folder, 'touched');
  writeFileSync(program, '#!/bin/sh\nexit 3\n');
  chmodSync(program, 0o755);
  const config = configFromObject({ provider: { x: { command: [program] } } });
  const [provider] = config.providers;
  assert.ok(provider);
  const lockPath = join(folder, 'agent.lock.hcl');
  await writeLockFile(lockPath, await makeLockFile([{ config: provider, identity }], undefined));
  const start = async (): Promise<string> => {
    const kernel = await createKernel({ config: { ...config, lockPath } });
    const problem = kernel.providers()[0]?.problem ?? '';
    await kernel.close();
    return problem;
  };
  assert.match(await start(), /exit/, 'as it was locked it runs, and is no provider');
  writeFileSync(program, `#!/bin/sh\ntouch ${touched}\n`);
  assert.match(await start(), /not what was locked/);
  assert.equal(existsSync(touched), false);
});

test('the text of a lock file is the same for the same content', () => {
  const provider = { name: 'x', source: 's', version: '1', resolvedAt: 'now' };
  const hash = { command: 'a'.repeat(64) };
  const one = lockFileText({ providers: [{ ...provider, sha256: { b: hash, a: hash } }] });
  const two = lockFileText({ providers: [{ ...provider, sha256: { a: hash, b: hash } }] });
  assert.equal(one, two);
});

test('RPC-11 a script named without "./" is covered, and so is a program that is given a file', async (t) => {
  const folder = tempDir(t);
  writeFileSync(join(folder, 'provider.mjs'), '// one\n');
  const script = providerOf(['node', 'provider.mjs'], { cwd: folder });
  const lock = await makeLockFile([{ config: script, identity }], undefined);
  assert.deepEqual(Object.keys(lock.providers[0]?.sha256[platform()] ?? {}), ['argument 1']);
  writeFileSync(join(folder, 'provider.mjs'), '// two\n');
  await assert.rejects(verifyLock(lock, script, process.execPath), /argument 1.*is locked/);

  const program = join(folder, 'program');
  writeFileSync(program, 'one', { mode: 0o755 });
  writeFileSync(join(folder, 'settings.json'), '{}');
  const files = await hashFiles({
    configured: 'program',
    program,
    args: ['--config', 'settings.json'],
    cwd: folder,
  });
  assert.deepEqual(
    files.map(({ role }) => role),
    ['command', 'argument 2'],
    'a name on PATH is no interpreter because it is given a file',
  );
});

test('a lock file that is there and cannot be read is not taken for none', async (t) => {
  const folder = tempDir(t);
  const link = join(folder, 'link');
  symlinkSync(join(folder, 'gone'), link);
  await assert.rejects(readLockFile(link), /cannot be read/);
  await assert.rejects(readLockFile(folder), /cannot be read/);
});

test('a lock file holds any text', async (t) => {
  const path = join(tempDir(t), 'agent.lock.hcl');
  const lock = {
    providers: [
      { name: 'x', source: 'a"${b}%{c}$${d}', version: '1\n', resolvedAt: 'now', sha256: {} },
    ],
  };
  await writeLockFile(path, lock);
  assert.deepEqual(await readLockFile(path), lock);
});
