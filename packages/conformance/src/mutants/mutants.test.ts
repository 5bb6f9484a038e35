// The proof that the kit bites: every mutant is found out under the requirement that it breaks, and under no other;
// the provider without a mutation passes everything, with nothing that was not reached.
//
// The short form runs the checks of the group that a mutation concerns. CONFORM_MUTANTS=all runs every check against
// every mutant, which takes minutes.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { REQUIREMENTS } from '@tenon/protocol';
import { processAlive, waitUntil } from '@tenon/test-support';
import { readCaseFile } from '../cases/read.js';
import { CHECKS } from '../checks/catalogue.js';
import { conform } from '../conform.js';
import { mainRequirement } from '../model/check.js';
import { descendants } from '../probe/processes.js';
import type { Report } from '../report/report.js';
import { select } from '../run/select.js';
import { MUTATIONS, type Mutation } from './mutations.js';

const PROVIDER = fileURLToPath(new URL('../fixtures/raw-provider.js', import.meta.url));
const CASES = readCaseFile(
  fileURLToPath(new URL('../../fixtures/raw.cases.yaml', import.meta.url)),
);
const ALL = process.env['CONFORM_MUTANTS'] === 'all';

function run(mutation: Mutation | undefined): Promise<Report> {
  const checks =
    mutation === undefined || ALL ? CHECKS : select(CHECKS, mutation.groups, []).selected;
  return conform({
    command: process.execPath,
    args: [PROVIDER, ...(mutation === undefined ? [] : ['--mutation', mutation.name])],
    cases: CASES,
    seed: 7,
    // Short where a mutant hangs on purpose; otherwise with room for a machine that is busy.
    timeoutMs: mutation === undefined || ALL ? 8_000 : 2_000,
    checks,
  });
}

const failing = ({ results }: Report) => results.filter(({ verdict }) => verdict.state === 'fail');

describe('the provider without a mutation', () => {
  it('meets every requirement, and all of them are reached', async () => {
    const report = await run(undefined);
    assert.deepEqual(
      report.results.filter(({ verdict }) => ['fail', 'not_reached'].includes(verdict.state)),
      [],
    );
    assert.equal(report.outcome, 'conforms');
    assert.equal(report.counts.not_applicable, 1, 'server reflection alone is not served');
    await nothingLeft();
  });
});

// The tests of a file run one after another; the mutants are run two at a time by hand.
describe('mutants', { concurrency: 2 }, () => {
  for (const mutation of MUTATIONS) {
    if (mutation.slow === true && !ALL) continue;
    it(`${mutation.name} is found out (${mutation.breaks})`, async () => {
      const report = await run(mutation);
      const found = failing(report);
      const allowed = [mutation.breaks, ...(mutation.also ?? [])];
      assert.deepEqual(
        found.filter(({ check }) => !allowed.includes(mainRequirement(check))),
        [],
        'an unrelated requirement is said to be broken',
      );
      const hits = found.filter(({ check }) => mainRequirement(check) === mutation.breaks);
      assert.ok(hits.length > 0, `nothing found; ${JSON.stringify(report.results, null, 1)}`);
      assert.equal(report.outcome, mutation.warns === true ? 'conforms' : 'violates');
    });
  }

  it('leaves nothing behind', nothingLeft);
});

async function nothingLeft(): Promise<void> {
  await waitUntil(() => !descendants(process.pid).some(({ pid }) => processAlive(pid)), {
    what: 'every child has ended',
  });
}

describe('coverage', () => {
  it('every requirement of providers has a check', () => {
    const checked = new Set(CHECKS.flatMap(({ requirements }) => requirements));
    const missing = REQUIREMENTS.filter(
      ({ id, side }) => side.includes('provider') && !checked.has(id),
    );
    assert.deepEqual(
      missing.map(({ id }) => id),
      [],
    );
  });

  it('every MUST of providers has a mutant', () => {
    const broken = new Set(MUTATIONS.map(({ breaks }) => breaks));
    const missing = REQUIREMENTS.filter(
      ({ id, side, level }) =>
        side.includes('provider') && ['must', 'must_not'].includes(level) && !broken.has(id),
    );
    assert.deepEqual(
      missing.map(({ id }) => id),
      [],
    );
  });
});
