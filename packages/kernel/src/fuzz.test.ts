// scripts/fuzz.mjs runs the same with as many cases as you like.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fuzzFrames, fuzzHandshakeLines, fuzzMessages, fuzzSdk } from './fixtures/fuzz.js';

const total = (report: ReadonlyMap<string, number>): number =>
  [...report.values()].reduce((sum, each) => sum + each, 0);

test('EVT-06: mutated messages of a provider are classified, each of them', async () => {
  const report = await fuzzMessages({ cases: 1_500, seed: 11 });
  assert.equal(total(report), 1_500);
  assert.ok((report.get('unknown') ?? 0) > 100);
});

test('mutated HTTP/2 frames of a provider end the call with a status', async () => {
  const report = await fuzzFrames({ cases: 300, seed: 12 });
  assert.equal(total(report), 300);
  assert.ok(report.size > 2, [...report.keys()].join());
});

test('mutated handshake lines are read or refused with a reason', () => {
  const report = fuzzHandshakeLines({ cases: 5_000, seed: 13 });
  assert.equal(total(report), 5_000);
  assert.ok((report.get('handshake') ?? 0) > 1_000);
});

test('a provider made with the SDK survives mutated requests and frames', async () => {
  const report = await fuzzSdk({ cases: 1_500, seed: 14 });
  assert.ok(total(report) > 1_300);
  assert.ok(report.size > 2, [...report.keys()].join());
});
