// Opens a journal file: checked, migrated, and set up for several processes.
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readSync,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { connect, type Database } from './database.js';
import { JournalError, journalErrorOf } from './errors.js';
import { APPLICATION_ID, MIGRATIONS, READABLE_FROM, VERSION } from './schema.js';

const BUSY_TIMEOUT_MS = 10_000;

/**
 * A connection to the file, migrated to this version. `readOnly` needs an existing file of this version or
 * an older one that can be read as it is. Throws JournalError.
 */
export function openDatabase(path: string, readOnly: boolean): Database {
  let database: Database | undefined;
  try {
    if (path !== ':memory:') checkPath(path, readOnly);
    database = openConnection(path, readOnly);
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

/** The first read is what finds out whether it can be read at all. */
function openConnection(path: string, readOnly: boolean): Database {
  const open = (name: string): Database => {
    const database = connect(name, { readOnly, timeout: BUSY_TIMEOUT_MS });
    try {
      pragma(database, 'user_version');
      return database;
    } catch (error) {
      database.close();
      throw error;
    }
  };
  try {
    return open(path);
  } catch (error) {
    // A WAL needs files beside it, which a folder that is read-only refuses. Without a WAL nobody is writing.
    const refused = error instanceof Error && /unable to open|readonly/i.test(error.message);
    if (!refused || !readOnly || existsSync(`${path}-wal`)) throw error;
    return open(`${pathToFileURL(path).href}?immutable=1`);
  }
}

function checkPath(path: string, readOnly: boolean): void {
  if (existsSync(path)) {
    if (!statSync(path).isFile()) {
      throw new JournalError('not_a_journal', path, 'it is not a file; name a path for one');
    }
    if (!readOnly) checkWritable(path);
    checkWhole(path);
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

/** SQLite opens a file that it may not write without a word, and fails at the first entry. */
function checkWritable(path: string): void {
  try {
    accessSync(path, constants.W_OK);
  } catch (error) {
    throw new JournalError('read_only', path, `it cannot be written (${String(error)})`, {
      cause: error,
    });
  }
}

/** A file that was cut would open, and fail at some later read. */
function checkWhole(path: string): void {
  const head = Buffer.alloc(100);
  const file = openSync(path, 'r');
  let size: number;
  try {
    if (readSync(file, head, 0, 100, 0) < 100) return;
    size = fstatSync(file).size;
  } finally {
    closeSync(file);
  }
  const wal = statSync(`${path}-wal`, { throwIfNoEntry: false });
  // With a WAL the newest pages, and the newest count of them, are there.
  if (wal !== undefined && wal.size > 0) return;
  if (head.toString('latin1', 0, 15) !== 'SQLite format 3') return;
  // The count holds only where the change counter says so.
  if (head.readUInt32BE(24) !== head.readUInt32BE(92)) return;
  const pageSize = head.readUInt16BE(16) === 1 ? 65_536 : head.readUInt16BE(16);
  const expected = head.readUInt32BE(28) * pageSize;
  if (size >= expected) return;
  throw new JournalError(
    'damaged',
    path,
    `it was cut: ${size} of ${expected} bytes are there; move it away, and try "sqlite3 FILE .recover" on a copy of it`,
  );
}

function pragma(database: Database, name: string): number {
  return Number(database.prepare(`PRAGMA ${name}`).get()?.[name] ?? 0);
}

function checkKind(database: Database, path: string): void {
  const version = pragma(database, 'user_version');
  const application = pragma(database, 'application_id');
  const tables = database.prepare('SELECT count(*) AS n FROM sqlite_master').get();
  if (application !== APPLICATION_ID && Number(tables?.['n']) > 0) {
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
  if (version >= READABLE_FROM) return;
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
