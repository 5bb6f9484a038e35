// What `tenon new provider` writes is built and checked as its author would do it: by its own test, and by the kit.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { tempDir } from '@tenon/test-support';

const runFile = promisify(execFile);
const workspace = fileURLToPath(new URL('../../../../', import.meta.url));
const tenon = join(workspace, 'packages', 'cli', 'bin', 'tenon.js');
const modules = join(workspace, 'node_modules');

interface Ended {
  readonly code: number;
  readonly output: string;
}

async function run(program: string, args: readonly string[], cwd: string): Promise<Ended> {
  // The runner of this test tells its children to report to it; those here are on their own.
  const { NODE_TEST_CONTEXT: _context, ...env } = process.env;
  try {
    const { stdout, stderr } = await runFile(program, args, { cwd, env, timeout: 120_000 });
    return { code: 0, output: stdout + stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, output: `${stdout}${stderr}` };
  }
}

const create = (cwd: string, ...args: string[]): Promise<Ended> =>
  run(process.execPath, [tenon, 'new', 'provider', ...args], cwd);

test('tenon new provider: builds, passes its own test, which is the kit with nothing left out', async (t) => {
  const parent = tempDir(t);
  const made = await create(parent, 'my-tools');
  assert.equal(made.code, 0, made.output);
  assert.match(made.output, /cd my-tools\n\s+npm install\n\s+npm test/);
  const folder = join(parent, 'my-tools');
  for (const path of ['.gitignore', '.github/workflows/ci.yml', 'README.md', 'conform.yaml']) {
    assert.ok(existsSync(join(folder, path)), path);
    assert.doesNotMatch(readFileSync(join(folder, path), 'utf8'), /__[A-Z]+__|\*\*NAME\*\*/, path);
  }
  symlinkSync(modules, join(folder, 'node_modules'));
  const tsc = join(modules, 'typescript', 'bin', 'tsc');
  const built = await run(process.execPath, [tsc], folder);
  assert.equal(built.code, 0, built.output);
  const tested = await run(process.execPath, ['--test', 'dist/provider.test.js'], folder);
  assert.equal(tested.code, 0, tested.output);
  assert.match(tested.output, /CAN-04|RPC-08/);
});

test('tenon new provider refuses names that cannot be one, and folders with something in them', async (t) => {
  const parent = tempDir(t);
  const badName = await create(parent, 'My_Tools');
  assert.equal(badName.code, 2, badName.output);
  assert.match(badName.output, /cannot name a provider/);
  writeFileSync(join(parent, 'something'), '');
  const full = await create(parent, '../' + (parent.split('/').at(-1) ?? ''));
  assert.equal(full.code, 2, full.output);
});

/** A Python with grpcio and grpcio-tools; undefined: skipped, and an error where CI=true. */
async function python(t: TestContext): Promise<string | undefined> {
  const own = join(workspace, 'interop', 'python', '.venv', 'bin', 'python');
  const program = process.env['TENON_PYTHON'] ?? (existsSync(own) ? own : 'python3');
  const needs = 'import grpc, grpc_health, grpc_tools, google.protobuf';
  const { code, output } = await run(program, ['-c', needs], workspace);
  if (code === 0) return program;
  const reason = `${program} lacks grpcio or grpcio-tools: ${output.trim().split('\n').at(-1) ?? ''}`;
  if (process.env['CI'] === 'true') throw new Error(reason);
  t.skip(reason);
  return undefined;
}

test('tenon new provider --language python: generates its stubs and conforms', async (t) => {
  const program = await python(t);
  if (program === undefined) return;
  const parent = tempDir(t);
  const made = await create(parent, 'my-tools', '--language', 'python');
  assert.equal(made.code, 0, made.output);
  const folder = join(parent, 'my-tools');
  const generated = await run(program, ['generate.py'], folder);
  assert.equal(generated.code, 0, generated.output);
  const kit = [tenon, 'conform', '--no-tls', '--complete', '--cases', 'conform.yaml'];
  const checked = await run(process.execPath, [...kit, '--', program, 'provider.py'], folder);
  assert.equal(checked.code, 0, checked.output);
  assert.match(checked.output, / 0 not reached/);
});
