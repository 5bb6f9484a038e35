// The command as people use it: exit codes, mistakes, the starter file, reports on disk.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { tempDir } from '@tenon/test-support';
import { parseCases } from './cases/read.js';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const PROVIDER = ['--', process.execPath, at('./fixtures/raw-provider.js')];
// What the program `tenon` does with it, and no more.
const MAIN = `import { Command } from 'commander';
import { registerConform } from ${JSON.stringify(at('./index.js'))};
const program = new Command();
registerConform(program);
await program.parseAsync(process.argv.slice(1), { from: 'user' });`;

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function conform(...words: readonly string[]): Promise<Ran> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ['--input-type=module', '-e', MAIN, '--', 'conform', ...words],
      // Where commander can be found.
      { cwd: at('..') },
      (error, stdout, stderr) => {
        resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr });
      },
    );
  });
}

describe('tenon conform', () => {
  it('exits with 0, 1 and 2', async () => {
    const [right, wrong, none] = await Promise.all([
      conform('--only', 'schema', ...PROVIDER),
      conform('--only', 'schema', ...PROVIDER, '--mutation', 'no-kind'),
      conform('--only', 'schema', '--', '/no/such/program'),
    ]);
    assert.equal(right.code, 0, right.stdout + right.stderr);
    assert.equal(wrong.code, 1);
    assert.match(wrong.stdout, /KND-01[^]*saw[^]*no kind/);
    assert.equal(none.code, 2);
    assert.match(none.stdout, /cannot start \/no\/such\/program/);
  });

  it('lists every mistake of the command line, and exits with 2', async () => {
    const words = '--only nothing --seed x --report pdf=f --env A --cases /no/file';
    const { code, stderr } = await conform(...words.split(' '));
    assert.equal(code, 2);
    for (const word of [
      'no command',
      'nothing matches',
      '--seed x',
      'pdf=f',
      '--env A',
      '/no/file',
    ]) {
      assert.ok(stderr.includes(word), `${word} in ${stderr}`);
    }
  });

  it('lists and explains', async () => {
    const [list, kernel, explained, unknown] = await Promise.all([
      conform('--list', '--only', 'EVT-*'),
      conform('--list', '--kernel'),
      conform('--explain', 'rty-01'),
      conform('--explain', 'EVT-99'),
    ]);
    assert.equal(list.stdout.split('\n').length - 1, 5);
    assert.match(kernel.stdout, /gate\.corrected +GATE-06/);
    assert.match(explained.stdout, /RTY-01[^]*Why: [^]*How to satisfy it: [^]*retry\.unsafe/);
    assert.equal(unknown.code, 2);
    assert.match(unknown.stderr, /EVT-01, EVT-02/);
  });

  it('forgives known failures, until they pass', async (t: TestContext) => {
    const path = join(tempDir(t), 'known.txt');
    writeFileSync(path, 'KND-01 # to be done\n');
    const known = ['--only', 'schema.kind', '--known-failing', path, ...PROVIDER];
    const [forgiven, stale] = await Promise.all([
      conform(...known, '--mutation', 'no-kind'),
      conform(...known),
    ]);
    assert.equal(forgiven.code, 0);
    assert.equal(stale.code, 1);
    assert.match(stale.stdout, /KND-01 is listed as a known failure, but passes/);
  });

  it('writes every report that is asked for', async (t: TestContext) => {
    const folder = tempDir(t);
    const kinds = ['junit', 'json', 'html', 'md'];
    const reports = kinds.flatMap((kind) => ['--report', `${kind}=${join(folder, kind)}`]);
    const { code } = await conform('--only', 'schema.kind', ...reports, ...PROVIDER);
    assert.equal(code, 0);
    for (const kind of kinds) assert.match(readFileSync(join(folder, kind), 'utf8'), /KND-01/);
  });

  it('init writes a case file that can be read and run', async (t: TestContext) => {
    const { code, stdout } = await conform('init', ...PROVIDER);
    assert.equal(code, 0);
    const file = parseCases(stdout, 'starter');
    assert.deepEqual(
      file.cases.map(({ operation }) => operation),
      ['read', 'wait', 'odd', 'write', 'append', 'run', 'hold', 'finish'],
    );
    assert.equal(file.runResources, false);
    assert.deepEqual(Object.keys(file.config), ['root']);
    const path = join(tempDir(t), 'cases.yaml');
    writeFileSync(path, stdout);
    const run = await conform('--only', 'schema', '--cases', path, ...PROVIDER);
    assert.equal(run.code, 0, run.stdout);
  });
});
