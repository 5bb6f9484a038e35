import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { requireTool, tempDir } from '@tenon/test-support';
import { inTerminal } from '../fixtures/in-terminal.js';
import { demoCommand, jsonLines, runTenon, tenonBin } from '../fixtures/run-tenon.js';

const withDemo = `--provider-command=demo=${demoCommand.map((word) => `'${word}'`).join(' ')}`;
const append = (id: string, path: string): object => ({
  type: 'tool_use',
  id,
  name: 'demo__append',
  input: { path, line: id },
});
const message = {
  role: 'assistant',
  content: [
    { type: 'text', text: 'I will write two files.' },
    append('one', 'one.txt'),
    { type: 'tool_use', id: 'read', name: 'demo__echo', input: { text: 'hi' } },
    append('two', 'two.txt'),
  ],
};

test('a message runs as one turn: outcomes in its order, and the gravest exit code', async (t) => {
  const cwd = tempDir(t);
  const input = JSON.stringify(message);
  const denied = await runTenon(['turn', withDemo, '--json'], { cwd, input });
  assert.equal(denied.code, 3, denied.stderr);
  const events = jsonLines(denied.stdout);
  const outcomes = events.filter((event) => event['type'] === 'outcome');
  assert.deepEqual(
    outcomes.map((outcome) => [outcome['operation'], outcome['status']]),
    [
      ['append', 'denied'],
      ['echo', 'ok'],
      ['append', 'denied'],
    ],
  );
  assert.ok(
    events.some((event) => event['type'] === 'turn_ended' && event['reason'] === 'continue'),
  );
  assert.ok(!existsSync(join(cwd, 'one.txt')));

  const allowed = await runTenon(['turn', withDemo, '--yes', '-'], { cwd, input });
  assert.equal(allowed.code, 0, allowed.stderr);
  assert.match(
    allowed.stdout,
    /── 1\. demo\.append\nline: one\n── 2\. demo\.echo[\s\S]*── 3\. demo\.append\nline: two\n/,
  );
  assert.equal(readFileSync(join(cwd, 'two.txt'), 'utf8'), 'two\n');
});

test('--results prints what goes back to the model, and --tools what it is offered', async (t) => {
  const cwd = tempDir(t);
  const input = JSON.stringify(message);
  const { stdout } = await runTenon(['turn', withDemo, '--results', 'anthropic'], { cwd, input });
  const results = JSON.parse(stdout) as { tool_use_id: string; is_error?: boolean }[];
  assert.deepEqual(
    results.map((result) => [result.tool_use_id, result.is_error]),
    [
      ['one', true],
      ['read', undefined],
      ['two', true],
    ],
  );
  const tools = await runTenon(['operations', withDemo, '--tools', 'openai'], { cwd });
  assert.match(tools.stdout, /"name": "demo__append"/);
});

test('GATE-09 in plan mode what changes something is refused', async (t) => {
  const cwd = tempDir(t);
  const file = join(cwd, 'calls.json');
  writeFileSync(file, JSON.stringify(message));
  const { code, stderr } = await runTenon(['turn', withDemo, '--plan', '--yes', 'calls.json'], {
    cwd,
  });
  assert.notEqual(code, 0, stderr);
  assert.ok(!existsSync(join(cwd, 'one.txt')));
});

test('what is not a list of calls ends with 2', async () => {
  for (const input of ['{"calls":[{"nam":"x"}]}', '[]', 'not json', '']) {
    const { code, stderr } = await runTenon(['turn', withDemo], { input });
    assert.equal(code, 2, input);
    assert.match(stderr, /stdin|standard input/);
  }
  assert.equal((await runTenon(['turn', withDemo, 'no-such-file.json'])).code, 2);
});

test('GATE-02 on a terminal one screen decides about all of them', async (t) => {
  if (!requireTool(t, 'script')) return;
  const cwd = tempDir(t);
  writeFileSync(join(cwd, 'calls.json'), JSON.stringify(message));
  const terminal = inTerminal(t, [tenonBin, 'turn', withDemo, 'calls.json'], { cwd });
  const screen = await terminal.expect('> ');
  assert.match(screen, /1\. demo\.append/);
  assert.match(screen, /2\. demo\.append/);
  terminal.type('1n not this one\n');
  await terminal.expect('> ');
  terminal.type('y\n');
  assert.equal(await terminal.exit(), 3);
  assert.ok(!existsSync(join(cwd, 'one.txt')));
  assert.equal(readFileSync(join(cwd, 'two.txt'), 'utf8'), 'two\n');
  assert.match(terminal.text(), /not this one/);
});
