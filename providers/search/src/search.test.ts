// The search provider as a kernel in the same process sees it: real ripgrep, real files.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { JsonObject, ToolEvent } from '@tenon/provider';
import { childrenOf, tempDir, waitUntil } from '@tenon/test-support';
import { provider } from './index.js';

interface Line {
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly text: string;
  readonly context: boolean;
}

async function started(
  t: TestContext,
  files: Record<string, string | Buffer>,
  config: JsonObject = {},
) {
  const directory = tempDir(t);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, name)), { recursive: true });
    writeFileSync(join(directory, name), content);
  }
  const silent = { emit: async () => ({ id: '', sequence: 0 }), log: () => {} };
  const running = await provider.inProcess().start(silent);
  t.after(() => running.stop());
  await running.configure(config);
  const call = async (
    toolName: string,
    args: JsonObject,
    options: { signal?: AbortSignal; onEvent?: (event: ToolEvent) => void } = {},
  ) => {
    const context = { sessionId: 's', turnId: 't', workingDirectory: directory };
    const signal = options.signal ?? new AbortController().signal;
    const events: ToolEvent[] = [];
    for await (const received of running.invoke(
      { id: 'c', toolName, arguments: args, context },
      { signal },
    )) {
      assert.ok(received.ok);
      events.push(received.event);
      options.onEvent?.(received.event);
    }
    const last = events.at(-1);
    return {
      events,
      payload: last?.type === 'result' ? last.payload : {},
      error: last?.type === 'error' ? last.error : undefined,
    };
  };
  const glob = async (args: JsonObject) => {
    const { payload, error } = await call('glob', args);
    assert.equal(error, undefined);
    return [...(payload['paths'] as string[])].sort();
  };
  const grep = async (args: JsonObject) => {
    const { payload, error } = await call('grep', args);
    assert.equal(error, undefined, error?.message);
    return payload['lines'] as unknown as Line[];
  };
  return { directory, call, glob, grep };
}

const TREE = {
  '.gitignore': 'out/\nignored.ts\n',
  'a.ts': 'const Alpha = 1;\n',
  'src/b.ts': 'let beta = Alpha;\nlet gamma;\n',
  'src/deep/c.js': 'alpha()\n',
  'src/ignored.ts': 'Alpha\n',
  'out/d.ts': 'Alpha\n',
  '.hidden/e.ts': 'Alpha\n',
};

test('glob leaves out what is ignored or hidden, unless asked for', async (t) => {
  const { glob } = await started(t, TREE);
  assert.deepEqual(await glob({ pattern: '*.ts' }), ['a.ts', 'src/b.ts']);
  assert.deepEqual(await glob({ pattern: '**/*' }), ['a.ts', 'src/b.ts', 'src/deep/c.js']);
  assert.deepEqual(await glob({ pattern: 'src/**/*.{ts,js}' }), ['src/b.ts', 'src/deep/c.js']);
  assert.deepEqual(await glob({ pattern: '!*.ts' }), ['src/deep/c.js']);
  assert.deepEqual(await glob({ pattern: '*.ts', path: 'src' }), ['src/b.ts']);
  assert.deepEqual(await glob({ pattern: '*.ts', hidden: true }), [
    '.hidden/e.ts',
    'a.ts',
    'src/b.ts',
  ]);
  assert.deepEqual(await glob({ pattern: '*.ts', no_ignore: true }), [
    'a.ts',
    'out/d.ts',
    'src/b.ts',
    'src/ignored.ts',
  ]);
});

test('glob says that there are more than its limit', async (t) => {
  const files = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`f${n}.txt`, '']));
  const { call } = await started(t, files);
  const some = await call('glob', { pattern: '*', limit: 7 });
  assert.equal((some.payload['paths'] as string[]).length, 7);
  assert.equal(some.payload['more'], true);
  const all = await call('glob', { pattern: '*', limit: 20 });
  assert.equal(all.payload['more'], false);
});

test('grep finds lines with place and context, and respects the same rules', async (t) => {
  const { grep } = await started(t, TREE);
  const found = await grep({ pattern: 'Alpha' });
  assert.deepEqual(
    found
      .map(({ path, line, column, text }) => [path, line, column, text])
      .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
    [
      ['a.ts', 1, 7, 'const Alpha = 1;'],
      ['src/b.ts', 1, 12, 'let beta = Alpha;'],
    ],
  );
  assert.equal((await grep({ pattern: 'alpha' })).length, 3, 'smart case');
  assert.equal((await grep({ pattern: 'alpha', case: 'sensitive' })).length, 1);
  assert.deepEqual(
    (await grep({ pattern: 'Alpha', glob: 'src/*.ts', context: 1 })).map((one) => [
      one.line,
      one.context,
    ]),
    [
      [1, false],
      [2, true],
    ],
  );
  assert.equal(
    (await grep({ pattern: 'Alpha', glob: '*.ts' })).length,
    2,
    'a glob brings nothing back',
  );
  assert.equal((await grep({ pattern: '(', literal: true })).length, 1);
  assert.equal((await grep({ pattern: '--help' })).length, 0);
});

