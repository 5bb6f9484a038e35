// Plans: snapshots, previews, decisions of every kind, and what then really runs.
import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { dataSource, defineProvider, literalKey, type Provider, resource } from '@tenon/provider';
import type { JsonObject } from '@tenon/protocol';
import { tempDir } from '@tenon/test-support';
import * as z from 'zod';
import type { RequestedCall, TurnResult } from '../api.js';
import { ALLOW_ALL, NO, openStudio, scripted, type Studio, YES } from '../fixtures/studio.js';
import type { ApprovalDecision, ApprovalRequest } from './approver.js';

const call = (operation: string, key: string, more: object = {}): RequestedCall => ({
  name: `p.${operation}`,
  arguments: { key, ...more },
});
const statuses = (turn: TurnResult): string[] => turn.outcomes.map(({ status }) => status);
const begun = ({ trace }: Studio): string[] =>
  trace.lines.filter((line) => line.startsWith('begin')).map((line) => line.slice(6));

test('GATE-01 GATE-02 GATE-05 one plan holds allow, ask and deny, each for its own item', async (t) => {
  const approver = scripted({ asked: YES, refused: NO });
  const studio = await openStudio(t, {
    approver,
    policies: [
      { name: 'plain-is-fine', match: { toolName: 'p.plain' }, action: 'allow' },
      { name: 'never', match: { toolName: 'p.alone' }, action: 'deny', reason: 'not here' },
    ],
  });
  const session = await studio.kernel.openSession();
  const turn = await session.runTurn([
    call('plain', 'allowed'),
    call('change', 'asked'),
    call('alone', 'denied'),
    call('change', 'refused'),
  ]);
  assert.deepEqual(statuses(turn), ['ok', 'ok', 'denied', 'denied']);
  assert.deepEqual(begun(studio).toSorted(), ['change asked', 'plain allowed']);
  const [, , denied, refused] = turn.outcomes;
  assert.ok(denied?.status === 'denied' && denied.decidedBy === 'policy:never');
  assert.equal(denied.reason, 'not here');
  assert.ok(refused?.status === 'denied' && refused.decidedBy === 'user');
  assert.deepEqual(
    studio.journal.calls({}).map(({ decidedBy }) => decidedBy),
    ['policy:plain-is-fine', 'user', 'policy:never', 'user'],
  );
  assert.deepEqual(
    approver.asked.map(({ item }) => item.input['key']),
    ['asked', 'refused'],
  );
});

test('GATE-03 PRV-01 the item that is asked for is a snapshot with a preview; reads get none (PRV-04)', async (t) => {
  const approver = scripted({ a: YES, b: YES });
  const studio = await openStudio(t, { approver });
  const session = await studio.kernel.openSession({ workingDirectory: '/' });
  await session.runTurn([call('look', 'x'), call('change', 'a'), call('plain', 'b')]);
  const [first, second] = approver.asked;
  assert.ok(first !== undefined && second !== undefined);
  const { id, callId, ...item } = first.item;
  assert.ok(id.length === 26 && callId.length === 26);
  assert.deepEqual(item, {
    provider: 'p',
    operation: 'change',
    input: { key: 'a' },
    decision: 'ask',
    decidedBy: 'policy:default',
    kind: 'resource',
    risk: 'moderate',
    description: 'Does as it is told.',
    preview: { root: { type: 'text', content: 'would change a' } },
  });
  assert.equal(first.workingDirectory, '/');
  assert.equal(second.item.preview, undefined, 'PRV-03 RPC-07: without Preview, the raw arguments');
  const kept = [...studio.journal.session(session.id)].flatMap((entry) =>
    entry.type === 'plan_item' ? [entry.item.operation] : [],
  );
  assert.deepEqual(kept, ['change', 'plain']);
});

