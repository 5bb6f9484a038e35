// checkProvider inside of a test runner: node:test itself for the provider that is right, and a recorder for one
// that is not.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { checkKernel, checkProvider, ConformanceError, type TestRunner } from './library.js';

const PROVIDER = fileURLToPath(new URL('./fixtures/raw-provider.js', import.meta.url));
const CASES = fileURLToPath(new URL('../fixtures/raw.cases.yaml', import.meta.url));

// One test per requirement, in this very file.
await checkProvider(
  { describe, it, before },
  { command: process.execPath, args: [PROVIDER], cases: CASES, only: ['schema', 'errors'] },
);

/** A runner that keeps what was declared, and runs it when told. */
function recorder() {
  const tests = new Map<string, () => void | Promise<void>>();
  const hooks: (() => Promise<void>)[] = [];
  const runner: TestRunner = {
    describe: (_name, body) => body(),
    it: (name, body) => tests.set(name, body),
    before: (body) => hooks.push(body),
  };
  const failures = async (): Promise<Map<string, unknown>> => {
    for (const hook of hooks) await hook();
    const failed = new Map<string, unknown>();
    for (const [name, body] of tests) {
      try {
        await body();
      } catch (error) {
        failed.set(name, error);
      }
    }
    return failed;
  };
  return { runner, tests, failures };
}

describe('checkProvider', () => {
  it('fails the test of the broken requirement alone, with the evidence', async () => {
    const { runner, tests, failures } = recorder();
    await checkProvider(runner, {
      command: process.execPath,
      args: [PROVIDER, '--mutation', 'no-kind'],
      only: ['schema'],
      skip: ['SCH-04'],
    });
    assert.ok(tests.has('KND-02') && !tests.has('SCH-04'));
    const failed = await failures();
    assert.deepEqual([...failed.keys()], ['KND-01']);
    const error = failed.get('KND-01');
    assert.ok(error instanceof ConformanceError);
    assert.match(error.message, /finish[^]*expected: no violation[^]*saw: no kind[^]*fix: /);
  });

  it('forgives what is known to fail, and fails what is listed and passes', async () => {
    const { runner, failures } = recorder();
    await checkProvider(runner, {
      command: process.execPath,
      args: [PROVIDER, '--mutation', 'no-kind'],
      only: ['schema'],
      knownFailing: ['KND-01', 'schema.risk'],
    });
    const failed = await failures();
    assert.deepEqual([...failed.keys()], ['KND-02']);
  });

  it('says which pattern matches nothing', async () => {
    const options = { command: 'x', only: ['schem'] };
    await assert.rejects(checkProvider(recorder().runner, options), /schem/);
    await assert.rejects(checkKernel(recorder().runner, options), /schem/);
  });

  it('fails every test of a program that cannot be started', async () => {
    const { runner, tests, failures } = recorder();
    await checkProvider(runner, { command: '/no/such/program', only: ['handshake'] });
    assert.equal((await failures()).size, tests.size);
  });
});
