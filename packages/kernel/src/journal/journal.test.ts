// The SQLite journal on real files.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readFileSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { tempDir } from '@tenon/test-support';
import { JournalError } from './errors.js';
import type { JournalEntry } from './journal.js';
import { openDatabase } from './open.js';
import { openJournal, openMemoryJournal } from './sqlite.js';

const started = (sessionId = 's1'): JournalEntry => ({
  type: 'session_started',
  sessionId,
  workingDirectory: '/w',
  profile: '',
  kernelPid: process.pid,
});
const requested = (callId: string, sessionId = 's1'): JournalEntry => ({
  type: 'call_requested',
  sessionId,
  turnId: 't1',
  callId,
  index: 0,
  name: 'fs.write',
  provider: 'fs',
  operation: 'write',
  kind: 'resource',
  arguments: { path: 'a' },
});
const ended = (callId: string): JournalEntry => ({
  type: 'outcome',
  sessionId: 's1',
  turnId: 't1',
  outcome: {
    status: 'ok',
    payload: {},
    callId,
    provider: 'fs',
    operation: 'write',
    arguments: {},
    attempts: 1,
    durationMs: 12.6,
    partial: [],
  },
});

test('entries come back in order, as they were, bytes and strange texts included', async (t) => {
  const path = join(tempDir(t), 'deep', 'journal.db');
  const journal = await openJournal(path);
  const args = {
    nul: 'a\0b',
    'pro\u2028': '🎈',
    ['__proto__']: 1,
    $bytes: 'AA==',
    deep: [{ $plain: 1 }],
  };
  const first = await journal.append({ ...requested('c1'), arguments: args } as JournalEntry);
  const second = await journal.appendDurably({
    type: 'emit',
    sessionId: 's1',
    id: 'e1',
    provider: 'fs',
    providerVersion: '1',
    kind: 'message',
    schemaVersion: '1',
    payload: Uint8Array.from([0, 255]),
  });
  assert.ok(second > first);
  await journal.close();
  const again = await openJournal(path, { readOnly: true });
  const [one, two] = [...again.session('s1')];
  assert.ok(one?.type === 'call_requested' && two?.type === 'emit');
  assert.deepEqual(Object.entries(one.arguments), Object.entries(args));
  assert.deepEqual(two.payload, Uint8Array.from([0, 255]));
  await assert.rejects(again.append(started()), /opened for reading/);
  await again.close();
});

test('a call is running, ended, unknown or not run by what is written and whether its kernel lives', async () => {
  const journal = openMemoryJournal();
  const status = () => journal.calls({}).map((call) => call.status);
  await journal.append(started());
  await journal.append(requested('c1'));
  assert.deepEqual(status(), ['running']);
  await journal.append(ended('c1'));
  assert.deepEqual(status(), ['ok']);
  assert.equal(journal.calls({})[0]?.durationMs, 13);
  // A session whose kernel is gone: no process has this id.
  await journal.append({ ...started('s2'), kernelPid: 2 ** 22 + 1 } as JournalEntry);
  await journal.append(requested('c2', 's2'));
  await journal.append(requested('c3', 's2'));
  const intent = { type: 'intent', sessionId: 's2', turnId: 't1', callId: 'c3' } as const;
  await journal.appendDurably({ ...intent, arguments: {}, idempotent: false });
  assert.deepEqual(status(), ['ok', 'not_run', 'outcome_unknown']);
  assert.deepEqual(
    journal.calls({ status: 'outcome_unknown' }).map((call) => call.callId),
    ['c3'],
  );
  assert.deepEqual(
    journal.calls({ limit: 2 }).map((call) => call.callId),
    ['c2', 'c3'],
  );
  assert.equal(journal.sessions(10).at(-1)?.status, 'interrupted');
  await journal.close();
});

test('CFG-02 secrets never reach the file', async (t) => {
  const path = join(tempDir(t), 'journal.db');
  const journal = await openJournal(path);
  journal.redactor.add(['s3cret-value', 'abc']);
  await journal.append({
    ...requested('c1'),
    arguments: { text: 'with s3cret-value inside', 's3cret-value': ['s3cret-value', 'abc'] },
  } as JournalEntry);
  const [entry] = journal.call('c1');
  assert.ok(entry?.type === 'call_requested');
  assert.deepEqual(entry.arguments, {
    text: 'with [redacted] inside',
    '[redacted]': ['[redacted]', 'abc'],
  });
  await journal.close();
});