test('PRV-03 a preview that hangs or fails never blocks the plan', async (t) => {
  const input = z.object({ how: z.string() });
  const output = z.object({});
  const ran: string[] = [];
  const studio = await openStudio(t, {
    policies: [ALLOW_ALL],
    settings: { previewTimeoutMs: 30 },
    provider: (name) =>
      defineProvider({
        name,
        version: '1',
        operations: {
          act: resource({
            description: 'Acts.',
            risk: 'low',
            input,
            output,
            concurrency: { safe: true },
            async preview({ args }) {
              if (args.how === 'fail') throw new Error('no picture');
              await new Promise(() => undefined);
              return undefined;
            },
            handler({ args }) {
              ran.push(args.how);
              return {};
            },
          }),
        },
      }),
  });
  const session = await studio.kernel.openSession();
  const turn = await session.runTurn([
    { name: 'p.act', arguments: { how: 'hang' } },
    { name: 'p.act', arguments: { how: 'fail' } },
  ]);
  assert.deepEqual(statuses(turn), ['ok', 'ok']);
  assert.deepEqual(ran, ['hang', 'fail']);
  const said = studio.events.flatMap((event) => (event.type === 'log' ? [event.message] : []));
  assert.ok(said.some((message) => /no preview within 30 ms/.test(message)));
  assert.ok(said.some((message) => /no picture/.test(message)));
});

test('GATE-04 an item that is asked for blocks nothing but itself', async (t) => {
  let decide: (decision: ApprovalDecision) => void = () => undefined;
  const later = new Promise<ApprovalDecision>((resolve) => {
    decide = resolve;
  });
  const approver = scripted({ wait: () => later, quick: YES });
  const studio = await openStudio(t, {
    approver,
    policies: [{ name: 'plain', match: { toolName: 'p.plain' }, action: 'allow' }],
  });
  const session = await studio.kernel.openSession();
  const running = session.runTurn([
    call('change', 'wait'),
    call('change', 'quick', { gate: 'quick' }),
    call('plain', 'free', { gate: 'free' }),
  ]);
  await Promise.all([studio.gates.reached('quick'), studio.gates.reached('free')]);
  studio.gates.open('quick');
  studio.gates.open('free');
  decide(YES);
  assert.deepEqual(statuses(await running), ['ok', 'ok', 'ok']);
  assert.equal(begun(studio).at(-1), 'change wait');
});

test('items of one key apply in declaration order, also while an earlier one is asked for', async (t) => {
  const lines: string[] = [];
  let asked: () => void = () => undefined;
  const isAsked = new Promise<void>((resolve) => {
    asked = resolve;
  });
  let decide: (decision: ApprovalDecision) => void = () => undefined;
  const approver = scripted({
    same: () => {
      asked();
      return new Promise<ApprovalDecision>((resolve) => {
        decide = resolve;
      });
    },
  });
  const studio = await openStudio(t, {
    approver,
    policies: [{ name: 'plain', match: { toolName: 'p.plain' }, action: 'allow' }],
    provider: (name) => keyShared(name, lines),
  });
  const session = await studio.kernel.openSession();
  const running = session.runTurn([
    call('change', 'same'),
    call('plain', 'same'),
    call('plain', 'other'),
  ]);
  await isAsked;
  // The other key has gone through; the same key waits.
  while (!lines.includes('plain other')) await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(lines, ['plain other']);
  decide(YES);
  assert.deepEqual(statuses(await running), ['ok', 'ok', 'ok']);
  assert.deepEqual(lines, ['plain other', 'change same', 'plain same']);
});

/** Two operations that share one key space (OPEN-02). */
function keyShared(name: string, lines: string[]): Provider {
  const act = (what: string) =>
    resource({
      description: 'Writes.',
      risk: 'low',
      input: z.object({ key: z.string() }),
      output: z.object({}),
      concurrency: { safe: true },
      keys: [literalKey('key', 'things')],
      handler({ args }) {
        lines.push(`${what} ${args.key}`);
        return {};
      },
    });
  return defineProvider({
    name,
    version: '1',
    operations: { change: act('change'), plain: act('plain') },
  });
}

test('GATE-06 corrected arguments are checked, and exactly they run, are locked on and are journaled', async (t) => {
  const rounds: ApprovalRequest[] = [];
  const approver = scripted({
    original: (request) => {
      rounds.push(request);
      const args: JsonObject = rounds.length === 1 ? { kee: 1 } : { key: 'corrected' };
      return { ...YES, arguments: args };
    },
  });
  const studio = await openStudio(t, { approver });
  const session = await studio.kernel.openSession();
  const turn = await session.runTurn([call('change', 'original')]);
  assert.deepEqual(statuses(turn), ['ok']);
  assert.deepEqual(begun(studio), ['change corrected']);
  assert.deepEqual(turn.outcomes[0]?.arguments, { key: 'corrected' });
  assert.equal(rounds.length, 2);
  assert.match(rounds[1]?.problems.join() ?? '', /key/);
  const entries = studio.journal.call(turn.outcomes[0]?.callId ?? '');
  const decision = entries.find((entry) => entry.type === 'decision');
  assert.deepEqual(decision?.originalArguments, { key: 'original' });
  assert.deepEqual(decision?.arguments, { key: 'corrected' });
  const intent = entries.find((entry) => entry.type === 'intent');
  assert.deepEqual(intent?.arguments, { key: 'corrected' });
  const attempt = entries.find((entry) => entry.type === 'attempt_started');
  assert.match(attempt?.lockKeys.join() ?? '', /corrected/);
});

