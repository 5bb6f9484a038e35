// Turns through the whole kernel, with providers that keep a list of what really ran.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HookPayload } from '@tenon/protocol';
import type { RequestedCall, TurnResult } from './api.js';
import { ALLOW_ALL, openStudio, type Studio } from './fixtures/studio.js';
import type { InProcessHook } from './hooks/subscriber.js';

const call = (operation: string, key: string, more: object = {}): RequestedCall => ({
  id: `model-${key}`,
  name: `p.${operation}`,
  arguments: { key, ...more },
});

async function turnOf(studio: Studio, calls: readonly RequestedCall[]): Promise<TurnResult> {
  const session = await studio.kernel.openSession();
  const turn = await session.runTurn(calls);
  await session.end();
  return turn;
}

const statuses = (turn: TurnResult): string[] => turn.outcomes.map(({ status }) => status);

test('what hooks, providers and the journal see of a turn has one order', async (t) => {
  const seen: string[] = [];
  const points = [
    'session_start',
    'pre_tool_call',
    'plan_ready',
    'post_tool_call',
    'post_apply',
    'session_end',
  ] as const;
  const hooks = points.map(
    (point): InProcessHook => ({
      name: `see-${point}`,
      point,
      mode: 'observe',
      handle(payload: HookPayload) {
        seen.push(
          'call' in payload
            ? `${point} ${JSON.stringify(payload.call.arguments['key'] ?? '?').slice(1, -1)}`
            : point,
        );
        return undefined;
      },
    }),
  );
  const studio = await openStudio(t, {
    policies: [ALLOW_ALL],
    kernel: { hooks },
    approver: {
      decide: () => Promise.reject(new Error('nothing is asked here')),
      answer: async () => {
        seen.push('person');
        return { answer: 'yes' };
      },
    },
  });
  studio.trace.lines.push = (...lines) => seen.push(...lines);
  const turn = await turnOf(studio, [
    call('change', 'a'),
    { name: 'p.ask', arguments: { question: 'well?' } },
    call('look', 'b'),
    call('change', 'c', { fail: 'it did not work' }),
  ]);
  assert.deepEqual(statuses(turn), ['ok', 'ok', 'ok', 'error']);
  assert.deepEqual(seen, [
    'session_start',
    'pre_tool_call a',
    'pre_tool_call ?',
    'pre_tool_call b',
    'pre_tool_call c',
    'begin look b',
    'end look b',
    'person',
    'plan_ready',
    'begin change a',
    'begin change c',
    'end change a',
    'post_tool_call a',
    'post_tool_call ?',
    'post_tool_call b',
    'post_tool_call c',
    'post_apply',
    'session_end',
  ]);
  const [started] = studio.journal.sessions(1);
  const types = [...studio.journal.session(started?.sessionId ?? '')].map(({ type }) => type);
  assert.deepEqual(types.slice(0, 6), [
    'session_started',
    'turn_started',
    ...Array.from({ length: 4 }, () => 'call_requested'),
  ]);
  assert.deepEqual(types.slice(-2), ['turn_ended', 'session_ended']);
  // The intent of a resource is there before its attempt (and none of a read).
  for (const { callId, kind, status } of studio.journal.calls({})) {
    const own = studio.journal.call(callId).map(({ type }) => type);
    assert.equal(own.includes('intent'), kind === 'resource', `${callId} ${status}`);
    if (kind !== 'resource') continue;
    const order = ['call_requested', 'plan_item', 'decision', 'intent', 'attempt_started'];
    assert.deepEqual(
      own.filter((type) => order.includes(type)),
      order,
    );
    assert.equal(own.at(-1), 'outcome');
  }
});

test('results stand in declaration order, whatever finishes first; same keys run in declaration order', async (t) => {
  const studio = await openStudio(t, { policies: [ALLOW_ALL] });
  const session = await studio.kernel.openSession();
  const running = session.runTurn([
    call('change', 'slow', { gate: 'door' }),
    call('change', 'quick'),
    { ...call('plain', 'slow'), id: 'x' },
    call('change', 'slow'),
  ]);
  await studio.gates.reached('door');
  studio.gates.open('door');
  const turn = await running;
  assert.deepEqual(
    turn.outcomes.map(
      (outcome) => `${outcome.operation} ${JSON.stringify(outcome.arguments['key'])}`,
    ),
    ['change "slow"', 'change "quick"', 'plain "slow"', 'change "slow"'],
  );
  const slow = studio.trace.lines.filter(
    (line) => line === 'begin change slow' || line === 'end change slow',
  );
  assert.deepEqual(slow, [
    'begin change slow',
    'end change slow',
    'begin change slow',
    'end change slow',
  ]);
});

