import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { processContext } from './context.js';
import { buildProgram } from './program.js';

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

test('every command and every option is in the reference', async () => {
  const reference = readFileSync(
    new URL('../../../docs/reference/cli.md', import.meta.url),
    'utf8',
  );
  const context = processContext();
  const program = await buildProgram(context, [], () => undefined);
  context.close();
  const missing: string[] = [];
  const check = (command: Command, path: readonly string[]): void => {
    const name = ['tenon', ...path].join(' ');
    if (command.commands.length === 0 && !reference.includes(name)) missing.push(name);
    for (const { long } of command.options) {
      if (typeof long === 'string' && !reference.includes(long)) missing.push(`${name} ${long}`);
    }
    for (const inner of command.commands) check(inner, [...path, inner.name()]);
  };
  check(program, []);
  assert.deepEqual(missing, []);
});