test('GATE-06 a correction that never fits is a deny, of its own item alone', async (t) => {
  const approver = scripted({ bad: { ...YES, arguments: { kee: 1 } }, good: YES });
  const studio = await openStudio(t, { approver });
  const session = await studio.kernel.openSession();
  const turn = await session.runTurn([call('change', 'bad'), call('change', 'good')]);
  assert.deepEqual(statuses(turn), ['denied', 'ok']);
  assert.deepEqual(begun(studio), ['change good']);
  assert.equal(approver.asked.filter(({ item }) => item.input['key'] === 'bad').length, 3);
});

test('GATE-04 an ask that fails, or is answered with nonsense, denies its own item', async (t) => {
  const approver = scripted({
    throws: () => {
      throw new Error('the window was closed');
    },
    rejects: () => Promise.reject(new Error('gone')),
    nonsense: 'yes' as unknown as ApprovalDecision,
    nothing: undefined as unknown as ApprovalDecision,
    fine: YES,
  });
  const studio = await openStudio(t, { approver });
  const session = await studio.kernel.openSession();
  const keys = ['throws', 'rejects', 'nonsense', 'nothing', 'fine'];
  const turn = await session.runTurn(keys.map((key) => call('change', key)));
  assert.deepEqual(statuses(turn), ['denied', 'denied', 'denied', 'denied', 'ok']);
  assert.deepEqual(begun(studio), ['change fine']);
  const [first] = turn.outcomes;
  assert.ok(first?.status === 'denied');
  assert.match(first.reason, /the window was closed/);
});

test('without anybody to ask, the answer says which policy would allow it', async (t) => {
  const studio = await openStudio(t);
  const session = await studio.kernel.openSession();
  const outcome = await session.call(call('change', 'a'));
  assert.ok(outcome.status === 'denied');
  assert.match(outcome.reason, /tool_name = "p\.change".*action = "allow"/);
});

test('GATE-07 a decision for the session holds for that operation of that provider until it ends', async (t) => {
  const approver = scripted({
    a: { ...YES, scope: 'session' },
    c: { ...NO, scope: 'session' },
    other: YES,
  });
  const studio = await openStudio(t, { approver, providers: ['p', 'q'] });
  const session = await studio.kernel.openSession();
  await session.call(call('change', 'a'));
  assert.equal((await session.call(call('change', 'b'))).status, 'ok');
  await session.call(call('plain', 'c'));
  assert.equal((await session.call(call('plain', 'd'))).status, 'denied');
  assert.equal(
    (await session.call({ name: 'q.change', arguments: { key: 'other' } })).status,
    'ok',
  );
  assert.deepEqual(
    approver.asked.map(({ item }) => item.input['key']),
    ['a', 'c', 'other'],
  );
  const next = await studio.kernel.openSession();
  await next.call(call('change', 'a'));
  assert.equal(approver.asked.length, 4, 'another session asks again');
  assert.equal(studio.journal.calls({})[1]?.decidedBy, 'session-rule');
});

