import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  childrenOf,
  descendantsOf,
  processAlive,
  requireTool,
  tempDir,
  waitUntil,
} from '@tenon/test-support';
import { inTerminal } from '../fixtures/in-terminal.js';
import { jsonLines, runTenon, startTenon, tenonBin, withDemo } from '../fixtures/run-tenon.js';

const call = (...words: string[]): string[] => ['call', withDemo, ...words];

test('a read runs without a question; its result is on stdout, and nothing is left', async () => {
  const { code, stdout, stderr } = await runTenon(call('demo.echo', '--text', 'hi'));
  assert.equal(stderr, '');
  assert.equal(stdout, 'json: {"text":"hi"}\n');
  assert.equal(code, 0);
  assert.deepEqual(childrenOf(process.pid), []);
});

test('arguments come as flags, JSON, a file and standard input', async (t) => {
  const file = join(tempDir(t), 'args.json');
  writeFileSync(file, '{"text":"from a file","count":1}');
  const cases: [string[], string][] = [
    [
      ['--names', 'a', '--names', 'b', '--flag', '--deep.level', '2', '--mode', 'b'],
      '{"names":["a","b"],"flag":true,"deep":{"level":2},"mode":"b"}',
    ],
    [['--json', '{"text":"x"}', '--count=3'], '{"text":"x","count":3}'],
    [[`@${file}`, '--no-flag'], '{"text":"from a file","count":1,"flag":false}'],
    [['-'], '{"text":"from stdin"}'],
    [['--timeout', '5'], '{"timeout":5}'],
  ];
  for (const [words, expected] of cases) {
    const { stdout, stderr } = await runTenon(call('demo.echo', ...words), {
      input: '{"text":"from stdin"}',
    });
    assert.equal(stdout, `json: ${expected}\n`, `${words.join(' ')}\n${stderr}`);
  }
});

test('a wrong command ends with 2, says everything that is wrong, and runs nothing', async (t) => {
  const cwd = tempDir(t);
  const cases: [string[], RegExp][] = [
    [
      call('demo.echo', '--txt', 'x', '--count', 'many'),
      /did you mean --text\?[\s\S]*--count takes a number/,
    ],
    [call('demo.echo', '{"text":'), /the JSON given: not JSON: .*line 1/],
    [call('demo.ecko'), /demo has no operation ecko; did you mean demo\.echo\?/],
    [call('demo.append', '[1]'), /unexpected "\[1\]"/],
    [call('demo.append', '--yes', '--cwd'), /argument missing/],
    [['call', '--timeout', 'soon', withDemo, 'demo.echo'], /not a duration/],
    [['call', '--config', 'nope.hcl', 'demo.echo'], /no configuration at .*nope\.hcl/],
    [['call', 'demo.echo'], /tenon init/],
  ];
  for (const [words, expected] of cases) {
    const { code, stdout, stderr } = await runTenon(words, { cwd });
    assert.match(stderr, expected, words.join(' '));
    assert.equal(code, 2, words.join(' '));
    assert.equal(stdout, '');
  }
});

test('ERR-03 arguments that the kernel refuses end with 1 and point at each problem', async () => {
  const { code, stderr } = await runTenon(call('demo.echo', '{"mode":"c","extra":1}'));
  assert.equal(code, 1);
  assert.match(stderr, /invalid_arguments/);
  assert.match(stderr, /\/mode/);
  assert.match(stderr, /\/extra/);
});

