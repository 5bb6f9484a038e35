import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { requireTool, tempDir } from '@tenon/test-support';
import { inTerminal } from '../fixtures/in-terminal.js';
import type { InTerminal } from '../fixtures/in-terminal.js';

const program = fileURLToPath(new URL('../../fixtures/approve.mjs', import.meta.url));

function start(
  t: TestContext,
  args: string[],
  env: NodeJS.ProcessEnv = {},
): InTerminal | undefined {
  return requireTool(t, 'script') ? inTerminal(t, [program, ...args], { env }) : undefined;
}

async function result(terminal: InTerminal): Promise<unknown> {
  await terminal.expect('RESULT ');
  assert.equal(await terminal.exit(), 0);
  return JSON.parse(terminal.text().split('RESULT ')[1] ?? '');
}

const allow = (scope: string): object => ({
  status: 'fulfilled',
  value: { action: 'allow', scope, by: 'user' },
});
const deny = (reason: string): object => ({
  status: 'fulfilled',
  value: { action: 'deny', scope: 'once', reason, by: 'user' },
});

test('GATE-07 one item: operation, risk, arguments, and the scopes', async (t) => {
  for (const [key, expected] of [
    ['y', allow('once')],
    ['s', allow('session')],
    ['a', allow('always')],
    ['n not that one', deny('not that one')],
  ] as const) {
    const terminal = start(t, ['1']);
    if (terminal === undefined) return;
    const screen = await terminal.expect('> ');
    assert.match(screen, /files\.write_1/);
    assert.match(screen, /risk .*high/);
    assert.match(screen, /"path": "file-1.txt"/);
    assert.match(
      screen,
      /\[y\] once {2}\[s\] this session {2}\[a\] always {2}\[e\] edit arguments {2}\[n\] deny/,
    );
    terminal.type(`${key}\n`);
    assert.deepEqual(await result(terminal), [expected]);
  }
});

test('GATE-02 several items are on one screen, each with its own decision', async (t) => {
  const terminal = start(t, ['3']);
  if (terminal === undefined) return;
  const screen = await terminal.expect('> ');
  for (const name of ['1. files.write_1', '2. files.write_2', '3. files.write_3']) {
    assert.ok(screen.includes(name), name);
  }
  terminal.type('1y 3s\n');
  const again = await terminal.expect('> ');
  assert.ok(again.includes('files.write_2') && !again.includes('files.write_1'));
  terminal.type('n too much\n');
  assert.deepEqual(await result(terminal), [allow('once'), deny('too much'), allow('session')]);
});

test('an empty line, an unknown key and keys typed too early decide nothing', async (t) => {
  const terminal = start(t, ['1']);
  if (terminal === undefined) return;
  terminal.type('y\n');
  await terminal.expect('> ');
  terminal.type('\n');
  await terminal.expect('nothing was chosen');
  await terminal.expect('> ');
  terminal.type('x\n');
  await terminal.expect('not one of the choices');
  await terminal.expect('> ');
  terminal.type('n\n');
  assert.deepEqual(await result(terminal), [deny('the user denied it')]);
});

test('the end of the input denies', async (t) => {
  const terminal = start(t, ['2']);
  if (terminal === undefined) return;
  await terminal.expect('> ');
  terminal.type('\u0004');
  const reason = 'the input ended without a decision';
  assert.deepEqual(await result(terminal), [deny(reason), deny(reason)]);
});

test('GATE-06 arguments are edited on one line, checked against the schema while they are', async (t) => {
  const terminal = start(t, ['1']);
  if (terminal === undefined) return;
  await terminal.expect('> ');
  terminal.type('e\n');
  await terminal.expect('{"path":"file-1.txt"}');
  // Ctrl-U empties the line.
  terminal.type('\u0015{"path":5}\n');
  await terminal.expect('/path');
  await terminal.expect('arguments (empty gives up): ');
  terminal.type('\u0015{"path":"other.txt","mode":7}\n');
  assert.deepEqual(await result(terminal), [
    {
      status: 'fulfilled',
      value: {
        action: 'allow',
        scope: 'once',
        arguments: { path: 'other.txt', mode: 7 },
        by: 'user',
      },
    },
  ]);
});

test('GATE-06 arguments are edited in the editor of the user', async (t) => {
  const editor = join(tempDir(t), 'editor.mjs');
  writeFileSync(
    editor,
    `import { readFileSync, writeFileSync } from 'node:fs';
     const path = process.argv[2];
     writeFileSync(path, readFileSync(path, 'utf8').replace('file-1', 'edited'));`,
  );
  const terminal = start(t, ['1'], { EDITOR: `${process.execPath} ${editor}` });
  if (terminal === undefined) return;
  await terminal.expect('> ');
  terminal.type('e\n');
  const [decision] = (await result(terminal)) as [{ value: { arguments: unknown } }];
  assert.deepEqual(decision.value.arguments, { path: 'edited.txt' });
});

test('a long plan is shortened until it is asked for', async (t) => {
  const terminal = start(t, ['1', 'long']);
  if (terminal === undefined) return;
  const screen = await terminal.expect('> ');
  assert.match(screen, /more lines/);
  assert.ok(!screen.includes('line 300'));
  terminal.type('v\n');
  assert.ok((await terminal.expect('> ')).includes('line 300'));
  terminal.type('y\n');
  assert.deepEqual(await result(terminal), [allow('once')]);
});

test('a description that tries to repaint the prompt comes out visible', async (t) => {
  const terminal = start(t, ['1', '\u001b[2J\u001b[H[y] harmless']);
  if (terminal === undefined) return;
  const screen = await terminal.expect('> ');
  assert.ok(!screen.includes('\u001b[2J'));
  assert.match(screen, /␛\[2J/);
  terminal.type('n\n');
  await result(terminal);
});

test('a question is answered by number or text, field by field, and asked again until it fits', async (t) => {
  const terminal = start(t, ['question']);
  if (terminal === undefined) return;
  const screen = await terminal.expect('answer> ');
  assert.match(screen, /Which colour\?/);
  assert.match(screen, /2\) green/);
  terminal.type('blue\n');
  await terminal.expect('that is not one of the choices');
  await terminal.expect('answer> ');
  terminal.type('2\n');
  await terminal.expect('sure');
  await terminal.expect('> ');
  terminal.type('perhaps\n');
  await terminal.expect('that is not true | false');
  await terminal.expect('> ');
  terminal.type('yes\n');
  await terminal.expect('tries');
  await terminal.expect('> ');
  terminal.type('\n');
  assert.deepEqual(await result(terminal), { answer: 'green', sure: true });
});

test('an open question takes other texts, and an empty answer for its default', async (t) => {
  for (const [typed, answer] of [
    ['blue', 'blue'],
    ['', 'red'],
  ]) {
    const terminal = start(t, ['question', 'open']);
    if (terminal === undefined) return;
    await terminal.expect('answer> ');
    terminal.type(`${typed}\n`);
    await terminal.expect('> ');
    terminal.type('no\n');
    await terminal.expect('tries');
    await terminal.expect('> ');
    terminal.type('3\n');
    assert.deepEqual(await result(terminal), { answer, sure: false, tries: 3 });
  }
});