test('GATE-07 "always" becomes a readable rule; where it cannot be written, it is refused loudly', async (t) => {
  const folder = tempDir(t);
  const alwaysPath = join(folder, 'agent.always.hcl');
  const rounds: ApprovalRequest[] = [];
  const always: ApprovalDecision = { ...YES, scope: 'always' };
  const approver = scripted({
    a: always,
    b: (request) => {
      rounds.push(request);
      return request.problems.length === 0 ? always : NO;
    },
    c: YES,
  });
  const studio = await openStudio(t, { approver, config: { alwaysPath } });
  const session = await studio.kernel.openSession();
  assert.equal((await session.call(call('change', 'a'))).status, 'ok');
  const text = readFileSync(alwaysPath, 'utf8');
  assert.match(text, /policy "always-p-change" \{/);
  assert.match(text, /tool_name = "p\.change"/);
  assert.equal((await session.call(call('change', 'again'))).status, 'ok', 'at once, too');
  const next = await studio.kernel.openSession();
  assert.equal((await next.call(call('change', 'later'))).status, 'ok', 'in every session');

  const locked = join(folder, 'locked');
  mkdirSync(join(locked, 'agent.always.hcl'), { recursive: true });
  chmodSync(locked, 0o700);
  const other = await openStudio(t, {
    approver,
    config: { alwaysPath: join(locked, 'agent.always.hcl') },
  });
  const second = await other.kernel.openSession();
  const turn = await second.runTurn([call('change', 'b'), call('plain', 'c')]);
  assert.deepEqual(statuses(turn), ['denied', 'ok']);
  assert.match(rounds[1]?.problems.join() ?? '', /could not be saved/);
});

test('GATE-09 plan mode offers no resource operations, and runs none', async (t) => {
  const studio = await openStudio(t, { policies: [ALLOW_ALL] });
  const session = await studio.kernel.openSession({ planMode: true });
  assert.deepEqual(
    session.operations().map(({ name }) => name),
    ['p.look', 'p.ask'],
  );
  const turn = await session.runTurn([call('look', 'a'), call('change', 'b')]);
  assert.deepEqual(statuses(turn), ['ok', 'denied']);
  session.planMode = false;
  assert.equal(session.operations().length, 6);
  assert.equal((await session.call(call('change', 'c'))).status, 'ok');
});

test('POL-05 an ask on a read is a deny, and the journal says that it was downgraded', async (t) => {
  const approver = scripted({});
  const studio = await openStudio(t, {
    approver,
    policies: [{ name: 'careful', match: { toolName: 'p.look' }, action: 'ask' }],
  });
  const session = await studio.kernel.openSession();
  const outcome = await session.call(call('look', 'a'));
  assert.equal(outcome.status, 'denied');
  const decision = studio.journal.call(outcome.callId).find((entry) => entry.type === 'decision');
  assert.equal(decision?.downgraded, true);
  assert.deepEqual(studio.trace.lines, []);
});

test('an abort while items are being asked for cancels them, whatever the approver does', async (t) => {
  const abort = new AbortController();
  const signals: AbortSignal[] = [];
  const approver = scripted({
    a: (_request, signal) => {
      signals.push(signal);
      if (signals.length === 2) abort.abort();
      return new Promise(() => undefined);
    },
    b: (_request, signal) => {
      signals.push(signal);
      if (signals.length === 2) abort.abort();
      return new Promise(() => undefined);
    },
  });
  const studio = await openStudio(t, { approver });
  const session = await studio.kernel.openSession();
  const turn = await session.runTurn([call('change', 'a'), call('change', 'b')], {
    signal: abort.signal,
  });
  assert.deepEqual(statuses(turn), ['cancelled', 'cancelled']);
  assert.ok(signals.every((signal) => signal.aborted));
  assert.deepEqual(begun(studio), []);
});

test('a resource call whose intent cannot be written does not run', async (t) => {
  const ran: string[] = [];
  const shape = { description: 'Acts.', input: z.object({}), output: z.object({}) };
  const studio = await openStudio(t, {
    policies: [ALLOW_ALL],
    provider: (name) =>
      defineProvider({
        name,
        version: '1',
        operations: {
          act: resource({ ...shape, risk: 'low', handler: () => (ran.push('act'), {}) }),
          look: dataSource({ ...shape, handler: () => (ran.push('look'), {}) }),
        },
      }),
  });
  const session = await studio.kernel.openSession();
  studio.journal.appendDurably = () => Promise.reject(new Error('the disk is full'));
  const turn = await session.runTurn([
    { name: 'p.act', arguments: {} },
    { name: 'p.look', arguments: {} },
  ]);
  assert.deepEqual(statuses(turn), ['error', 'ok']);
  assert.deepEqual(ran, ['look']);
  const [outcome] = turn.outcomes;
  assert.ok(outcome?.status === 'error');
  assert.match(outcome.error.message, /not run.*the disk is full/);
});
