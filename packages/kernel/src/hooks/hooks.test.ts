// Hooks of every mode, as functions of the embedding program and over the wire of a real process.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { HookMode, HookPoint, Message } from '@tenon/protocol';
import { processAlive, tempDir, waitUntil } from '@tenon/test-support';
import type { Kernel } from '../api.js';
import { DEFAULT_SETTINGS, type HookSubscription, type ProviderConfig } from '../config/model.js';
import { ALLOW_ALL, openStudio, type Studio } from '../fixtures/studio.js';
import { openMemoryJournal } from '../journal/sqlite.js';
import { createKernel } from '../kernel.js';
import { HookDenied } from '../session/session.js';
import { HookLoadError } from './check.js';
import type { InProcessHook } from './subscriber.js';

const CHANGE = { name: 'p.change', arguments: { key: 'a' } };
const MESSAGE: Message = { id: 'm', role: 'user', content: [{ type: 'text', text: 'hello' }] };

const hook = (
  name: string,
  point: HookPoint,
  mode: HookMode,
  handle: InProcessHook['handle'],
  timeoutMs?: number,
): InProcessHook => ({
  name,
  point,
  mode,
  handle,
  ...(timeoutMs === undefined ? {} : { timeoutMs }),
});

const allow = () => ({ type: 'veto', decision: 'allow' }) as const;
const deny = () => ({ type: 'veto', decision: 'deny' }) as const;

function studioWith(t: TestContext, hooks: readonly InProcessHook[]): Promise<Studio> {
  return openStudio(t, { policies: [ALLOW_ALL], kernel: { hooks } });
}

const failures = ({ journal }: Studio): string[] =>
  journal
    .since(0, 1_000)
    .flatMap((entry) =>
      entry.type === 'hook_error' ? [`${entry.point} ${entry.subscriber} ${entry.category}`] : [],
    );

test('a veto at pre-tool-call refuses that call alone; it is journaled as the hook’s decision', async (t) => {
  const studio = await studioWith(t, [
    hook('guard', 'pre_tool_call', 'veto', (payload) =>
      payload.point === 'pre_tool_call' && payload.call.arguments['key'] === 'bad'
        ? deny()
        : allow(),
    ),
  ]);
  const session = await studio.kernel.openSession();
  const turn = await session.runTurn([
    { name: 'p.look', arguments: { key: 'bad' } },
    { name: 'p.look', arguments: { key: 'good' } },
    { name: 'p.change', arguments: { key: 'bad' } },
  ]);
  assert.deepEqual(
    turn.outcomes.map(({ status }) => status),
    ['denied', 'ok', 'denied'],
  );
  const [first] = turn.outcomes;
  assert.ok(first?.status === 'denied' && first.decidedBy === 'hook:guard');
  assert.deepEqual(studio.trace.lines, ['begin look good', 'end look good']);
  assert.equal(studio.journal.calls({})[0]?.decidedBy, 'hook:guard');
});

test('GATE-08 a veto at plan-ready that denies, fails, hangs, or does not decide denies the plan', async (t) => {
  const broken: [string, InProcessHook['handle'], RegExp, string[]][] = [
    ['denies', deny, /denied it/, []],
    [
      'fails',
      () => {
        throw new Error('broken');
      },
      /broken.*GATE-08/,
      ['plan_ready fails veto_failed'],
    ],
    ['hangs', () => new Promise(() => undefined), /within 20 ms/, ['plan_ready hangs timeout']],
    ['silent', () => undefined, /no decision/, ['plan_ready silent invalid_response']],
    [
      'unsure',
      () => ({ type: 'veto', decision: 'unspecified' }) as const,
      /did not decide/,
      ['plan_ready unsure invalid_response'],
    ],
    [
      'confused',
      () => ({ type: 'observe' }) as const,
      /answered with observe/,
      ['plan_ready confused invalid_response'],
    ],
  ];
  for (const [name, handle, reason, expected] of broken) {
    const studio = await studioWith(t, [hook(name, 'plan_ready', 'veto', handle, 20)]);
    const session = await studio.kernel.openSession();
    const turn = await session.runTurn([CHANGE, { name: 'p.look', arguments: { key: 'b' } }]);
    const [outcome, read] = turn.outcomes;
    assert.ok(outcome?.status === 'denied', name);
    assert.match(outcome.reason, reason);
    assert.equal(outcome.decidedBy, `hook:${name}`);
    assert.equal(read?.status, 'ok', 'a read is no part of the plan');
    assert.deepEqual(failures(studio), expected);
    assert.ok(!studio.trace.lines.includes('begin change a'));
  }
});

