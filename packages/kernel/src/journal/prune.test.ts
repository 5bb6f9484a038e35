// Retention on real files.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { tempDir } from '@tenon/test-support';
import { exportJournal, parseExportedLine } from './export.js';
import { JournalError } from './errors.js';
import { pruneJournal } from './prune.js';
import { openJournal } from './sqlite.js';

const DAY = 24 * 3600 * 1000;
const NOW = Date.UTC(2026, 5, 30);
/** No process has this id. */
const GONE = 2 ** 22 + 1;

/** Sessions s1, s2, … that each began `ages` days ago and wrote about 40 kB then. */
async function journalOf(path: string, ages: readonly number[], running?: string): Promise<void> {
  let time = 0;
  const journal = await openJournal(path, { now: () => time });
  for (const [index, age] of ages.entries()) {
    time = NOW - age * DAY;
    const sessionId = `s${index + 1}`;
    const alive = running === sessionId;
    const kernelPid = alive ? process.pid : GONE;
    const base = { sessionId, workingDirectory: '/', profile: '', kernelPid } as const;
    await journal.append({ type: 'session_started', ...base });
    const callId = `call-${sessionId}`;
    const text = 'x'.repeat(40_000);
    await journal.append({
      type: 'call_requested',
      sessionId,
      turnId: 't',
      callId,
      index: 0,
      name: 'files.write',
      provider: 'files',
      operation: 'write',
      arguments: { text },
    });
    await journal.append({
      type: 'provider_log',
      provider: 'files',
      level: 'info',
      message: `idle ${age}`,
      fields: {},
    });
  }
  await journal.close();
}

async function sessionsOf(path: string): Promise<string[]> {
  const journal = await openJournal(path, { readOnly: true });
  const ids = journal.sessions(100).map(({ sessionId }) => sessionId);
  await journal.close();
  return ids;
}

test('sessions older than the limit go, with their calls and entries, and the file gets smaller', async (t) => {
  const path = join(tempDir(t), 'journal.db');
  await journalOf(path, [90, 60, 31, 29, 1]);
  const options = { olderThanMs: 30 * DAY, now: () => NOW };
  const plan = await pruneJournal(path, { ...options, dryRun: true });
  assert.deepEqual(
    plan.sessions.map(({ sessionId, entries }) => [sessionId, entries]),
    [
      ['s1', 2],
      ['s2', 2],
      ['s3', 2],
    ],
  );
  assert.equal(plan.otherEntries, 3);
  assert.equal((await sessionsOf(path)).length, 5, 'a dry run removes nothing');

  const result = await pruneJournal(path, options);
  assert.deepEqual(result.sessions, plan.sessions);
  assert.equal(result.otherEntries, 3);
  assert.ok(result.compacted && result.bytesAfter < result.bytesBefore);
  assert.deepEqual(await sessionsOf(path), ['s4', 's5']);
  const journal = await openJournal(path);
  assert.deepEqual(
    journal.calls({}).map(({ callId }) => callId),
    ['call-s4', 'call-s5'],
  );
  // A number that was given once is never given again.
  assert.equal(await journal.append({ type: 'session_ended', sessionId: 's5', status: 'x' }), 16);
  await journal.close();
});

test('the newest sessions are kept by number, and a session whose kernel lives always', async (t) => {
  const path = join(tempDir(t), 'journal.db');
  await journalOf(path, [90, 60, 31, 29, 1], 's2');
  const both = await pruneJournal(path, {
    keepSessions: 3,
    olderThanMs: 30 * DAY,
    now: () => NOW,
  });
  assert.deepEqual(
    both.sessions.map(({ sessionId }) => sessionId),
    ['s1'],
  );
  await pruneJournal(path, { keepSessions: 1, now: () => NOW });
  assert.deepEqual(await sessionsOf(path), ['s2', 's5']);
  await pruneJournal(path, { keepSessions: 0, now: () => NOW });
  assert.deepEqual(await sessionsOf(path), ['s2']);
});

test('a kernel goes on writing while its journal is pruned', async (t) => {
  const path = join(tempDir(t), 'journal.db');
  await journalOf(path, [90, 60, 31]);
  const journal = await openJournal(path);
  const sessionId = 'new';
  const start = { sessionId, workingDirectory: '/', profile: '', kernelPid: process.pid } as const;
  const writes = [journal.append({ type: 'session_started', ...start })];
  const pruned = pruneJournal(path, { olderThanMs: 0, now: () => NOW });
  for (let n = 0; n < 50; n += 1) {
    writes.push(journal.append({ type: 'session_ended', sessionId, status: String(n) }));
    await new Promise((resolve) => setImmediate(resolve));
  }
  assert.equal((await pruned).sessions.length, 3);
  await Promise.all(writes);
  assert.equal([...journal.session('new')].length, 51);
  await journal.close();
});

test('without a limit, or on a file that is missing, nothing is removed and it says why', async (t) => {
  const folder = tempDir(t);
  await assert.rejects(pruneJournal(join(folder, 'a.db'), {}), RangeError);
  await assert.rejects(pruneJournal(join(folder, 'a.db'), { keepSessions: -1 }), RangeError);
  for (const dryRun of [true, false]) {
    await assert.rejects(
      pruneJournal(join(folder, 'a.db'), { keepSessions: 1, dryRun }),
      JournalError,
    );
  }
  assert.deepEqual(readdirSync(folder), []);
});

test('an export holds every entry, whole, and can be taken up where it ended', async (t) => {
  const path = join(tempDir(t), 'journal.db');
  await journalOf(path, [2, 1]);
  const journal = await openJournal(path);
  const payload = Uint8Array.from([0, 1, 254]);
  await journal.append({
    type: 'emit',
    sessionId: 's2',
    id: 'e',
    provider: 'files',
    providerVersion: '1',
    kind: 'message',
    schemaVersion: '1',
    payload,
  });
  const lines = [...exportJournal(journal)];
  assert.ok(lines.every((line) => !line.includes('\n')));
  assert.deepEqual(lines.map(parseExportedLine), journal.since(0, 100));
  const last = parseExportedLine(lines.at(-1) as string);
  assert.ok(last.type === 'emit');
  assert.deepEqual(last.payload, payload);
  assert.equal([...exportJournal(journal, { afterSequence: 5 })].length, lines.length - 5);
  const one = [...exportJournal(journal, { sessionId: 's2', afterSequence: 4 })];
  assert.deepEqual(one.map(parseExportedLine), [...journal.session('s2')].slice(-2));
  await journal.close();
});
