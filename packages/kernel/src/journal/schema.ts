// The tables of a journal file and the steps from each older version to the newest.

/** Step N takes a file of version N to version N + 1. A step, once released, never changes. */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE entries (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    time INTEGER NOT NULL,
    type TEXT NOT NULL,
    session_id TEXT,
    call_id TEXT,
    body TEXT NOT NULL,
    bytes BLOB
  ) STRICT;
  CREATE INDEX entries_of_session ON entries (session_id, sequence);
  CREATE INDEX entries_of_call ON entries (call_id, sequence) WHERE call_id IS NOT NULL;

  CREATE TABLE sessions (
    session_id TEXT PRIMARY KEY,
    sequence INTEGER NOT NULL,
    time INTEGER NOT NULL,
    owner TEXT NOT NULL,
    working_directory TEXT NOT NULL,
    status TEXT NOT NULL
  ) STRICT;
  CREATE INDEX sessions_in_order ON sessions (sequence);

  CREATE TABLE calls (
    call_id TEXT PRIMARY KEY,
    session_id TEXT NOT NULL,
    turn_id TEXT NOT NULL,
    sequence INTEGER NOT NULL,
    time INTEGER NOT NULL,
    provider TEXT NOT NULL,
    operation TEXT NOT NULL,
    kind TEXT,
    risk TEXT,
    status TEXT,
    intent INTEGER NOT NULL DEFAULT 0,
    attempts INTEGER NOT NULL DEFAULT 0,
    decided_by TEXT,
    error TEXT,
    duration_ms INTEGER
  ) STRICT;
  CREATE INDEX calls_in_order ON calls (sequence);
  CREATE INDEX calls_of_session ON calls (session_id, sequence);
  CREATE INDEX calls_of_provider ON calls (provider, sequence);
  `,
  // The few calls without an outcome are looked for among very many with one. From this version on, a body
  // leaves out what stands in a column of its row.
  `
  CREATE INDEX calls_open ON calls (sequence) WHERE status IS NULL;
  `,
];

export const VERSION = MIGRATIONS.length;

/** Files from this version on can be read without being migrated. */
export const READABLE_FROM = 1;

/** Marks a SQLite file as a journal of this program: "Tenn" in ASCII. */
export const APPLICATION_ID = 0x54656e6e;
