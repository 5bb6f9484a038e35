// One connection to a SQLite file: the only file here that knows the library, which has the interface of node:sqlite.
import { DatabaseSync } from '@photostructure/sqlite';

export type Value = string | number | bigint | Uint8Array | null;
export type Row = Readonly<Record<string, Value>>;

export interface Statement {
  run(...values: Value[]): {
    readonly changes: number | bigint;
    readonly lastInsertRowid: number | bigint;
  };
  all(...values: Value[]): Row[];
  get(...values: Value[]): Row | undefined;
}

export interface Database {
  /** The same text gives the same statement. */
  prepare(sql: string): Statement;
  exec(sql: string): void;
  inTransaction(): boolean;
  /**
   * Brings everything into the file itself and lets go of it. The library has no way to finalize a statement, and
   * keeps the descriptors until the collector has found the statements of this connection, or the process ends.
   */
  close(): void;
}

/** Opens `path`, which may be a `file:` URL. Throws what SQLite says. */
export function connect(
  path: string,
  options: { readonly readOnly: boolean; readonly timeout: number },
): Database {
  const database = new DatabaseSync(path, options);
  const statements = new Map<string, Statement>();
  return {
    prepare(sql) {
      const known = statements.get(sql);
      if (known !== undefined) return known;
      const made = database.prepare(sql) as Statement;
      statements.set(sql, made);
      return made;
    },
    exec: (sql) => database.exec(sql),
    inTransaction: () => database.isTransaction,
    close() {
      statements.clear();
      if (!options.readOnly) checkpoint(database);
      database.close();
    },
  };
}

/** A reader may hold it up: then the newest entries stay in the WAL beside the file, which is as good. */
function checkpoint(database: InstanceType<typeof DatabaseSync>): void {
  try {
    database.exec('PRAGMA busy_timeout = 200');
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } catch (error) {
    if (!(error instanceof Error) || !/locked|busy/i.test(error.message)) throw error;
  }
}
