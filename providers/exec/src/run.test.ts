// Commands run for real, in the provider as a kernel in the same process sees it.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { JsonObject, ToolErrorData, ToolEvent } from '@tenon/provider';
import { processAlive, tempDir, waitUntil } from '@tenon/test-support';
import { provider } from './index.js';
import { processTable } from './processes/table.js';

interface Ran {
  readonly events: readonly ToolEvent[];
  readonly payload: JsonObject | undefined;
  readonly error: ToolErrorData | undefined;
  readonly text: string;
}

async function started(t: TestContext, config: JsonObject = {}) {
  const directory = tempDir(t);
  const silent = { emit: async () => ({ id: '', sequence: 0 }), log: () => {} };
  const running = await provider.inProcess().start(silent);
  t.after(() => running.stop());
  await running.configure({ output_folder: join(directory, 'outputs'), ...config });
  let count = 0;
  const call = async (
    toolName: string,
    args: JsonObject,
    options: { signal?: AbortSignal; onEvent?: (event: ToolEvent) => void } = {},
  ): Promise<Ran> => {
    count += 1;
    const events: ToolEvent[] = [];
    const stream = running.invoke(
      {
        id: `call-${count}`,
        toolName,
        arguments: args,
        context: { sessionId: 's', turnId: 't', workingDirectory: directory },
      },
      { signal: options.signal ?? new AbortController().signal },
    );
    for await (const received of stream) {
      assert.ok(received.ok, JSON.stringify(received));
      events.push(received.event);
      options.onEvent?.(received.event);
    }
    const last = events.at(-1);
    return {
      events,
      payload: last?.type === 'result' ? last.payload : undefined,
      error: last?.type === 'error' ? last.error : undefined,
      text: textOf(events),
    };
  };
  return {
    directory,
    call,
    bash: (command: string, more: JsonObject = {}) => call('bash', { command, ...more }),
  };
}

/** What an observer that decodes chunk by chunk shows. */
function textOf(events: readonly ToolEvent[]): string {
  const decode = (event: ToolEvent): string =>
    event.type === 'output_chunk' ? Buffer.from(event.data).toString('utf8') : '';
  return events.map(decode).join('');
}

/** A value of a payload as text to match. */
const said = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value);

const marked = (marker: string): number[] =>
  processTable().flatMap(({ pid, zombie }) => {
    if (zombie) return [];
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes(marker) ? [pid] : [];
    } catch {
      // It ended while we looked.
      return [];
    }
  });

test('E1 E2 a background child does not hold the call, and the result says what became of it', async (t) => {
  const { bash } = await started(t);
  for (const command of [
    'sleep 61.5 & echo done',
    'sleep 61.5 </dev/null >/dev/null & echo done',
  ]) {
    const { payload } = await bash(command);
    assert.equal(payload?.['output'], 'done\n');
    assert.equal(payload?.['exit_code'], 0);
    assert.match(said(payload?.['notes']), /Still running .*sleep 61\.5/);
    assert.deepEqual(marked('sleep\x0061.5'), []);
  }
});

test('E3 a background child that prints forever ends with its call', async (t) => {
  const { bash } = await started(t);
  const { payload } = await bash('yes forever-and-ever & echo started');
  assert.match(said(payload?.['output']), /started/);
  assert.deepEqual(marked('forever-and-ever'), []);
});

test('E4 at its timeout a command ends with all of its processes', async (t) => {
  const { bash } = await started(t, { grace_seconds: 0.1 });
  for (const command of [
    "trap '' TERM; sleep 62.5; sleep 62.5",
    'setsid sleep 62.5 & sleep 62.5',
    'for i in 1 2 3 4 5; do (sleep 62.5; true) & done; wait',
    '(setsid sh -c \'trap "" TERM; sleep 62.5\' &) ; sleep 62.5',
  ]) {
    const { error, events } = await bash(command, { timeout_seconds: 0.3 });
    assert.equal(error?.category, 'timeout', command);
    assert.equal(events.filter((event) => event.type === 'exit_status').length, 1);
    assert.deepEqual(marked('sleep\x0062.5'), [], command);
  }
});

test('E5 a character whose bytes come apart is shown whole, and the bytes are exact', async (t) => {
  const { bash } = await started(t);
  const ran = await bash(`printf '\\xe2\\x82'; sleep 0.2; printf '\\xac'; printf '\\xff\\xe2' >&2`);
  const stdout = ran.events.flatMap((event) =>
    event.type === 'output_chunk' && event.stream === 'stdout' ? [...event.data] : [],
  );
  const stderr = ran.events.flatMap((event) =>
    event.type === 'output_chunk' && event.stream === 'stderr' ? [...event.data] : [],
  );
  assert.deepEqual(stdout, [0xe2, 0x82, 0xac]);
  assert.deepEqual(stderr, [0xff, 0xe2]);
  assert.equal(ran.text.match(/€/g)?.length, 1);
});

