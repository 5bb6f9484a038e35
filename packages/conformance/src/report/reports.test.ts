// The formats of a report, made from one of each state; and what the states add up to.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CHECKS } from '../checks/catalogue.js';
import {
  type CheckResult,
  fail,
  notApplicable,
  notReached,
  pass,
  type Verdict,
} from '../model/check.js';
import { parseKnownFailing } from '../run/known-failing.js';
import { select } from '../run/select.js';
import { htmlReport } from './html.js';
import { jsonReport } from './json.js';
import { junitReport } from './junit.js';
import { markdownReport } from './markdown.js';
import { createReport, exitCodeOf, matrix, type Report, type ReportInput } from './report.js';
import { terminalReport } from './terminal.js';

const NASTY = '<script>alert(1)</script>\u001b[31m\u0000&"]]>';

function result(id: string, verdict: Verdict, more: Partial<CheckResult> = {}): CheckResult {
  const check = CHECKS.find((one) => one.id === id);
  assert.ok(check, id);
  return { check, verdict, weight: 'must', durationMs: 12, known: false, ...more };
}

const failure = fail({ did: 'called it', expected: 'one thing', saw: NASTY });
const EACH: readonly CheckResult[] = [
  result('schema.kind', pass('read', 'a kind', 'one')),
  result('events.one_end', failure),
  result('schema.timeout', failure, { weight: 'should' }),
  result('schema.risk', failure, { known: true }),
  result('errors.timeout', notReached(NASTY)),
  result('schema.slash_commands', notApplicable('there are none')),
];

function report(results: readonly CheckResult[], more: Partial<ReportInput> = {}): Report {
  return createReport({
    subject: `node ${NASTY}`,
    side: 'provider',
    seed: 1,
    startedAt: new Date(0),
    durationMs: 1_500,
    results,
    stale: [],
    planned: results.length,
    strict: false,
    complete: false,
    ...more,
  });
}

const codeOf = (indices: readonly number[], more: Partial<ReportInput> = {}): number =>
  exitCodeOf(
    report(
      indices.flatMap((index) => EACH[index] ?? []),
      more,
    ),
  );

describe('what results add up to', () => {
  it('0 conforms: warnings, known failures and what was not reached do not fail it', () => {
    assert.equal(codeOf([0, 2, 3, 4, 5]), 0);
  });
  it('1 violations: a MUST, a SHOULD when strict, the unreached when complete, a stale entry', () => {
    assert.equal(codeOf([0, 1]), 1);
    assert.equal(codeOf([0, 2], { strict: true }), 1);
    assert.equal(codeOf([0, 4], { complete: true }), 1);
    assert.equal(codeOf([0], { stale: ['KND-01'] }), 1);
  });
  it('2 could not be tested: no program, or nothing reached', () => {
    assert.equal(codeOf([], { problem: 'no such program' }), 2);
    assert.equal(codeOf([4]), 2);
  });
});

describe('reports', () => {
  const all = report(EACH, { stale: ['schema.kind'], planned: 10 });

  it('the terminal shows evidence, and no control character of the provider', () => {
    const text = terminalReport(all, { colour: false, strict: false });
    for (const word of [
      'did       called it',
      'expected  one thing',
      'fix       ',
      'not reached:',
      '4 not run',
    ]) {
      assert.ok(text.includes(word), word);
    }
    assert.ok(!text.includes('\u001b') && !text.includes('\u0000'));
    assert.match(terminalReport(all, { colour: true, strict: false }), /\u001b\[31m✗/);
  });

  it('HTML is one page that runs nothing of the provider', () => {
    const page = htmlReport(all, false);
    assert.ok(!page.includes('<script>alert'));
    assert.doesNotMatch(page, /(?:src|href)="(?!#)/);
    assert.match(page, /prefers-color-scheme:dark/);
    for (const { check } of EACH) assert.ok(page.includes(check.id));
  });

  it('JUnit is well-formed for every text, with failures and skipped ones', () => {
    const xml = junitReport(all, false);
    assert.ok(!xml.includes('\u0000') && !xml.includes('<script'));
    assert.equal(xml.match(/<failure /g)?.length, 1);
    assert.equal(xml.match(/<skipped /g)?.length, 2);
    assert.match(xml, /<testsuites name="[^"]*" tests="6" failures="1"/);
  });

  it('JSON has a version, and a state for each check', () => {
    const data = JSON.parse(jsonReport(all, false)) as {
      schemaVersion: number;
      results: { state: string }[];
    };
    assert.equal(data.schemaVersion, 1);
    assert.deepEqual(
      data.results.map(({ state }) => state),
      ['pass', 'fail', 'warn', 'known', 'not_reached', 'not_applicable'],
    );
  });

  it('Markdown has a badge and a row per requirement', () => {
    const text = markdownReport(all);
    assert.match(
      text,
      /^!\[tool conformance: does not conform\]\(https:\/\/img\.shields\.io\/badge\//,
    );
    assert.equal(
      text.split('\n').filter((line) => /^\| [A-Z]{3}-\d\d/.test(line)).length,
      matrix(all).length,
    );
  });
});

describe('choosing checks', () => {
  const ids = (only: string[], skip: string[] = []): string[] =>
    select(CHECKS, only, skip).selected.map(({ id }) => id);

  it('by group, id, requirement and pattern', () => {
    assert.deepEqual(ids(['purity']), ['purity.reads', 'purity.previews']);
    assert.deepEqual(ids(['KND-0*'], ['purity']), ['schema.kind', 'schema.risk']);
    assert.deepEqual(ids(['evt-05']), ['events.order']);
    assert.deepEqual(select(CHECKS, ['schem'], []).unmatched, ['schem']);
  });

  it('known failures: a listed one that passes is stale', () => {
    const known = parseKnownFailing('# list\nKND-01 # because\n\nevents.one_end\nXYZ-01', CHECKS);
    assert.deepEqual(known.unmatched, ['XYZ-01']);
    assert.deepEqual(known.stale(EACH), ['KND-01']);
  });
});