test('a file that is no journal, is newer, damaged, or cannot be made is refused with what to do', async (t) => {
  const folder = tempDir(t);
  const problem = async (path: string, readOnly = false): Promise<string> => {
    try {
      const journal = await openJournal(path, { readOnly });
      await journal.close();
      return 'none';
    } catch (error) {
      assert.ok(error instanceof JournalError, String(error));
      assert.match(error.message, /journal/);
      return error.problem;
    }
  };
  assert.equal(await problem(join(folder, 'missing.db'), true), 'missing');
  writeFileSync(join(folder, 'text.db'), 'this is a text of more than a hundred bytes '.repeat(10));
  assert.equal(await problem(join(folder, 'text.db')), 'not_a_journal');
  mkdirSync(join(folder, 'folder.db'));
  assert.equal(await problem(join(folder, 'folder.db')), 'not_a_journal');
  assert.equal(await problem(join(folder, 'text.db', 'below.db')), 'unwritable');

  const other = join(folder, 'other.db');
  const foreign = openDatabase(other, false);
  foreign.exec('PRAGMA application_id = 1');
  foreign.close();
  assert.equal(await problem(other), 'not_a_journal');

  const newer = join(folder, 'newer.db');
  const future = openDatabase(newer, false);
  future.exec('PRAGMA user_version = 999');
  future.close();
  assert.equal(await problem(newer), 'newer');

  const cut = join(folder, 'cut.db');
  const whole = await openJournal(cut);
  for (let n = 0; n < 200; n += 1) await whole.append(requested(`c${n}`));
  await whole.close();
  truncateSync(cut, 9_000);
  assert.equal(await problem(cut), 'damaged');
});

test('a damaged page is reported when it is met', async (t) => {
  const path = join(tempDir(t), 'journal.db');
  const whole = await openJournal(path);
  for (let n = 0; n < 500; n += 1) await whole.append(requested(`c${n}`));
  await whole.close();
  const bytes = readFileSync(path);
  bytes.fill(0x5a, 3 * 4096);
  writeFileSync(path, bytes);
  const journal = await openJournal(path, { readOnly: true });
  assert.throws(
    () => journal.since(0, 1_000),
    (error) => error instanceof JournalError && error.problem === 'damaged',
  );
  await journal.close();
});

test('a journal in a folder that cannot be written is read, and refused for writing', async (t) => {
  if (process.getuid?.() !== 0) return t.skip('needs root, to become a user without rights');
  const folder = tempDir(t);
  const path = join(folder, 'journal.db');
  const journal = await openJournal(path);
  await journal.append(started());
  await journal.close();
  chmodSync(folder, 0o755);
  const script = `
    const { openJournal } = await import(process.argv[1]);
    const journal = await openJournal(process.argv[2], { readOnly: true });
    const write = await openJournal(process.argv[2]).catch((error) => error);
    console.log(journal.since(0, 10).length, write.name, write.problem);
    await journal.close();`;
  const module = new URL('./sqlite.js', import.meta.url).href;
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '-e', script, module, path],
    { uid: 65534, gid: 65534, cwd: '/', encoding: 'utf8' },
  );
  assert.equal(`${stdout}${stderr}`, '1 JournalError read_only\n');
});

test('an entry that cannot be written harms no other', async () => {
  const journal = openMemoryJournal();
  const before = journal.append(requested('c1'));
  const bad = journal.append({ ...requested('c2'), arguments: { n: 1n } } as never);
  const after = journal.append(requested('c3'));
  await assert.rejects(bad, /entry of type call_requested cannot be written/);
  assert.deepEqual([await before, await after], [1, 2]);
  await journal.close();
});

test('a name with U+0000 is whole in its entry and shown in lists', async () => {
  const journal = openMemoryJournal();
  await journal.append({ ...requested('c1'), provider: 'a\0b', name: 'a\0b.x' } as JournalEntry);
  assert.equal(journal.calls({})[0]?.provider, 'a\uFFFDb');
  const [entry] = journal.call('c1');
  assert.ok(entry?.type === 'call_requested' && entry.provider === 'a\0b');
  await journal.close();
});

test('a journal that is closed is whole in its one file', async (t) => {
  const folder = tempDir(t);
  const path = join(folder, 'journal.db');
  const journal = await openJournal(path);
  await journal.append(started());
  journal.calls({ status: 'running' });
  for (const _ of journal.session('s1')) break;
  await journal.close();
  const copy = join(folder, 'copy.db');
  copyFileSync(path, copy);
  const copied = await openJournal(copy, { readOnly: true });
  assert.equal(copied.since(0, 10).length, 1);
  await copied.close();
});

test('many appends keep their order, and a durable one makes all before it readable elsewhere', async (t) => {
  const path = join(tempDir(t), 'journal.db');
  const journal = await openJournal(path);
  const sequences = Array.from({ length: 1_000 }, (_, n) => journal.append(requested(`c${n}`)));
  const last = await journal.appendDurably(ended('c999'));
  const reader = await openJournal(path, { readOnly: true });
  assert.equal(reader.since(0, 2_000).length, 1_001);
  const all = await Promise.all(sequences);
  assert.deepEqual(
    all,
    [...all].sort((a, b) => a - b),
  );
  assert.equal(last, (all.at(-1) as number) + 1);
  await reader.close();
  await journal.close();
});
