// Retention: takes whole sessions that are over out of a journal file and gives their space back. A session whose
// kernel still lives is never touched.
import { existsSync } from 'node:fs';
import { JournalError, journalErrorOf } from './errors.js';
import type { Database } from './database.js';
import { openDatabase } from './open.js';
import { ownerLives } from './owner.js';

export interface PruneOptions {
  /** Sessions with nothing new for so long are removed, in milliseconds. */
  readonly olderThanMs?: number;
  /** So many of the newest sessions are kept, however old. Alone: all but these are removed. */
  readonly keepSessions?: number;
  /** Says what would be removed, and removes nothing. */
  readonly dryRun?: boolean;
  /** Milliseconds since the epoch; for tests. */
  readonly now?: () => number;
}

export interface PruneResult {
  readonly sessions: readonly {
    readonly sessionId: string;
    /** Of its newest entry, in milliseconds since the epoch. */
    readonly lastTime: number;
    readonly entries: number;
  }[];
  /** Removed entries that belong to no session, such as the log lines of an idle provider. */
  readonly otherEntries: number;
  /** Size of the file in bytes. */
  readonly bytesBefore: number;
  readonly bytesAfter: number;
  /** False where another process used the file: its free space is used for new entries instead. */
  readonly compacted: boolean;
}

/**
 * Removes old sessions. Each goes in a transaction of its own, so that a kernel that writes to the same file never
 * waits long. Rejects with RangeError when neither limit is given, and with JournalError.
 */
export async function pruneJournal(path: string, options: PruneOptions): Promise<PruneResult> {
  const { olderThanMs, keepSessions, dryRun = false, now = Date.now } = options;
  if (olderThanMs === undefined && keepSessions === undefined) {
    throw new RangeError('nothing says what is old: give olderThanMs, keepSessions, or both');
  }
  for (const limit of [olderThanMs, keepSessions]) {
    if (limit !== undefined && !(limit >= 0)) throw new RangeError(`${limit} is no limit`);
  }
  if (!existsSync(path)) throw new JournalError('missing', path, 'it does not exist');
  const database = openDatabase(path, dryRun);
  try {
    const oldest = olderThanMs === undefined ? undefined : now() - olderThanMs;
    const sessions = oldSessions(database, oldest, keepSessions ?? 0);
    const before = otherEntriesBefore(database, oldest, sessions);
    const bytesBefore = sizeOf(database);
    if (dryRun) {
      const otherEntries = countOthers(database, before);
      return { sessions, otherEntries, bytesBefore, bytesAfter: bytesBefore, compacted: false };
    }
    for (const { sessionId } of sessions) {
      remove(database, sessionId);
      // The event loop of an embedding program goes on in between.
      await new Promise((resolve) => setImmediate(resolve));
    }
    const { changes } = database
      .prepare('DELETE FROM entries WHERE session_id IS NULL AND time < ?')
      .run(before);
    const removed = sessions.length > 0 || Number(changes) > 0;
    const compacted = removed && compact(database);
    const bytesAfter = sizeOf(database);
    return { sessions, otherEntries: Number(changes), bytesBefore, bytesAfter, compacted };
  } catch (error) {
    throw journalErrorOf(path, error);
  } finally {
    database.close();
  }
}

function oldSessions(
  database: Database,
  oldest: number | undefined,
  keep: number,
): PruneResult['sessions'] {
  const rows = database
    .prepare(
      `SELECT s.session_id AS id, s.status, s.owner,
         (SELECT time FROM entries e WHERE e.session_id = s.session_id ORDER BY sequence DESC LIMIT 1) AS last,
         (SELECT count(*) FROM entries e WHERE e.session_id = s.session_id) AS entries
       FROM sessions s ORDER BY s.sequence DESC LIMIT -1 OFFSET ?`,
    )
    .all(keep);
  return rows
    .filter((row) => row['status'] !== 'running' || !ownerLives(String(row['owner'])))
    .map((row) => ({
      sessionId: String(row['id']),
      lastTime: Number(row['last'] ?? 0),
      entries: Number(row['entries']),
    }))
    .filter(({ lastTime }) => oldest === undefined || lastTime < oldest)
    .toReversed();
}

/** What belongs to no session goes with the sessions of its time. */
function otherEntriesBefore(
  database: Database,
  oldest: number | undefined,
  sessions: PruneResult['sessions'],
): number {
  if (oldest !== undefined) return oldest;
  const removed = new Set(sessions.map(({ sessionId }) => sessionId));
  const all = database
    .prepare('SELECT session_id AS id, time FROM sessions ORDER BY sequence')
    .all();
  const firstKept = all.find(({ id }) => !removed.has(String(id)));
  const newest = sessions.reduce((latest, { lastTime }) => Math.max(latest, lastTime), 0);
  return Number(firstKept?.['time'] ?? newest);
}

function countOthers(database: Database, before: number): number {
  const row = database
    .prepare('SELECT count(*) AS n FROM entries WHERE session_id IS NULL AND time < ?')
    .get(before);
  return Number(row?.['n']);
}

function remove(database: Database, sessionId: string): void {
  database.exec('BEGIN IMMEDIATE');
  try {
    for (const table of ['entries', 'calls', 'sessions']) {
      database.prepare(`DELETE FROM ${table} WHERE session_id = ?`).run(sessionId);
    }
    database.exec('COMMIT');
  } catch (error) {
    if (database.inTransaction()) database.exec('ROLLBACK');
    throw error;
  }
}

/** Whether the file could be rewritten without its free pages. */
function compact(database: Database): boolean {
  try {
    database.exec('VACUUM');
    // The smaller file is in the WAL until a checkpoint; a reader may hold that up.
    const row = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get();
    return Number(row?.['busy']) === 0;
  } catch (error) {
    if (error instanceof Error && /locked|busy/i.test(error.message)) return false;
    throw error;
  }
}

function sizeOf(database: Database): number {
  const read = (name: string): number => Number(database.prepare(`PRAGMA ${name}`).get()?.[name]);
  return read('page_count') * read('page_size');
}