test('E6 long output shows head, notice and tail, and is whole in a file', async (t) => {
  const { bash } = await started(t, { max_output_bytes: 1_000 });
  const before = process.memoryUsage().rss;
  const { payload } = await bash(
    'echo first; head -c 50000000 /dev/zero | tr "\\0" "x"; echo; echo last',
  );
  const output = said(payload?.['output']);
  assert.ok(output.length < 1_400);
  assert.match(output, /^first\n/);
  assert.match(output, /last\n$/);
  assert.match(output, /\d+ of 50000012 bytes are left out/);
  assert.equal(payload?.['truncated'], true);
  const whole = readFileSync(said(payload?.['output_file']));
  assert.equal(whole.length, 50_000_012);
  assert.equal(payload?.['output_bytes'], 50_000_012);
  // The file is read into memory by this test; what the provider itself keeps is small.
  assert.ok(process.memoryUsage().rss - before < 400_000_000);
});

test('E7 a command that wants input ends by itself', async (t) => {
  const { bash } = await started(t);
  const read = await bash('read x; echo "status $?"');
  assert.match(said(read.payload?.['output']), /status 1/);
  assert.equal((await bash('cat')).payload?.['exit_code'], 0);
  const asked = await bash(`echo 'EOFError: EOF when reading a line' >&2; exit 1`);
  assert.match(said(asked.payload?.['notes']), /stdin is closed/);
});

test('E8 a folder that is gone is not_found, and the next call works', async (t) => {
  const { bash, directory } = await started(t);
  mkdirSync(join(directory, 'gone'));
  assert.equal((await bash('pwd', { cwd: 'gone' })).payload?.['exit_code'], 0);
  rmSync(join(directory, 'gone'), { recursive: true });
  const { error } = await bash('pwd', { cwd: 'gone' });
  assert.equal(error?.category, 'not_found');
  assert.match(said(error?.message), /does not exist/);
  assert.equal((await bash('pwd')).payload?.['output'], `${directory}\n`);
});

test('E9 ends of every kind are results with the facts', async (t) => {
  const { bash, directory } = await started(t);
  assert.equal((await bash('exit 3')).payload?.['exit_code'], 3);
  const segv = await bash('kill -SEGV $$');
  assert.equal(segv.payload?.['exit_code'], 139);
  assert.equal(segv.payload?.['signal'], 'SIGSEGV');
  const inner = await bash('sh -c "kill -SEGV \\$\\$"; exit $?');
  assert.match(said(inner.payload?.['notes']), /SIGSEGV/);
  assert.match(said((await bash('no-such-command-x')).payload?.['notes']), /not found/);
  writeFileSync(join(directory, 'plain'), '');
  assert.match(said((await bash('./plain')).payload?.['notes']), /not executable/);
});

test('CAN-02 CAN-03 cancelling ends the tree and reports what was printed', async (t) => {
  const { call } = await started(t, { grace_seconds: 0.1 });
  const abort = new AbortController();
  const { error, events } = await call(
    'bash',
    { command: "echo started; trap '' TERM; sleep 63.5" },
    {
      signal: abort.signal,
      onEvent: (event) => {
        if (event.type === 'output_chunk') abort.abort();
      },
    },
  );
  assert.notEqual(events.at(-1)?.type, 'result');
  assert.ok(error === undefined || error.category === 'cancelled');
  await waitUntil(() => marked('sleep\x0063.5').length === 0);
});

test('EVT-02 exit_status comes exactly once; stdout and stderr keep their order', async (t) => {
  const { bash } = await started(t);
  const { events, payload } = await bash(
    'for i in 1 2 3; do echo o$i; sleep 0.02; echo e$i >&2; sleep 0.02; done',
  );
  assert.equal(events.filter((event) => event.type === 'exit_status').length, 1);
  assert.equal(payload?.['output'], 'o1\ne1\no2\ne2\no3\ne3\n');
});

