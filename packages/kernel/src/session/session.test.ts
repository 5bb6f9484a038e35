// What a session is beside its turns: questions to a person, callbacks of providers, messages of a model, rendering.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dataSource, defineProvider, type Provider } from '@tenon/provider';
import type { JsonObject } from '@tenon/protocol';
import * as z from 'zod';
import type { Session } from '../api.js';
import { openStudio, type Studio } from '../fixtures/studio.js';
import type { Approver, Question } from '../plan/approver.js';
import { callbacksFor } from './callbacks.js';
import { renderedBy, replaySession } from './replay.js';

const question = (text: string, choices?: readonly string[]) => ({
  name: 'p.ask',
  arguments: { question: text, ...(choices === undefined ? {} : { choices }) },
});

/** A person that gives these answers, one after the other. */
function person(...answers: (JsonObject | Error)[]): Approver & { readonly asked: Question[] } {
  const asked: Question[] = [];
  return {
    asked,
    decide: () => Promise.reject(new Error('not asked to decide')),
    async answer(one) {
      asked.push(one);
      const next = answers.shift();
      if (next instanceof Error) throw next;
      assert.ok(next !== undefined, 'one question too many');
      return next;
    },
  };
}

async function sessionOf(
  t: Parameters<typeof openStudio>[0],
  approver?: Approver,
): Promise<{ readonly session: Session; readonly studio: Studio }> {
  const studio = await openStudio(t, approver === undefined ? {} : { approver });
  return { session: await studio.kernel.openSession(), studio };
}

test('KND-05 a person answers an interactive call; the answer must fit, and the provider is not called', async (t) => {
  const approver = person({ reply: 'wrong form' }, { answer: 'blue' });
  const { session, studio } = await sessionOf(t, approver);
  const outcome = await session.call(question('Which colour?'));
  assert.ok(outcome.status === 'ok');
  assert.deepEqual(outcome.payload, { answer: 'blue' });
  assert.equal(approver.asked.length, 2);
  assert.deepEqual(approver.asked[0]?.arguments, { question: 'Which colour?' });
  assert.match(approver.asked[1]?.problems.join() ?? '', /answer/);
  assert.deepEqual(studio.trace.lines, []);
  assert.equal(studio.journal.calls({})[0]?.status, 'ok');
});

test('a question with choices takes no other answer', async (t) => {
  const approver = person({ answer: 'green' }, { answer: 'red' });
  const { session } = await sessionOf(t, approver);
  const outcome = await session.call(question('Which?', ['red', 'blue']));
  assert.ok(outcome.status === 'ok' && outcome.payload['answer'] === 'red');
  assert.match(approver.asked[1]?.problems.join() ?? '', /not one of the choices: red, blue/);
});

test('KND-05 questions are asked one at a time, in declaration order', async (t) => {
  let open = 0;
  const order: unknown[] = [];
  const { session } = await sessionOf(t, {
    decide: () => Promise.reject(new Error('not asked to decide')),
    async answer({ arguments: args }) {
      open += 1;
      assert.equal(open, 1);
      order.push(args['question']);
      await new Promise((resolve) => setImmediate(resolve));
      open -= 1;
      return { answer: 'x' };
    },
  });
  await session.runTurn(['1', '2', '3'].map((text) => question(text)));
  assert.deepEqual(order, ['1', '2', '3']);
});

test('nobody there, a person that walks away, no time left, an abort: each ends the question, none hangs', async (t) => {
  const nobody = await sessionOf(t);
  const refused = await nobody.session.call(question('Anybody?'));
  assert.ok(refused.status === 'denied');
  assert.match(refused.reason, /nobody is there/);

  const away = await sessionOf(t, person(new Error('the window was closed')));
  const left = await away.session.call(question('Still there?'));
  assert.ok(left.status === 'denied');
  assert.match(left.reason, /the window was closed/);

  const silent: Approver = {
    decide: () => Promise.reject(new Error('not asked to decide')),
    answer: () => new Promise(() => undefined),
  };
  const quiet = await sessionOf(t, silent);
  const late = await quiet.session.call(question('Now?'), { timeoutMs: 20 });
  assert.ok(late.status === 'error' && late.error.category === 'timeout');
  const abort = new AbortController();
  const running = quiet.session.call(question('Soon?'), { signal: abort.signal });
  setImmediate(() => abort.abort());
  assert.equal((await running).status, 'cancelled');
});

