// One journal file and several real processes: that write at the same time, that are killed while they write, and
// that run out of space.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { tempDir } from '@tenon/test-support';
import { openDatabase } from './open.js';
import { openJournal } from './sqlite.js';

const WRITER = fileURLToPath(new URL('../fixtures/journal-writer.js', import.meta.url));

interface Writer {
  readonly child: ChildProcess;
  /** Ids of calls whose intent is on the disk. */
  readonly durable: string[];
  readonly exited: Promise<unknown>;
}

function startWriter(path: string, session: string, count: number, onLine?: (n: number) => void) {
  const child = spawn(process.execPath, [WRITER, path, session, String(count)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const durable: string[] = [];
  let rest = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      durable.push(line);
      onLine?.(durable.length);
    }
  });
  const writer: Writer = { child, durable, exited: once(child, 'close') };
  return writer;
}

function assertSound(path: string): void {
  const database = openDatabase(path, true);
  assert.deepEqual(Object.values(database.prepare('PRAGMA integrity_check').get() ?? {}), ['ok']);
  database.close();
}

test('two processes write to one journal at the same time', async (t) => {
  const path = join(tempDir(t), 'journal.db');
  const writers = [startWriter(path, 'a', 150), startWriter(path, 'b', 150)];
  await Promise.all(writers.map(({ exited }) => exited));
  assertSound(path);
  const journal = await openJournal(path, { readOnly: true });
  for (const [index, session] of ['a', 'b'].entries()) {
    assert.equal(writers[index]?.durable.length, 150);
    const entries = [...journal.session(session)];
    assert.equal(entries.length, 2 + 3 * 150);
    const calls = journal.calls({ sessionId: session });
    assert.deepEqual(
      calls.map(({ callId, status }) => `${callId} ${status}`),
      Array.from({ length: 150 }, (_, n) => `${session}-${n} ok`),
    );
  }
  const all = journal.since(0, 10_000);
  assert.equal(new Set(all.map(({ sequence }) => sequence)).size, 2 * (2 + 3 * 150));
  await journal.close();
});

test('a writer that is killed at any moment leaves a sound journal, and every durable entry in it', async (t) => {
  const folder = tempDir(t);
  for (const [round, killAt] of [1, 2, 3, 7, 20, 41].entries()) {
    const path = join(folder, `journal-${round}.db`);
    const writer = startWriter(path, 's', 100_000, (n) => {
      if (n === killAt) writer.child.kill('SIGKILL');
    });
    await writer.exited;
    assertSound(path);
    const journal = await openJournal(path);
    const byId = new Map(journal.calls({}).map((call) => [call.callId, call]));
    for (const callId of writer.durable) {
      const status = byId.get(callId)?.status;
      assert.ok(status === 'ok' || status === 'outcome_unknown', `${callId}: ${status}`);
    }
    for (const { callId, status } of byId.values()) {
      const types = journal.call(callId).map(({ type }) => type);
      const expected = types.includes('outcome')
        ? 'ok'
        : types.includes('intent')
          ? 'outcome_unknown'
          : 'not_run';
      assert.equal(status, expected, callId);
    }
    assert.equal(journal.sessions(1)[0]?.status, 'interrupted');
    await journal.close();
  }
});

test('a disk that is full fails the entry and says so; what was written before stays', async (t) => {
  if (process.platform === 'win32')
    return t.skip('a limit on the size of files needs a POSIX shell');
  const path = join(tempDir(t), 'journal.db');
  // The size limit of files stands in for the disk; without the trap its signal would end the process.
  const script = `trap '' XFSZ; ulimit -f 300; exec "$@"`;
  const child = spawn(
    'bash',
    ['-c', script, 'bash', process.execPath, WRITER, path, 's', '100000'],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let durable = '';
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (durable += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  const [code] = await once(child, 'close');
  assert.equal(code, 1);
  assert.match(said, /JournalError/);
  assertSound(path);
  const journal = await openJournal(path);
  const ids = new Set(journal.calls({}).map(({ callId }) => callId));
  for (const callId of durable.trim().split('\n')) assert.ok(ids.has(callId), callId);
  await journal.close();
});