test('a session keeps directory, variables and jobs, and ends when it is reset', async (t) => {
  const { bash, call, directory } = await started(t);
  const session = 'work';
  await bash('mkdir deep; cd deep; export A=1; f() { echo "f $A"; }; sleep 64.5 &', { session });
  const second = await bash('f; pwd; echo err >&2; false', { session });
  assert.equal(second.payload?.['output'], `f 1\n${directory}/deep\nerr\n`);
  assert.equal(second.payload?.['exit_code'], 1);
  assert.equal(second.payload?.['cwd'], `${directory}/deep`);
  assert.match(said(second.payload?.['notes']), /1 background/);
  assert.equal(marked('sleep\x0064.5').length, 1);
  const timedOut = await bash('sleep 65.5', { session, timeout_seconds: 0.2 });
  assert.equal(timedOut.error?.category, 'timeout');
  assert.deepEqual(marked('sleep\x0065.5'), []);
  assert.equal(
    (await bash('echo $A', { session })).payload?.['output'],
    '1\n',
    'the session lives on',
  );
  const ended = await bash('exit 4', { session });
  assert.equal(ended.payload?.['exit_code'], 4);
  assert.match(said(ended.payload?.['notes']), /session has ended/);
  assert.deepEqual(marked('sleep\x0064.5'), [], 'its jobs ended with it');
  assert.equal((await bash('echo "[$A]"', { session })).payload?.['output'], '[]\n');
  assert.deepEqual((await call('shell_reset', { session })).payload, { existed: true });
  assert.deepEqual((await call('shell_reset', { session })).payload, { existed: false });
});

test('a session that spins in builtins is ended as a whole', async (t) => {
  const { bash } = await started(t, { grace_seconds: 0.1 });
  const { error } = await bash('while :; do :; done', { session: 'spin', timeout_seconds: 0.2 });
  assert.equal(error?.category, 'timeout');
  assert.equal((await bash('echo fresh', { session: 'spin' })).payload?.['output'], 'fresh\n');
});

test('RPC-10 CFG-03 the environment is a list, and commands start inside the roots', async (t) => {
  process.env['EXEC_TEST_SECRET'] = 'hidden';
  process.env['EXEC_TEST_ALLOWED'] = 'shown';
  const { bash } = await started(t, {
    allowed_roots: ['.'],
    env_allow: ['EXEC_TEST_ALLOWED'],
    env: { OWN: 'set' },
  });
  const { payload } = await bash('env');
  const output = said(payload?.['output']);
  assert.doesNotMatch(output, /hidden/);
  assert.match(output, /EXEC_TEST_ALLOWED=shown/);
  const outside = await bash('pwd', { cwd: '/' });
  assert.equal(outside.error?.category, 'permission_denied');
});

test('shell_read runs what only reads, and refuses the rest (KND-04)', async (t) => {
  const { call, directory } = await started(t);
  writeFileSync(join(directory, 'a.txt'), 'one\ntwo\n');
  const read = async (program: string, ...args: string[]) => call('shell_read', { program, args });
  assert.equal((await read('cat', 'a.txt')).payload?.['output'], 'one\ntwo\n');
  assert.equal((await read('wc', '-l', 'a.txt')).payload?.['exit_code'], 0);
  for (const refused of [
    ['rm', 'a.txt'],
    ['sh', '-c', 'rm a.txt'],
    ['find', '.', '-exec', 'rm', '{}', ';'],
    ['find', '.', '-delete'],
    ['sort', '-o', 'a.txt', 'a.txt'],
    ['sort', '-ro', 'a.txt', 'a.txt'],
    ['sort', '--outp=a.txt', 'a.txt'],
    ['sort', '--compress-prog=sh', 'a.txt'],
    ['git', 'commit'],
    ['git', '-c', 'alias.x=!rm a.txt', 'x'],
    ['git', 'diff', '--output=a.txt'],
    ['rg', '--pre', 'sh', 'x'],
    ['date', '010100002030'],
    ['uniq', 'a.txt', 'b.txt'],
    ['env', 'rm', 'a.txt'],
    ['/bin/cat', 'a.txt'],
    ['toString'],
  ]) {
    const [program = '', ...args] = refused;
    assert.equal(
      (await read(program, ...args)).error?.category,
      'permission_denied',
      refused.join(' '),
    );
  }
  // Nothing is expanded: there is no shell.
  const literal = await read('echo', '$(rm a.txt)', '>', 'b.txt', ';', '*');
  assert.equal(literal.payload?.['output'], '$(rm a.txt) > b.txt ; *\n');
  assert.equal(readFileSync(join(directory, 'a.txt'), 'utf8'), 'one\ntwo\n');
});

test('no zombie and no process is left after many commands', async (t) => {
  const { bash } = await started(t);
  for (let round = 0; round < 20; round += 1) {
    await Promise.all(Array.from({ length: 10 }, (_, index) => bash(`echo ${index}`)));
  }
  const children = processTable().filter((row) => row.parent === process.pid);
  assert.deepEqual(
    children.filter((row) => row.zombie),
    [],
  );
  assert.ok(children.length <= 1, 'the watchdog alone');
  assert.ok(processAlive(process.pid));
});