/** Emits into the session of its call. */
function emitter(name: string, version = '1.0.0'): Provider {
  const input = z.object({ text: z.string() });
  return defineProvider({
    name,
    version,
    operations: {
      say: dataSource({
        description: 'Emits an event.',
        input,
        output: z.object({ refused: z.string().optional() }),
        concurrency: { safe: true },
        async handler({ args, kernel, log }) {
          log.info('about to emit', { text: args.text });
          try {
            await kernel.emit({
              kind: 'message',
              schemaVersion: '1',
              payload: Buffer.from(JSON.stringify({ text: args.text })),
            });
            return {};
          } catch (error) {
            return { refused: String(error) };
          }
        },
      }),
    },
    render(payload, schemaVersion) {
      if (schemaVersion !== '1') throw new Error(`no schema version ${schemaVersion}`);
      const { text } = JSON.parse(Buffer.from(payload).toString('utf8')) as { text: string };
      return { root: { type: 'text', content: `it said ${text}` } };
    },
  });
}

test('a provider emits into the session of its call, and its log lines are kept', async (t) => {
  const studio = await openStudio(t, { provider: (name) => emitter(name) });
  const session = await studio.kernel.openSession();
  const outcome = await session.call({ name: 'p.say', arguments: { text: 'hello' } });
  assert.ok(outcome.status === 'ok');
  assert.deepEqual(outcome.payload, {});
  const entries = [...studio.journal.session(session.id)];
  const emit = entries.find((entry) => entry.type === 'emit');
  assert.ok(emit !== undefined);
  assert.deepEqual(
    [emit.provider, emit.providerVersion, emit.kind, emit.schemaVersion],
    ['p', '1.0.0', 'message', '1'],
  );
  assert.deepEqual(JSON.parse(Buffer.from(emit.payload).toString()), { text: 'hello' });
  const log = entries.find((entry) => entry.type === 'provider_log');
  assert.equal(log?.message, 'about to emit');
  const tree = await studio.kernel.render('p', emit.payload, emit.schemaVersion);
  assert.deepEqual(tree.root, { type: 'text', content: 'it said hello' });
});

test('a session is replayed by the version that wrote it, by the fallback for any other', async (t) => {
  const studio = await openStudio(t, { provider: (name) => emitter(name) });
  const session = await studio.kernel.openSession();
  await session.call({ name: 'p.say', arguments: { text: 'hello' } });
  await session.end();
  const base = { type: 'emit', sessionId: session.id, provider: 'p', kind: 'message' } as const;
  const payload = Buffer.from('{"text":"old"}');
  const add = (id: string, providerVersion: string, schemaVersion: string) =>
    studio.journal.append({ ...base, id, providerVersion, schemaVersion, payload });
  await add('old', '0.9.0', '1');
  await add('odd', '1.0.0', '7');
  const shown: string[] = [];
  let others = 0;
  for await (const one of replaySession(studio.journal, session.id, renderedBy(studio.kernel))) {
    if (one.type === 'entry') others += 1;
    else shown.push(`${one.by}${one.problem === undefined ? '' : ' (problem)'}`);
  }
  assert.deepEqual(shown, ['producer', 'fallback', 'fallback (problem)']);
  assert.equal(others + shown.length, [...studio.journal.session(session.id)].length);
});

test('RND-02 what no provider renders is shown as indented JSON, never dropped', async (t) => {
  const studio = await openStudio(t);
  const payload = Buffer.from('{"b":[1]}');
  for (const provider of ['p', 'a-provider-of-last-year']) {
    const tree = await studio.kernel.render(provider, payload, '7');
    assert.match(JSON.stringify(tree), /\\"b\\": \[/);
  }
});

test('a callback for a session that runs no call of that provider is refused and journaled', async (t) => {
  const studio = await openStudio(t, { provider: (name) => emitter(name) });
  const other = await studio.kernel.openSession();
  const service = callbacksFor(
    {
      sessions: new Map([[other.id, { running: new Map() } as never]]),
      journal: studio.journal,
      record: (entry) => void studio.journal.append(entry),
      observer: () => undefined,
    },
    'p',
    () => ({ name: 'p', version: '1', source: 'p', category: 'tool', protocolVersion: 1 }),
  );
  for (const sessionId of [other.id, 'no-such-session']) {
    await assert.rejects(
      service.emit({ sessionId, kind: 'message', schemaVersion: '1', payload: new Uint8Array() }),
      (error: { category?: string }) => error.category === 'permission_denied',
    );
  }
  const faults = studio.journal.since(0, 100).filter(({ type }) => type === 'provider_fault');
  assert.equal(faults.length, 2);
});

test('kernel.call is a session of one call', async (t) => {
  const studio = await openStudio(t);
  const outcome = await studio.kernel.call(
    { name: 'look', arguments: { key: 'a' } },
    { workingDirectory: '/', profile: 'test' },
  );
  assert.equal(outcome.status, 'ok');
  const [session] = studio.journal.sessions(1);
  assert.deepEqual([session?.status, session?.calls], ['completed', 1]);
});
