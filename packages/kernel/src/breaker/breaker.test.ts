import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Breaker, type BreakerSignal, createBreaker } from './breaker.js';

const settings = { consecutive: 3, windowBad: 4, windowSize: 8, cooldownMs: 1_000 };
const denied: BreakerSignal = { type: 'denied', reason: 'policy' };
const good: BreakerSignal = { type: 'good' };
const neutral: BreakerSignal = { type: 'neutral' };
let incarnation = 0;
const crashed = (): BreakerSignal => ({
  type: 'crashed',
  reason: 'SIGKILL',
  incarnation: ++incarnation,
});

function setUp(): { breaker: Breaker; clock: { now: number }; changes: string[] } {
  const clock = { now: 0 };
  const changes: string[] = [];
  const breaker = createBreaker({
    provider: 'p',
    settings,
    now: () => clock.now,
    onChange: (state) => changes.push(state),
  });
  return { breaker, clock, changes };
}

test('BRK-01, RCT-09: denials and crashes in a row open it together, and it says why and until when', () => {
  const { breaker, changes } = setUp();
  breaker.record(denied);
  breaker.record(crashed());
  assert.equal(breaker.check().open, false);
  breaker.record(denied);
  const verdict = breaker.check();
  assert.ok(verdict.open);
  assert.equal(verdict.closesAt, 1_000);
  assert.match(verdict.reason, /provider p .*3 calls.*in 1 s/);
  assert.deepEqual(changes, ['open']);
});

test('BRK-01: a good outcome resets the streak; a timeout neither counts nor resets', () => {
  const { breaker } = setUp();
  for (const signal of [denied, denied, good, denied, neutral]) breaker.record(signal);
  assert.equal(breaker.check().open, false);
  const other = setUp().breaker;
  for (const signal of [denied, neutral, denied, neutral, denied]) other.record(signal);
  assert.equal(other.check().open, true);
});

test('BRK-01: enough bad outcomes within the window open it without being in a row', () => {
  const { breaker } = setUp();
  for (const signal of [denied, good, denied, good, denied, good]) breaker.record(signal);
  assert.equal(breaker.check().open, false);
  breaker.record(denied);
  assert.equal(breaker.check().open, true);
});

test('what has left the window is forgotten', () => {
  const { breaker } = setUp();
  for (let i = 0; i < 20; i++) {
    breaker.record(denied);
    breaker.record(good);
    breaker.record(good);
  }
  assert.equal(breaker.check().open, false);
});

test('one death that takes many calls counts once', () => {
  const { breaker } = setUp();
  const death: BreakerSignal = { type: 'crashed', reason: 'x', incarnation: ++incarnation };
  for (let i = 0; i < 50; i++) breaker.record(death);
  assert.equal(breaker.check().open, false);
});

test('half-open: one trial after the pause, the others wait for what becomes of it', () => {
  const { breaker, clock, changes } = setUp();
  for (let i = 0; i < 3; i++) breaker.record(denied);
  clock.now = 999;
  assert.equal(breaker.admit().open, true);
  clock.now = 1_000;
  assert.equal(breaker.check().open, false);
  assert.equal(breaker.admit().open, false);
  assert.equal(breaker.admit().open, true);
  breaker.record(neutral);
  assert.equal(breaker.admit().open, false, 'a trial that says nothing frees the place');
  breaker.record(crashed());
  assert.equal(breaker.state(), 'open');
  clock.now = 2_000;
  assert.equal(breaker.admit().open, false);
  breaker.record(good);
  assert.equal(breaker.check().open, false);
  assert.deepEqual(changes, ['open', 'half_open', 'open', 'half_open', 'closed']);
});

test('it never opens without enough bad outcomes, and never stays open for good', () => {
  const signal = fc.constantFrom<BreakerSignal['type']>('good', 'neutral', 'denied', 'crashed');
  fc.assert(
    fc.property(fc.array(signal, { maxLength: 60 }), (types) => {
      const { breaker, clock } = setUp();
      let bad = 0;
      for (const type of types) {
        const wasClosed = breaker.state() === 'closed';
        if (type === 'denied' || type === 'crashed') bad++;
        breaker.record(type === 'crashed' ? crashed() : type === 'denied' ? denied : { type });
        if (wasClosed && breaker.state() === 'open') assert.ok(bad >= settings.consecutive);
      }
      clock.now += settings.cooldownMs;
      assert.equal(breaker.admit().open, false);
      breaker.record(good);
      assert.equal(breaker.state(), 'closed');
    }),
  );
});
