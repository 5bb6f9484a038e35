// A host on the real go-plugin runs our filesystem provider.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { processAlive, tempDir, waitUntil } from '@tenon/test-support';
import { goProgram, interopPath } from './peers.mjs';

const provider = interopPath('..', 'providers', 'filesystem', 'bin', 'provider.js');

/** Runs the host over our provider and gives its steps; undefined: skipped. */
async function host(t, { flags = [], calls = [], config = {} } = {}) {
  const program = goProgram(t, 'host');
  if (program === undefined) return undefined;
  const directory = tempDir(t);
  writeFileSync(join(directory, 'hello.txt'), 'hello\nworld\n');
  const list = join(tempDir(t), 'calls.json');
  writeFileSync(list, JSON.stringify(calls));
  const { stdout } = await promisify(execFile)(program, [
    ...flags,
    '-calls',
    list,
    '-directory',
    directory,
    '-config',
    JSON.stringify(config),
    '--',
    process.execPath,
    provider,
  ]);
  const steps = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  return { directory, steps, named: (step) => steps.filter((one) => one.step === step) };
}

const CALLS = [
  { tool: 'read_file', arguments: { path: 'hello.txt' } },
  { tool: 'write_file', arguments: { path: 'new.txt', content: 'new\n' }, preview: true },
  {
    tool: 'edit_file',
    arguments: { path: 'hello.txt', old: 'world', new: 'Go' },
    preview: true,
  },
  { tool: 'read_file', arguments: { path: 'missing.txt' } },
  { tool: 'read_file', arguments: { path: 7 } },
  { tool: 'no_such_operation' },
  { tool: 'list_directory', arguments: { path: '.' }, cancelAfter: -1 },
];

for (const flags of [[], ['-tls'], ['-tls', '-checksum'], ['-reattach']]) {
  test(`a Go host runs the filesystem provider: ${flags.join(' ') || 'plain'}`, async (t) => {
    const ran = await host(t, { flags, calls: CALLS });
    if (ran === undefined) return;
    const { directory, named } = ran;
    assert.equal(named('described')[0].answer.producer.name, 'filesystem');
    const operations = named('schema')[0].answer.tools.map((tool) => tool.name);
    assert.ok(operations.includes('read_file') && operations.includes('edit_file'));
    assert.equal(named('configured')[0].error, undefined);
    assert.equal(named('reattached').length, flags.includes('-reattach') ? 1 : 0);

    const terminal = (call) => named('event').findLast((one) => one.call === call).event;
    assert.match(JSON.stringify(terminal(0).result.payload), /hello/);
    assert.ok(terminal(1).result, JSON.stringify(terminal(1)));
    assert.equal(readFileSync(join(directory, 'new.txt'), 'utf8'), 'new\n');
    assert.equal(readFileSync(join(directory, 'hello.txt'), 'utf8'), 'hello\nGo\n');
    assert.equal(terminal(3).error.category, 'TOOL_ERROR_CATEGORY_NOT_FOUND');
    assert.equal(terminal(4).error.category, 'TOOL_ERROR_CATEGORY_INVALID_ARGUMENTS');
    assert.equal(terminal(5).error.category, 'TOOL_ERROR_CATEGORY_NOT_FOUND');
    assert.match(JSON.stringify(named('previewed')[1].answer), /diff/);
    assert.equal(named('call_ended').length, CALLS.length);
    assert.equal(named('ended')[0].exited, true);
    assert.equal(processAlive(named('launched')[0].pid), false);
  });
}

test('a Go host that wants the multiplexed broker is told at once that there is none', async (t) => {
  await assert.rejects(host(t, { flags: ['-multiplex'] }), (error) => {
    assert.match(String(error.stdout), /multiplex/i);
    return true;
  });
});

test('a Go host reads why a configuration is refused (CFG-01)', async (t) => {
  const ran = await host(t, { config: { no_such_setting: true, allowed_roots: 'not a list' } });
  if (ran === undefined) return;
  const { code, message } = ran.named('configured')[0].error;
  assert.equal(code, 'InvalidArgument');
  assert.match(message, /no_such_setting/);
  assert.match(message, /allowed_roots/);
});

test('the provider ends by itself when a Go host dies without a word', async (t) => {
  const ran = await host(t, { flags: ['-kill'], calls: CALLS.slice(0, 1) });
  if (ran === undefined) return;
  const { pid } = ran.named('launched')[0];
  await waitUntil(() => !processAlive(pid));
});
