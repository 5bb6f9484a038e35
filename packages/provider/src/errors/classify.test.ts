import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { link, mkdir, readdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { CATEGORIES, checkJson, ToolError, type ToolErrorCategory } from '@tenon/protocol';
import { tempDir } from '@tenon/test-support';
import fc from 'fast-check';
import { classify } from './classify.js';
import { fail } from './fail.js';

async function errorOf(work: Promise<unknown>): Promise<unknown> {
  try {
    await work;
  } catch (error) {
    return error;
  }
  throw new Error('it did not fail');
}

test('ERR-01: fail.… keeps category, message, details and retryable', () => {
  for (const [name, make] of Object.entries(fail)) {
    const category = name.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`) as ToolErrorCategory;
    assert.deepEqual(classify(make('what', { a: 1 }), false), {
      category,
      message: 'what',
      retryable: CATEGORIES[category].defaultRetryable,
      details: { a: 1 },
    });
  }
  assert.equal(classify(fail.timeout('t', {}, { retryable: false }), false).retryable, false);
});

test('ERR-11: process_crashed is not among them, and becomes unknown when it is forced', () => {
  assert.ok(!('processCrashed' in fail));
  const forced = new ToolError({ category: 'process_crashed', message: 'x', retryable: true });
  assert.deepEqual(classify(forced, false), {
    category: 'unknown',
    message: 'x',
    retryable: false,
    details: { refused_category: 'process_crashed' },
  });
});

test('ERR-04/05/06: real errors of the system have their category', async (t) => {
  const dir = tempDir(t);
  const file = join(dir, 'file');
  await writeFile(file, '');
  await mkdir(join(dir, 'full', 'x'), { recursive: true });
  const cases: [Promise<unknown>, ToolErrorCategory][] = [
    [errorOf(readFile(join(dir, 'none'))), 'not_found'],
    [errorOf(readFile(join(file, 'below'))), 'not_found'],
    [errorOf(readFile(dir)), 'execution_failed'],
    [errorOf(mkdir(dir)), 'execution_failed'],
    [errorOf(rmdir(join(dir, 'full'))), 'execution_failed'],
    [errorOf(readdir(`${dir}/${'n'.repeat(300)}`)), 'execution_failed'],
    [errorOf(link(dir, join(dir, 'link'))), 'permission_denied'],
    [errorOf(promisify(execFile)('/no/such/program')), 'not_found'],
    [errorOf(fetch('http://127.0.0.1:1/')), 'unknown'],
    [errorOf(refusedConnection()), 'execution_failed'],
  ];
  for (const [error, category] of cases) {
    const data = classify(await error, false);
    assert.equal(data.category, category, data.message);
  }
});

async function refusedConnection(): Promise<void> {
  const server = createServer().listen(0);
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  await once(connect(port, '127.0.0.1'), 'connect');
}

test('a wrapped error is classified by its cause', () => {
  const cause = Object.assign(new Error('no route'), { code: 'EHOSTUNREACH' });
  const data = classify(new TypeError('fetch failed', { cause }), false);
  assert.equal(data.category, 'execution_failed');
  assert.equal(data.retryable, true);
  const aggregate = new AggregateError([Object.assign(new Error('a'), { code: 'ETIMEDOUT' })]);
  assert.equal(classify(aggregate, false).category, 'timeout');
});

test('ERR-07/09: aborts are cancelled only when the call was cancelled', async () => {
  const abort = new DOMException('stop', 'AbortError');
  assert.equal(classify(abort, true).category, 'cancelled');
  assert.equal(classify(abort, false).category, 'unknown');
  const own = AbortSignal.timeout(1);
  await once(own, 'abort');
  assert.equal(classify(own.reason, false).category, 'timeout');
  const late = classify(fail.executionFailed('child was killed'), true);
  assert.equal(late.category, 'cancelled');
  assert.deepEqual(late.details, {
    ended_with: { category: 'execution_failed', message: 'child was killed' },
  });
});

test('ERR-12: anything else is unknown and keeps the raw error', () => {
  const cause = new Error('underneath');
  const data = classify(new TypeError('odd', { cause }), false);
  assert.equal(data.category, 'unknown');
  const error = data.details?.['error'] as Record<string, unknown>;
  assert.equal(error['name'], 'TypeError');
  assert.match(String(error['stack']), /classify\.test/);
  assert.equal((error['cause'] as Record<string, unknown>)['message'], 'underneath');
});

test('ERR-02: whatever is thrown gives an error that can be sent', () => {
  const cyclic: Record<string, unknown> = {};
  cyclic['self'] = cyclic;
  const hostile = {
    toJSON: () => {
      throw new Error('no');
    },
    toString: () => {
      throw new Error('no');
    },
  };
  const nested = new Error('loop');
  nested.cause = nested;
  const odd = [
    undefined,
    null,
    '',
    0,
    1n,
    Symbol('s'),
    () => 1,
    cyclic,
    hostile,
    nested,
    new Error(''),
    '\ud800',
  ];
  for (const thrown of odd) check(thrown);
  fc.assert(fc.property(fc.anything({ withBigInt: true, withDate: true, withMap: true }), check));
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.anything(), (message, details) => {
      check(fail.notFound(message, details as never));
    }),
  );
});

function check(thrown: unknown): void {
  const data = classify(thrown, false);
  assert.notEqual(data.message, '');
  assert.ok(checkJson({ ...data }).ok);
}
