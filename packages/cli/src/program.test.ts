import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const bin = fileURLToPath(new URL('../bin/tenon.js', import.meta.url));

function tenon(...args: string[]): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(process.execPath, [bin, ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

test('--help names every command and the exit codes, and --version the version', () => {
  const { status, stdout } = tenon('--help');
  assert.equal(status, 0);
  for (const command of [
    'quickstart',
    'call',
    'operations',
    'describe',
    'init',
    'log',
    'show',
    'replay',
    'export',
    'turn',
    'policy',
    'lock',
    'conform',
    'prune',
  ]) {
    assert.match(stdout, new RegExp(`^ {2}${command}\\b`, 'm'));
  }
  assert.match(stdout, /130 {2}cancelled/);
  const manifest = JSON.parse(
    readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
  ) as { version: string };
  assert.equal(tenon('--version').stdout.trim(), manifest.version);
});

test('a wrong command or option ends with 2 and says what was meant', () => {
  const command = tenon('operation');
  assert.equal(command.status, 2);
  assert.match(command.stderr, /Did you mean operations\?/);
  const option = tenon('log', '--folow');
  assert.equal(option.status, 2);
  assert.match(option.stderr, /Did you mean --follow\?/);
  assert.equal(tenon('call').status, 2);
});

test('every command and every option is in the reference', () => {
  const reference = readFileSync(
    new URL('../../../docs/reference/cli.md', import.meta.url),
    'utf8',
  );
  const missing: string[] = [];
  const check = (path: readonly string[]): void => {
    const { stdout } = tenon(...path, '--help');
    if (path.length > 0 && !reference.includes(`tenon ${path.join(' ')}`))
      missing.push(path.join(' '));
    for (const [option] of stdout.matchAll(/^ {2}(?:-\w, )?--[a-z-]+/gm)) {
      const long = option.trim().split(' ').at(-1) ?? '';
      if (!reference.includes(long)) missing.push(`${path.join(' ')} ${long}`);
    }
    const commands = stdout.split('Commands:')[1] ?? '';
    for (const [, name] of commands.matchAll(/^ {2}([a-z]+)\b/gm)) {
      if (name !== undefined && name !== 'help') check([...path, name]);
    }
  };
  check([]);
  assert.deepEqual(missing, []);
});