test('an observer can neither change nor stop anything, and its failure is journaled', async (t) => {
  const studio = await studioWith(t, [
    hook('vandal', 'pre_tool_call', 'observe', (payload) => {
      if (payload.point !== 'pre_tool_call') return undefined;
      (payload.call.arguments as Record<string, unknown>)['key'] = 'changed';
      return deny();
    }),
    hook('broken', 'pre_tool_call', 'observe', () => Promise.reject(new Error('broken'))),
    hook('slow', 'post_tool_call', 'observe', () => new Promise(() => undefined), 10),
  ]);
  const session = await studio.kernel.openSession();
  const outcome = await session.call(CHANGE);
  assert.equal(outcome.status, 'ok');
  assert.deepEqual(studio.trace.lines, ['begin change a', 'end change a']);
  assert.deepEqual(failures(studio), [
    'pre_tool_call broken unknown',
    'post_tool_call slow timeout',
  ]);
});

test('subscribers run in declaration order; observers side by side run together', async (t) => {
  const order: string[] = [];
  let meet: () => void = () => undefined;
  const both = new Promise<void>((resolve) => {
    meet = resolve;
  });
  const studio = await studioWith(t, [
    hook('v1', 'plan_ready', 'veto', () => (order.push('v1'), allow())),
    hook('o1', 'plan_ready', 'observe', async () => {
      order.push('o1');
      // Waits for the one after it: they would never end one after the other.
      await both;
      return undefined;
    }),
    hook('o2', 'plan_ready', 'observe', () => (order.push('o2'), meet(), undefined)),
    hook('v2', 'plan_ready', 'veto', () => (order.push('v2'), deny())),
    hook('o3', 'plan_ready', 'observe', () => (order.push('o3'), undefined)),
  ]);
  const session = await studio.kernel.openSession();
  assert.equal((await session.call(CHANGE)).status, 'denied');
  assert.deepEqual(order, ['v1', 'o1', 'o2', 'v2']);
  assert.deepEqual(failures(studio), []);
});

test('transforms change the messages alone, one after the other; a failing one stops the model call', async (t) => {
  const model = { provider: 'm', id: '1' };
  const add = (text: string) =>
    hook(`add-${text}`, 'pre_model_call', 'transform', (payload) => {
      assert.ok(payload.point === 'pre_model_call');
      assert.deepEqual(payload.model, model);
      return {
        type: 'transform',
        payload: {
          ...payload,
          model: { provider: 'x', id: 'x' },
          messages: [...payload.messages, { ...MESSAGE, id: text }],
        },
      };
    });
  const studio = await studioWith(t, [add('one'), add('two')]);
  const session = await studio.kernel.openSession();
  const messages = await session.beforeModelCall([MESSAGE], model);
  assert.deepEqual(
    messages.map(({ id }) => id),
    ['m', 'one', 'two'],
  );

  const broken = await studioWith(t, [
    hook('broken', 'pre_model_call', 'transform', () => {
      throw new Error('cannot');
    }),
    hook('never', 'pre_model_call', 'observe', () => assert.fail('the chain has ended')),
  ]);
  const other = await broken.kernel.openSession();
  await assert.rejects(other.beforeModelCall([MESSAGE]), (error) => {
    assert.ok(error instanceof HookDenied && error.by === 'hook:broken');
    return true;
  });
  assert.deepEqual(failures(broken), ['pre_model_call broken transform_failed']);
});

test('a veto refuses a session, a model call, and the use of a model’s answer', async (t) => {
  const start = await studioWith(t, [hook('no', 'session_start', 'veto', deny)]);
  await assert.rejects(start.kernel.openSession(), HookDenied);
  assert.equal(start.journal.sessions(1)[0]?.status, 'failed');

  const studio = await studioWith(t, [
    hook('before', 'pre_model_call', 'veto', deny),
    hook('after', 'post_model_response', 'veto', deny),
  ]);
  const session = await studio.kernel.openSession();
  await assert.rejects(session.beforeModelCall([MESSAGE]), HookDenied);
  await assert.rejects(
    session.afterModelResponse({ message: { ...MESSAGE, role: 'assistant' }, costUsd: 1 }),
    HookDenied,
  );
});

const HOOKS = fileURLToPath(new URL('../../fixtures/hooks.mjs', import.meta.url));