test('500 calls in one turn, and none at all', async (t) => {
  const studio = await openStudio(t, { policies: [ALLOW_ALL] });
  const calls = Array.from({ length: 500 }, (_, n) =>
    call(n % 3 === 0 ? 'change' : 'look', `${n}`),
  );
  const turn = await turnOf(studio, calls);
  assert.deepEqual(new Set(statuses(turn)), new Set(['ok']));
  assert.deepEqual(
    turn.outcomes.map(({ arguments: args }) => args['key']),
    calls.map(({ arguments: args }) => (args as { key: string }).key),
  );
  assert.ok(studio.trace.most > 10, 'calls with other keys run at the same time (CON-08)');
  const empty = await turnOf(studio, []);
  assert.deepEqual(empty.outcomes, []);
  assert.equal(empty.end.reason, 'continue');
});

test('a call that cannot be resolved or read ends alone, and says what to correct (RCT-01)', async (t) => {
  const studio = await openStudio(t, { policies: [ALLOW_ALL] });
  const turn = await turnOf(studio, [
    { name: 'p.chnage', arguments: { key: 'a' } },
    { name: 'p.change', arguments: { kee: 'a' } },
    { name: 'p.change', arguments: '{"key": ' },
    { name: '', arguments: undefined },
    call('change', 'fine'),
  ]);
  assert.deepEqual(statuses(turn), ['error', 'error', 'error', 'error', 'ok']);
  const messages = turn.outcomes.map((outcome) =>
    outcome.status === 'ok' ? '' : `${outcome.error.category}: ${outcome.error.message}`,
  );
  assert.match(messages[0] ?? '', /not_found.*p\.change/s);
  assert.match(messages[1] ?? '', /invalid_arguments.*key/s);
  assert.deepEqual(studio.trace.lines, ['begin change fine', 'end change fine']);
  assert.deepEqual(
    studio.journal.calls({}).map(({ status, attempts }) => [status, attempts]),
    [
      ['error', 0],
      ['error', 0],
      ['error', 0],
      ['error', 0],
      ['ok', 1],
    ],
  );
});

test('TRM-02 a successful call that ends the turn does so after its hook; the others get their results', async (t) => {
  const seen: string[] = [];
  const studio = await openStudio(t, {
    policies: [ALLOW_ALL],
    kernel: {
      hooks: [
        {
          name: 'see',
          point: 'post_tool_call',
          mode: 'observe',
          handle: (payload) =>
            void seen.push('call' in payload ? payload.call.toolName : payload.point),
        },
      ],
    },
  });
  const turn = await turnOf(studio, [call('look', 'a'), call('finish', 'b'), call('change', 'c')]);
  assert.deepEqual(statuses(turn), ['ok', 'ok', 'ok']);
  assert.deepEqual(turn.end, { reason: 'terminated', callId: turn.outcomes[1]?.callId });
  assert.deepEqual(seen, ['look', 'finish', 'change']);
  const failed = await turnOf(studio, [call('finish', 'd', { fail: 'no' })]);
  assert.equal(failed.end.reason, 'continue');
});

test('a model that goes in circles is stopped before the call runs once more', async (t) => {
  const studio = await openStudio(t, { policies: [ALLOW_ALL] });
  const session = await studio.kernel.openSession();
  const first = await session.runTurn([call('look', 'a')]);
  const second = await session.runTurn([{ name: 'p__look', arguments: '{ "key": "a" }' }]);
  assert.deepEqual([first.end.reason, second.end.reason], ['continue', 'continue']);
  const third = await session.runTurn([call('look', 'a'), call('look', 'other')]);
  assert.equal(third.end.reason, 'doom_loop');
  assert.deepEqual(statuses(third), ['denied', 'denied']);
  assert.equal(studio.trace.lines.filter((line) => line.startsWith('begin')).length, 2);
  // It starts anew after that.
  assert.equal((await session.runTurn([call('look', 'a')])).end.reason, 'continue');

  const cycle = await studio.kernel.openSession();
  const ends: string[] = [];
  for (let n = 0; n < 6; n += 1) {
    ends.push((await cycle.runTurn([call('look', n % 2 === 0 ? 'a' : 'b')])).end.reason);
  }
  assert.deepEqual(ends, [...Array.from({ length: 5 }, () => 'continue'), 'doom_loop']);
});

