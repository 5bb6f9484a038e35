// The examples, run as a reader would run them.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { before, describe, it, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { checkProvider } from '@tenon/conformance';
import { tempDir } from '@tenon/test-support';
import { goProgram, python } from '../interop/tests/peers.mjs';

const run = promisify(execFile);
const here = dirname(fileURLToPath(import.meta.url));
const root = dirname(here);
const tenon = (cwd, ...args) =>
  run(process.execPath, [join(root, 'packages/cli/bin/tenon.js'), ...args], { cwd });

test('embed: one turn from the tools to the results for a model', async (t) => {
  const PATH = [join(root, 'node_modules/.bin'), process.env.PATH].join(delimiter);
  const cwd = tempDir(t);
  writeFileSync(join(cwd, 'notes.txt'), 'one\n');
  const { stdout } = await run(process.execPath, [join(here, 'embed/agent.mjs')], {
    cwd,
    env: { ...process.env, PATH },
  });
  assert.match(stdout, /files__read_file/);
  assert.match(stdout, /tool_use_id: 'toolu_1'/);
  assert.match(stdout, /notes\.txt/);
});

test('policy: each call gets the decision that the example says', async () => {
  const { stdout } = await tenon(join(here, 'policy'), 'policy', 'test', 'cases.json', '--json');
  const decided = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.deepEqual(
    decided.map(({ action }) => action),
    ['allow', 'ask', 'deny', 'ask', 'allow'],
  );
});

test('any-language: a Go and a Python provider under one kernel', async (t) => {
  const program = goProgram(t, 'provider') && python(t);
  if (program === undefined) return;
  const folder = tempDir(t);
  const config = readFileSync(join(here, 'any-language/agent.hcl'), 'utf8')
    .replaceAll('../../interop/python/.venv/bin/python', program)
    .replaceAll('../../', `${root}/`);
  writeFileSync(join(folder, 'agent.hcl'), config);
  const echoed = await tenon(folder, 'call', 'go.echo', '--text', 'hello', '--json');
  assert.match(echoed.stdout, /hello/);
  const counted = await tenon(folder, 'call', 'python.word_count', '--text', 'a b c', '--json');
  assert.match(counted.stdout, /"words":\s*3/);
});

await checkProvider(
  { describe, it, before },
  {
    command: process.execPath,
    args: [join(here, 'hello-provider/provider.mjs')],
    cases: join(here, 'hello-provider/conform.yaml'),
    // The kit over our providers goes through these of the same code.
    skip: ['handshake', 'robustness'],
    timeoutMs: 10_000,
  },
);