test('a tool error ends with 1, with category, message and details, and cannot repaint the terminal', async () => {
  const { code, stdout, stderr } = await runTenon(call('demo.missing'));
  assert.equal(code, 1);
  assert.equal(stdout, '');
  assert.match(
    stderr,
    /demo\.missing: not_found\nthere is no such thing␛\[2J\n[\s\S]*looked_in:\n• here\n• there/,
  );
});

test('GATE-04 without a terminal a change is denied with 3, and the message says what would allow it', async (t) => {
  const cwd = tempDir(t);
  const words = ['demo.append', '--path', 'f.txt', '--line', 'x'];
  const denied = await runTenon(call(...words), { cwd });
  assert.equal(denied.code, 3);
  assert.match(denied.stderr, /--allow demo\.append/);
  assert.match(denied.stderr, /tool_name = "append"/);
  assert.ok(!existsSync(join(cwd, 'f.txt')));
  for (const flags of [['--yes'], ['--allow', 'demo.append'], ['--allow=demo'], ['-y']]) {
    const allowed = await runTenon(call(...words, ...flags), { cwd });
    assert.equal(allowed.code, 0, allowed.stderr);
  }
  assert.equal(readFileSync(join(cwd, 'f.txt'), 'utf8'), 'x\nx\nx\nx\n');
  const other = await runTenon(call(...words, '--allow', 'demo.slow'), { cwd });
  assert.equal(other.code, 3);
});

test('output streams to the stream that the tool wrote to, byte for byte through a pipe', async () => {
  const { code, stdout, stderr } = await runTenon(call('demo.stream', '--code', '3'));
  assert.equal(code, 0);
  assert.equal(stdout, '€ \u001b[2J\u001b[31mred\u001b[0m\nlines: 1\n');
  assert.equal(stderr, 'careful\nthe process ended with exit code 3\n');
});

test('--json prints every event and the outcome, one object per line', async () => {
  const { stdout, code } = await runTenon(call('demo.stream', '--json'));
  assert.equal(code, 0);
  const events = jsonLines(stdout);
  assert.deepEqual(
    events.flatMap((event) =>
      event['type'] === 'call_event' ? [(event['event'] as { type: string }).type] : [],
    ),
    [
      'output_chunk',
      'output_chunk',
      'output_chunk',
      'output_chunk',
      'progress',
      'partial_result',
      'exit_status',
    ],
  );
  const outcome = events.find((event) => event['type'] === 'outcome');
  assert.equal(outcome?.['type'], 'outcome');
  assert.equal(outcome['status'], 'ok');
  assert.deepEqual(outcome['payload'], { lines: 1 });
});

test('CAN-03 Ctrl-C cancels, prints what had been done, ends with 130 and leaves nothing', async () => {
  const { child, ended } = startTenon(call('demo.slow', '--yes'));
  await waitForOutput(child, 'step 1 done');
  const pid = child.pid ?? 0;
  const providers = descendantsOf(pid);
  assert.ok(providers.length > 0);
  child.kill('SIGINT');
  const { code, stderr } = await ended;
  assert.equal(code, 130);
  assert.match(stderr, /demo\.slow was cancelled/);
  assert.match(stderr, /steps_done: 1/);
  assert.deepEqual(providers.filter(processAlive), []);
});

test('a second Ctrl-C kills a provider that does not end', async () => {
  const { child, ended } = startTenon(call('demo.slow', '--ignore', '--yes'));
  await waitForOutput(child, 'step 1 done');
  const providers = descendantsOf(child.pid ?? 0);
  child.kill('SIGINT');
  await waitForError(child, 'Cancelling');
  child.kill('SIGINT');
  assert.equal((await ended).code, 130);
  await waitUntil(() => !providers.some(processAlive), { what: 'the providers are gone' });
});

test('TMO-02 --timeout ends the call', async () => {
  const { code, stderr } = await runTenon(call('--timeout', '300ms', 'demo.slow', '--yes'));
  assert.equal(code, 1);
  assert.match(stderr, /demo\.slow: timeout/);
});

test('a reader that goes away ends the command without a stack trace', async () => {
  const { child, ended } = startTenon(call('demo.slow', '--yes'));
  child.stdout?.once('data', () => child.stdout?.destroy());
  child.kill('SIGINT');
  const { stderr } = await ended;
  assert.doesNotMatch(stderr, / at .*\.js:/);
});

test('interactive: nobody there is refused at once', async () => {
  const { code, stderr } = await runTenon(call('demo.ask', '--question', 'Which?'));
  assert.notEqual(code, 0);
  assert.match(stderr, /demo\.ask/);
});

test('OPERATION --help lists the flags of the schema', async () => {
  const { code, stdout } = await runTenon(call('demo.echo', '--help'));
  assert.equal(code, 0);
  assert.match(stdout, /--text <text> +Any text/);
  assert.match(stdout, /--mode <a \| b>/);
  assert.match(stdout, /--deep\.level <number> +\(required\)/);
  assert.match(stdout, /--names <text> +\(may be repeated\)/);
});

test('a command that is no provider, or none at all, is a clear error with 2', async () => {
  for (const [command, expected] of [
    ['node -e "console.log(\'garbage\')"', /garbage/],
    ['/no/such/program', /no\/such\/program/],
    ['node -e "process.exit(7)"', /7/],
  ] as const) {
    const { code, stderr } = await runTenon(['call', '--provider-command', command, 'x.y']);
    assert.equal(code, 2, stderr);
    assert.match(stderr, expected);
  }
});

test('on a terminal: the plan with its diff, the answer, the effect; and a question', async (t) => {
  if (!requireTool(t, 'script')) return;
  const cwd = tempDir(t);
  const words = ['demo.append', '--path', 'f.txt', '--line', 'new line'];
  const terminal = inTerminal(t, [tenonBin, ...call(...words)], { cwd });
  const screen = await terminal.expect('> ');
  assert.match(screen, /demo\.append/);
  assert.match(screen, /\u001b\[32m\+ new line/);
  assert.ok(!existsSync(join(cwd, 'f.txt')));
  terminal.type('y\n');
  assert.equal(await terminal.exit(), 0);
  assert.equal(readFileSync(join(cwd, 'f.txt'), 'utf8'), 'new line\n');

  const edited = inTerminal(t, [tenonBin, ...call(...words)], { cwd });
  await edited.expect('> ');
  edited.type('e\n');
  await edited.expect('"new line"}');
  edited.type('\u0015{"path":"g.txt","line":"mine"}\n');
  assert.equal(await edited.exit(), 0);
  assert.equal(readFileSync(join(cwd, 'g.txt'), 'utf8'), 'mine\n');

  const denied = inTerminal(t, [tenonBin, ...call(...words)], { cwd });
  await denied.expect('> ');
  denied.type('n wrong file\n');
  assert.equal(await denied.exit(), 3);
  assert.match(denied.text(), /wrong file/);

  const asked = inTerminal(t, [
    tenonBin,
    ...call('demo.ask', '--question', 'Which?', '--choices', 'red', '--choices', 'green'),
  ]);
  await asked.expect('2) green');
  await asked.expect('> ');
  asked.type('2\n');
  assert.equal(await asked.exit(), 0);
  assert.match(asked.text(), /answer: green/);
});

test('on a terminal: Ctrl-C at the question denies or cancels and ends; output is harmless', async (t) => {
  if (!requireTool(t, 'script')) return;
  const asked = inTerminal(t, [tenonBin, ...call('demo.append', '--path', 'f', '--line', 'x')]);
  await asked.expect('> ');
  asked.type('\u0003');
  assert.equal(await asked.exit(), 130);

  const streamed = inTerminal(t, [tenonBin, ...call('demo.stream')]);
  assert.equal(await streamed.exit(), 0);
  assert.ok(!streamed.text().includes('\u001b[2J'));
  assert.match(streamed.text(), /€ ␛\[2J\u001b\[31mred/);
});

function waitForOutput(child: ReturnType<typeof startTenon>['child'], what: string): Promise<void> {
  return waitFor(child.stdout, what);
}

function waitForError(child: ReturnType<typeof startTenon>['child'], what: string): Promise<void> {
  return waitFor(child.stderr, what);
}

function waitFor(stream: NodeJS.ReadableStream | null, what: string): Promise<void> {
  let seen = '';
  return new Promise((resolve, reject) => {
    stream?.on('data', (chunk: Buffer) => {
      seen += chunk.toString();
      if (seen.includes(what)) resolve();
    });
    stream?.once('end', () => reject(new Error(`${what} did not come, but: ${seen}`)));
  });
}
