// The writing half of a journal file: entries become rows, many in one transaction.
import { encodeBody } from './encode.js';
import type { JournalEntry } from './journal.js';
import type { Database } from './database.js';
import { createProjection } from './project.js';
import type { Redactor } from './redact.js';

/** An entry as it is stored: secrets taken out, turned into text. */
export interface EncodedEntry {
  /** Without secrets. */
  readonly entry: JournalEntry;
  readonly time: number;
  readonly body: string;
  readonly bytes: Uint8Array | null;
}

/** Done when an entry is appended, so that one that cannot be written harms no other. Throws TypeError. */
export function encodeEntry(given: JournalEntry, time: number, redactor: Redactor): EncodedEntry {
  const entry = redactor.deep(given);
  const { body, bytes } = split(entry);
  return { entry, time, body: encodeBody(body), bytes };
}

/** Writes a batch in one transaction and gives the sequence of each entry; all of them or none. */
export type WriteBatch = (
  batch: readonly EncodedEntry[],
  options: { readonly durable: boolean },
) => readonly number[];

export function createWriter(database: Database): WriteBatch {
  const insert = database.prepare(
    'INSERT INTO entries (time, type, session_id, call_id, body, bytes) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const projection = createProjection(database);

  return (batch, { durable }) => {
    // FULL waits for the disk at this commit, and with it for all commits before.
    if (durable) database.exec('PRAGMA synchronous = FULL');
    try {
      database.exec('BEGIN IMMEDIATE');
      try {
        const sequences = batch.map(({ entry, time, body, bytes }) => {
          const { lastInsertRowid } = insert.run(
            time,
            entry.type,
            sessionOf(entry),
            callOf(entry),
            body,
            bytes,
          );
          const sequence = Number(lastInsertRowid);
          projection.add(entry, sequence, time);
          return sequence;
        });
        projection.write();
        database.exec('COMMIT');
        return sequences;
      } catch (error) {
        projection.drop();
        rollback(database);
        throw error;
      }
    } finally {
      if (durable) database.exec('PRAGMA synchronous = NORMAL');
    }
  };
}

/** Some errors, such as a full disk, have rolled back already. */
function rollback(database: Database): void {
  if (database.inTransaction()) database.exec('ROLLBACK');
}

/** What has a column of its own is left out of the body; bytes as they are, not as text. */
function split(entry: JournalEntry): { body: object; bytes: Uint8Array | null } {
  const { type: _type, ...rest } = entry;
  const {
    sessionId: _sessionId,
    callId: _callId,
    ...body
  } = rest as {
    readonly sessionId?: string;
    readonly callId?: string;
  };
  if (entry.type === 'event' && entry.chunk !== undefined) {
    const { chunk, ...others } = body as { readonly chunk: Uint8Array };
    return { body: others, bytes: chunk };
  }
  if (entry.type === 'emit') {
    const { payload, ...others } = body as { readonly payload: Uint8Array };
    return { body: others, bytes: payload };
  }
  return { body, bytes: null };
}

function sessionOf(entry: JournalEntry): string | null {
  return 'sessionId' in entry ? (entry.sessionId ?? null) : null;
}

/** Also of entries that name their call further inside: the index of a call finds those too. */
function callOf(entry: JournalEntry): string | null {
  if (entry.type === 'outcome') return entry.outcome.callId;
  if (entry.type === 'plan_item') return entry.item.callId;
  return 'callId' in entry ? (entry.callId ?? null) : null;
}
