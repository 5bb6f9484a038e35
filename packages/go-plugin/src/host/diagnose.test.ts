import assert from 'node:assert/strict';
import { chmodSync, copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { failToStart, fixture } from '../fixtures/harness.js';
import { diagnoseCommand } from './diagnose.js';

// H5: programs that cannot run, each started for real, and each error names its cause.

const dir = mkdtempSync(join(tmpdir(), 'diagnose-'));
after(() => rmSync(dir, { recursive: true }));

function program(name: string, content: string | Buffer, mode = 0o755): string {
  const file = join(dir, name);
  writeFileSync(file, content);
  chmodSync(file, mode);
  return file;
}

async function complaint(command: string): Promise<string> {
  const error = await failToStart(fixture('', { command, args: [] }));
  assert.ok(['spawn', 'exited', 'handshake'].includes(error.reason), error.reason);
  return error.message;
}

test('H5: not executable', async () => {
  const file = program('plain', '#!/bin/sh\n', 0o644);
  assert.match(await complaint(file), /is not executable; run: chmod \+x/);
});

test('H5: not there', async () => {
  assert.match(await complaint(join(dir, 'nothing')), /does not exist/);
  assert.match(await complaint('no-such-command-anywhere'), /was not found on the plugin's PATH/);
});

test('H5: a directory', async () => {
  assert.match(await complaint(dir), /is a directory, not a program/);
});

test('H5: a script without a line that names its interpreter', async () => {
  const file = program('noshebang', 'import sys\nprint("hello")\n');
  assert.match(await complaint(file), /script without a first line that names its interpreter/);
});

test('H5: a script whose interpreter is missing', async () => {
  const file = program('nointerpreter', '#!/opt/none/python\n');
  assert.match(await complaint(file), /is a script for \/opt\/none\/python, which is not on this/);
});

test('H5: a script with Windows line ends', async () => {
  const file = program('crlf', '#!/bin/sh\r\necho\r\n');
  assert.match(await complaint(file), /has Windows line ends/);
});

test('H5: an empty file', async () => {
  assert.match(await complaint(program('empty', '')), /is empty/);
});

test('H5: a working directory that is not there', async () => {
  const error = await failToStart(fixture('', { cwd: join(dir, 'gone') }));
  assert.equal(error.reason, 'spawn');
  assert.match(error.message, /the working directory .*gone does not exist/);
});

test('H5: programs for other systems', async (t) => {
  if (process.platform !== 'linux') return t.skip('the magic numbers of this system run here');
  const windows = program('plugin.exe', Buffer.concat([Buffer.from('MZ'), Buffer.alloc(200)]));
  assert.match(await complaint(windows), /is a program for Windows/);
  const mac = program('mac', Buffer.concat([Buffer.from('cffaedfe', 'hex'), Buffer.alloc(200)]));
  assert.match(await complaint(mac), /is a program for macOS/);
});

test('H5: another processor, another C library, a missing shared library', async (t) => {
  if (process.platform !== 'linux' || process.arch !== 'x64') return t.skip('patches x64 programs');
  const original = join(dir, 'sleep');
  copyFileSync('/bin/sleep', original);

  const foreign = readFileSync(original);
  foreign.writeUInt16LE(183, 18);
  assert.match(
    await complaint(program('arm', foreign)),
    /was built for arm64, this machine is x64/,
  );

  const musl = patched(original, '/lib64/ld-linux-x86-64.so.2', '/lib64/ld-nowhere-x86-64.so');
  assert.match(
    await complaint(program('musl', musl)),
    /needs the dynamic loader \/lib64\/ld-nowhere/,
  );

  const unlinked = patched(original, 'libc.so.6', 'libz.so.9');
  assert.match(
    await complaint(program('unlinked', unlinked)),
    /needs the shared library libz\.so\.9, which could not be loaded/,
  );
});

test('a sound program is not accused', () => {
  assert.equal(diagnoseCommand(process.execPath, {}, undefined), undefined);
  assert.equal(diagnoseCommand('sh', { PATH: '/usr/bin:/bin' }, '/'), undefined);
});

function patched(file: string, text: string, replacement: string): Buffer {
  const content = readFileSync(file);
  const at = content.indexOf(text);
  assert.notEqual(at, -1);
  content.fill(0, at, at + text.length);
  content.write(replacement, at, 'latin1');
  return content;
}