test('each bound is a distinct end that asks for a final answer, and runs nothing', async (t) => {
  const studio = await openStudio(t, {
    policies: [ALLOW_ALL],
    settings: { bounds: { maxTurns: 2, costUsd: 1 } },
  });
  const session = await studio.kernel.openSession();
  session.reportCost(0.5);
  assert.equal((await session.runTurn([call('look', 'a')])).end.reason, 'continue');
  session.reportCost(0.5);
  const costly = await session.runTurn([call('look', 'b')]);
  assert.ok(costly.end.reason === 'bound' && costly.end.bound === 'cost');
  assert.match(costly.end.message, /final answer/);
  assert.deepEqual(statuses(costly), ['denied']);
  const other = await studio.kernel.openSession();
  await other.runTurn([]);
  await other.runTurn([]);
  const late = await other.runTurn([call('look', 'c')]);
  assert.ok(late.end.reason === 'bound' && late.end.bound === 'max_turns');
  assert.throws(() => session.reportCost(Number.NaN), RangeError);
});

test('BRK-01 repeated denials open the breaker of that provider alone, in that session alone', async (t) => {
  const studio = await openStudio(t, {
    providers: ['p', 'q'],
    policies: [{ name: 'none', match: { provider: 'p', kind: 'resource' }, action: 'deny' }],
    settings: { breaker: { consecutive: 3, windowBad: 9, windowSize: 10, cooldownMs: 60_000 } },
  });
  const session = await studio.kernel.openSession();
  for (const key of ['a', 'b', 'c']) await session.runTurn([call('change', key)]);
  const turn = await session.runTurn([
    call('look', 'd'),
    { name: 'q.look', arguments: { key: 'e' } },
  ]);
  assert.deepEqual(statuses(turn), ['denied', 'ok']);
  const [refused] = turn.outcomes;
  assert.ok(refused?.status === 'denied' && refused.decidedBy === 'breaker');
  assert.match(refused.reason, /denied/);
  assert.equal((await turnOf(studio, [call('look', 'f')])).outcomes[0]?.status, 'ok');
  assert.ok(studio.events.some((event) => event.type === 'breaker' && event.state === 'open'));
  assert.ok([...studio.journal.session(session.id)].some(({ type }) => type === 'breaker'));
});

test('an abort ends running calls, and those that wait, at once (RCT-07)', async (t) => {
  const studio = await openStudio(t, { policies: [ALLOW_ALL] });
  const session = await studio.kernel.openSession();
  const abort = new AbortController();
  const running = session.runTurn(
    [
      call('change', 'a', { gate: 'never' }),
      call('change', 'b', { gate: 'never' }),
      ...Array.from({ length: 20 }, (_, n) => call('change', 'a', { fail: `${n}` })),
      call('finish', 'c'),
    ],
    { signal: abort.signal },
  );
  await studio.gates.reached('never');
  abort.abort();
  const turn = await running;
  assert.equal(turn.end.reason, 'aborted');
  // Unrelated calls may have ended before.
  assert.deepEqual(new Set(statuses(turn).slice(0, 22)), new Set(['cancelled']));
  assert.equal(studio.trace.lines.filter((line) => line === 'begin change a').length, 1);
  const entries = [...studio.journal.session(session.id)];
  assert.equal(entries.filter(({ type }) => type === 'outcome').length, 23);

  const early = await session.runTurn([call('look', 'z'), call('change', 'z')], {
    signal: AbortSignal.abort(),
  });
  assert.deepEqual(statuses(early), ['cancelled', 'cancelled']);
  assert.ok(!studio.trace.lines.includes('begin look z'));
});

test('the end of a session, and of the kernel, aborts what runs and refuses what comes', async (t) => {
  const studio = await openStudio(t, { policies: [ALLOW_ALL] });
  const session = await studio.kernel.openSession();
  const running = session.runTurn([call('change', 'a', { gate: 'never' })]);
  await studio.gates.reached('never');
  await studio.kernel.close();
  assert.deepEqual(statuses(await running), ['cancelled']);
  await assert.rejects(session.runTurn([]), /has ended/);
  await assert.rejects(studio.kernel.openSession(), /closed/);
  assert.equal(studio.journal.sessions(1)[0]?.status, 'cancelled');
});

test('an observer that throws harms nothing', async (t) => {
  const studio = await openStudio(t, {
    policies: [ALLOW_ALL],
    kernel: {
      observer(event) {
        if (event.type === 'call_started') return Promise.reject(new Error('async'));
        throw new Error('at once');
      },
    },
  });
  const turn = await turnOf(studio, [call('change', 'a'), call('look', 'b')]);
  assert.deepEqual(statuses(turn), ['ok', 'ok']);
});