function overTheWire(trace: string): ProviderConfig {
  return {
    name: 'h',
    launch: {
      type: 'command',
      command: process.execPath,
      args: [HOOKS],
      env: { HOOK_TRACE: trace },
      envAllow: [],
      tls: 'mutual',
    },
    dev: true,
    settings: {},
    locations: new Map(),
    timeoutsMs: {},
  };
}

async function wired(
  t: TestContext,
  hooks: readonly HookSubscription[],
): Promise<{ readonly kernel: Kernel; readonly trace: () => string[] }> {
  const path = join(tempDir(t), 'trace.txt');
  const kernel = await createKernel({
    journal: openMemoryJournal(),
    config: {
      providers: [overTheWire(path)],
      policies: [],
      hooks,
      settings: { ...DEFAULT_SETTINGS, hookTimeoutMs: 2_000 },
      warnings: [],
    },
  });
  const pids = kernel.providers().flatMap(({ pid }) => (pid === undefined ? [] : [pid]));
  t.after(async () => {
    await kernel.close();
    for (const pid of pids) await waitUntil(() => !processAlive(pid), { what: 'it has ended' });
  });
  return {
    kernel,
    trace: () => (existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : []),
  };
}

const wire = (name: string, point: HookPoint, mode: HookMode): HookSubscription => ({
  name,
  point,
  mode,
  provider: 'h',
});

test('over the wire: observers see every point, a veto decides, a transform changes the messages', async (t) => {
  const { kernel, trace } = await wired(t, [
    wire('seen', 'session_start', 'observe'),
    wire('shout', 'pre_model_call', 'transform'),
    wire('seen', 'post_model_response', 'observe'),
    wire('allow', 'pre_tool_call', 'veto'),
    wire('seen', 'post_tool_call', 'observe'),
    wire('seen', 'session_end', 'observe'),
  ]);
  const session = await kernel.openSession();
  const model = { provider: 'm', id: '1' };
  const [message] = await session.beforeModelCall([MESSAGE], model);
  assert.deepEqual(message?.content, [{ type: 'text', text: 'HELLO' }]);
  await session.afterModelResponse({ message: { ...MESSAGE, role: 'assistant' }, costUsd: 0.25 });
  assert.equal((await session.call({ name: 'h.nothing', arguments: {} })).status, 'ok');
  await session.end();
  assert.deepEqual(trace(), [
    'seen session_start',
    'shout pre_model_call',
    'seen post_model_response',
    'allow pre_tool_call',
    'seen post_tool_call',
    'seen session_end',
  ]);
});

test('over the wire: a veto that denies, throws, hangs or crashes denies (GATE-08); the next call works', async (t) => {
  for (const [name, category] of [
    ['deny', undefined],
    ['throw', 'veto_failed'],
    ['hang', 'timeout'],
    ['crash', 'process_crashed'],
  ] as const) {
    const { kernel } = await wired(t, [{ ...wire(name, 'pre_tool_call', 'veto'), timeoutMs: 400 }]);
    const session = await kernel.openSession();
    const outcome = await session.call({ name: 'h.nothing', arguments: {} });
    assert.ok(outcome.status === 'denied', `${name}: ${JSON.stringify(outcome)}`);
    assert.equal(outcome.decidedBy, `hook:${name}`);
    const errors = [...kernel.journal.session(session.id)].flatMap((entry) =>
      entry.type === 'hook_error' ? [entry.category] : [],
    );
    assert.deepEqual(errors, category === undefined ? [] : [category], name);
  }
});

test('HKP-02 hooks that cannot work are refused when the kernel starts, all of them', async (t) => {
  const load = async (hooks: HookSubscription[]): Promise<string> => {
    try {
      const { kernel } = await wired(t, hooks);
      await kernel.close();
      return '';
    } catch (error) {
      assert.ok(error instanceof HookLoadError, String(error));
      return error.message;
    }
  };
  const location = { file: 'agent.hcl', line: 7, column: 1 };
  const message = await load([
    { ...wire('a', 'post_apply', 'veto'), location },
    wire('b', 'plan_ready', 'transform'),
    { ...wire('c', 'plan_ready', 'observe'), provider: 'missing' },
  ]);
  assert.match(message, /^agent\.hcl:7: hook "a".*nothing to veto at post_apply/m);
  assert.match(message, /hook "b".*only pre_model_call can be transformed/);
  assert.match(message, /hook "c".*no provider "missing"/);

  const studio = openStudio(t, {
    config: { hooks: [{ ...wire('d', 'plan_ready', 'observe'), provider: 'p' }] },
  });
  await assert.rejects(studio, /hook "d".*does not support plan_ready \(HKP-02\)/);
});
