// Our kernel passes every check of kernels; and for each check there is a kernel that is wrong in exactly that, and
// is found out.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { REQUIREMENTS } from '@tenon/protocol';
import { waitUntil } from '@tenon/test-support';
import { DISTORTIONS } from '../fixtures/distortions.js';
import { createWorkspaces } from '../cases/workspace.js';
import { descendants } from '../probe/processes.js';
import { openAdapter } from './adapter-process.js';
import { createStand } from './bench.js';
import { KERNEL_CHECKS } from './catalogue.js';
import { conformKernel, runKernelCheck } from './conform-kernel.js';

const adapterAt = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const WRONG = adapterAt('../fixtures/wrong-kernel.js');

describe('our kernel', () => {
  it('passes every check', async () => {
    const report = await conformKernel({
      command: process.execPath,
      args: [adapterAt('./tenon-adapter.js')],
    });
    assert.deepEqual(
      report.results.filter(({ verdict }) => verdict.state !== 'pass'),
      [],
    );
    assert.equal(report.outcome, 'conforms');
  });
});

describe('kernels that are wrong on purpose', () => {
  it('are each found out by the check of their rule', async (t) => {
    const queue = [...KERNEL_CHECKS];
    // One adapter per lane serves all variants: a start is cheap, a process is not.
    const lane = async (): Promise<void> => {
      let adapter = await openAdapter({ command: process.execPath, args: [WRONG], env: {} });
      const workspaces = createWorkspaces([]);
      let stand = createStand(adapter, workspaces);
      for (let check = queue.shift(); check !== undefined; check = queue.shift()) {
        const { id } = check;
        const { verdict, usable } = await runKernelCheck(stand, check, {
          timeoutMs: 5_000,
          extra: { wrong: id },
        });
        await t.test(`${check.requirements.join(' ')}: ${id}`, () => {
          assert.equal(verdict.state, 'fail', `the variant passes: ${JSON.stringify(verdict)}`);
        });
        if (usable) continue;
        await adapter.close();
        adapter = await openAdapter({ command: process.execPath, args: [WRONG], env: {} });
        stand = createStand(adapter, workspaces);
      }
      await adapter.close();
      workspaces.dispose();
    };
    await Promise.all([lane(), lane()]);
    await waitUntil(() => descendants(process.pid).length === 0, { what: 'every child has ended' });
  });

  it('has a variant for each check, and none for nothing', () => {
    assert.deepEqual(
      Object.keys(DISTORTIONS),
      KERNEL_CHECKS.map(({ id }) => id),
    );
  });
});

describe('coverage', () => {
  it('every requirement of kernels has a check', () => {
    const checked = new Set(KERNEL_CHECKS.flatMap(({ requirements }) => requirements));
    // CON-03 (ignoring what is not allowed) is what kernels do with a schema that group schema of the providers
    // refuses; OPEN-01 and OPEN-02 are this project's own additions, which no other kernel has to have.
    const exempt = ['CON-03', 'OPEN-01', 'OPEN-02'];
    assert.deepEqual(
      REQUIREMENTS.filter(
        ({ id, side }) => side.includes('kernel') && !checked.has(id) && !exempt.includes(id),
      ).map(({ id }) => id),
      [],
    );
  });
});