test('a pattern that is no regular expression is invalid_arguments, with the position', async (t) => {
  const { call } = await started(t, TREE);
  const unclosed = await call('grep', { pattern: 'ab(cd' });
  assert.equal(unclosed.error?.category, 'invalid_arguments');
  assert.match(unclosed.error?.message ?? '', /unclosed group/);
  const { error } = await call('grep', { pattern: 'ab[cd' });
  assert.equal(error?.category, 'invalid_arguments');
  assert.equal(error?.details?.['column'], 3);
  assert.equal(
    (await call('grep', { pattern: 'a', type: 'nope' })).error?.category,
    'invalid_arguments',
  );
  assert.equal((await call('glob', { pattern: 'a[' })).error?.category, 'invalid_arguments');
  assert.equal((await call('glob', { pattern: '' })).error?.category, 'invalid_arguments');
  assert.equal(
    (await call('grep', { pattern: 'a', limit: 0.5 })).error?.category,
    'invalid_arguments',
  );
});

test('lines that are not UTF-8, very long, or end in CRLF are shown safely', async (t) => {
  const { grep } = await started(
    t,
    {
      'latin.txt': Buffer.from('caf\xe9 needle\n', 'latin1'),
      'crlf.txt': 'needle here\r\n',
      'long.txt': `${'x'.repeat(200_000)}needle${'y'.repeat(200_000)}\n`,
      'binary.bin': Buffer.from([0, 1, 2, ...Buffer.from('needle')]),
    },
    { max_line_length: 60 },
  );
  const found = new Map((await grep({ pattern: 'needle' })).map((one) => [one.path, one.text]));
  assert.equal(found.get('latin.txt'), 'caf\ufffd needle');
  assert.equal(found.get('crlf.txt'), 'needle here');
  assert.match(found.get('long.txt') ?? '', /^…x+needley+…$/);
  assert.ok((found.get('long.txt') ?? '').length <= 62);
});

test('CFG-03 outside the roots nothing is searched, not even through a link', async (t) => {
  const { call, directory } = await started(t, TREE, { allowed_roots: ['src'] });
  assert.equal(
    (await call('grep', { pattern: 'x', path: '.' })).error?.category,
    'permission_denied',
  );
  assert.equal(
    (await call('grep', { pattern: 'x', path: '/etc' })).error?.category,
    'permission_denied',
  );
  symlinkSync('/etc', join(directory, 'src/link'));
  const linked = await call('grep', { pattern: 'x', path: 'src/link' });
  assert.equal(linked.error?.category, 'permission_denied');
  assert.equal(
    (await call('glob', { pattern: '*', path: 'src/none' })).error?.category,
    'not_found',
  );
  assert.equal((await call('glob', { pattern: '*', path: 'src' })).error, undefined);
});

test('a file that cannot be read is a problem in the result, not the end of it', async (t) => {
  if (process.platform !== 'linux') {
    t.skip('needs /proc/self/mem, which no one can read from its start');
    return;
  }
  const { call } = await started(t, TREE);
  const { payload } = await call('grep', { pattern: 'Alpha', path: '/proc/self/mem' });
  assert.equal((payload['problems'] as string[]).length, 1);
  assert.equal(payload['matches'], 0);
});

test('matches come while it still searches, and a cancel ends ripgrep', async (t) => {
  const { call, directory } = await started(t, { 'first.txt': 'needle\n' });
  // A file that never ends being written would do; a pipe that nobody closes is simpler to clean up.
  execFileSync('mkfifo', [join(directory, 'endless')]);
  const abort = new AbortController();
  let children = 0;
  const { events, error } = await call(
    'grep',
    { pattern: 'needle', path: '.' },
    {
      signal: abort.signal,
      onEvent: (event) => {
        if (event.type !== 'partial_result') return;
        children = childrenOf(process.pid).length;
        abort.abort();
      },
    },
  );
  assert.equal(events[0]?.type, 'partial_result');
  assert.ok(error === undefined || error.category === 'cancelled');
  assert.ok(children <= 1);
  await waitUntil(() => childrenOf(process.pid).length === 0);
});

test('a missing ripgrep says what to do', async (t) => {
  const { call } = await started(t, TREE, { ripgrep: '/no/such/rg' });
  const { error } = await call('glob', { pattern: '*' });
  assert.equal(error?.category, 'execution_failed');
  assert.match(error?.message ?? '', /\/no\/such\/rg/);
});

test('a hundred thousand matches do not gather in memory', async (t) => {
  const { call } = await started(t, { 'many.txt': 'needle in a line\n'.repeat(300_000) });
  const before = process.memoryUsage().heapUsed;
  const { payload } = await call('grep', { pattern: 'needle', limit: 500 });
  assert.equal(payload['matches'], 500);
  assert.equal(payload['more'], true);
  assert.ok(process.memoryUsage().heapUsed - before < 50_000_000);
});
