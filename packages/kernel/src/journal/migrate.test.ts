// Files of older versions.
import assert from 'node:assert/strict';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { tempDir } from '@tenon/test-support';
import { openDatabase } from './open.js';
import { VERSION } from './schema.js';
import { openJournal } from './sqlite.js';

/** Written by the first version of the format. */
const V1 = fileURLToPath(new URL('../../fixtures/journal-v1.db', import.meta.url));

const versionOf = (path: string): number => {
  const database = openDatabase(path, true);
  const row = database.prepare('PRAGMA user_version').get();
  database.close();
  return Number(row?.['user_version']);
};

test('a file of the first version is read as it is, brought up to date when it is written, and loses nothing', async (t) => {
  const path = join(tempDir(t), 'journal.db');
  copyFileSync(V1, path);
  const old = await openJournal(path, { readOnly: true });
  const before = old.since(0, 100);
  const [first, second] = old.calls({});
  await old.close();
  assert.equal(versionOf(path), 1);
  assert.equal(before.length, 15);
  assert.deepEqual([first?.status, second?.status], ['ok', 'outcome_unknown']);
  const requested = before.find((entry) => entry.type === 'call_requested');
  assert.deepEqual(requested?.arguments, { path: 'a\0b', text: 'ünï' });
  const chunk = before.find((entry) => entry.type === 'event');
  assert.deepEqual(chunk?.chunk, Uint8Array.from([0, 255, 10]));

  const journal = await openJournal(path);
  assert.deepEqual(journal.since(0, 100), before);
  const added = await journal.appendDurably({
    type: 'session_ended',
    sessionId: '01KDVERS10N1SESS10N0000002',
    status: 'failed',
  });
  assert.equal(added, 16);
  await journal.close();
  assert.equal(versionOf(path), VERSION);
  const again = await openJournal(path, { readOnly: true });
  assert.deepEqual(again.since(0, 15), before);
  assert.equal(again.sessions(10).at(-1)?.status, 'failed');
  await again.close();
});

test('processes that meet an old file at the same time migrate it once', async (t) => {
  const path = join(tempDir(t), 'journal.db');
  copyFileSync(V1, path);
  const journals = await Promise.all([1, 2, 3].map(() => openJournal(path)));
  for (const journal of journals) assert.equal(journal.since(0, 100).length, 15);
  await Promise.all(journals.map((journal) => journal.close()));
  assert.equal(versionOf(path), VERSION);
});
