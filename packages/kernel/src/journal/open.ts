// Opens a journal file: checked, migrated, and set up for several processes.
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { JournalError, journalErrorOf } from './errors.js';
import { APPLICATION_ID, MIGRATIONS, VERSION } from './schema.js';

export type Database = InstanceType<typeof DatabaseSync>;

const BUSY_TIMEOUT_MS = 10_000;

/**
 * A connection to the file, migrated to this version. `readOnly` needs an existing file of this version or
 * an older one that can be read as it is. Throws JournalError.
 */
export function openDatabase(path: string, readOnly: boolean): Database {
  if (path !== ':memory:') checkPath(path, readOnly);
  let database: Database | undefined;
  try {
    database = new DatabaseSync(path, { readOnly, timeout: BUSY_TIMEOUT_MS });
    database.exec('PRAGMA foreign_keys = OFF');
    checkKind(database, path);
    if (readOnly) {
      checkReadable(database, path);
    } else {
      database.exec('PRAGMA journal_mode = WAL');
      database.exec('PRAGMA synchronous = NORMAL');
      migrate(database, path);
    }
    return database;
  } catch (error) {
    database?.close();
    throw journalErrorOf(path, error);
  }
}

function checkPath(path: string, readOnly: boolean): void {
  if (existsSync(path)) {
    if (!statSync(path).isFile()) {
      throw new JournalError('not_a_journal', path, 'it is not a file; name a path for one');
    }
    return;
  }
  if (readOnly) throw new JournalError('missing', path, 'it does not exist: no call has run yet');
  try {
    mkdirSync(dirname(path), { recursive: true });
  } catch (error) {
    throw new JournalError('unwritable', path, `its folder cannot be made: ${String(error)}`, {
      cause: error,
    });
  }
}

function pragma(database: Database, name: string): number {
  const row = database.prepare(`PRAGMA ${name}`).get() as Record<string, unknown> | undefined;
  return Number(row?.[name] ?? 0);
}

function checkKind(database: Database, path: string): void {
  const version = pragma(database, 'user_version');
  const application = pragma(database, 'application_id');
  const tables = database.prepare('SELECT count(*) AS n FROM sqlite_master').get() as { n: number };
  if (application !== APPLICATION_ID && Number(tables.n) > 0) {
    throw new JournalError(
      'not_a_journal',
      path,
      'it is a SQLite file of another program; name another path',
    );
  }
  if (version > VERSION) {
    throw new JournalError(
      'newer',
      path,
      `it has format ${version}, and this version reads up to ${VERSION}: update, or name another path`,
    );
  }
}

function checkReadable(database: Database, path: string): void {
  const version = pragma(database, 'user_version');
  if (version === VERSION) return;
  throw new JournalError(
    'read_only',
    path,
    `it has format ${version} and must be brought to ${VERSION} before it can be read: open it once for writing`,
  );
}

function migrate(database: Database, path: string): void {
  if (pragma(database, 'user_version') === VERSION) return;
  // Another process may be doing the same: the lock comes first, the look second.
  database.exec('BEGIN IMMEDIATE');
  try {
    for (let from = pragma(database, 'user_version'); from < VERSION; from += 1) {
      const step = MIGRATIONS[from];
      if (step === undefined)
        throw new JournalError('damaged', path, `no step from format ${from}`);
      database.exec(step);
      database.exec(`PRAGMA user_version = ${from + 1}`);
    }
    database.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
    database.exec('COMMIT');
  } catch (error) {
    database.exec('ROLLBACK');
    throw error;
  }
}
