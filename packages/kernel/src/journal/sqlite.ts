// The journal that ships: one SQLite file in WAL mode. Appends are gathered and committed together; a durable
// append waits until its commit, and all before it, is on the disk.
import { encodeBody } from './encode.js';
import { JournalError, journalErrorOf } from './errors.js';
import type { Journal, JournalEntry } from './journal.js';
import { type Database, openDatabase } from './open.js';
import { createProjection } from './project.js';
import { createReads } from './read.js';
import { createRedactor, type Redactor } from './redact.js';

export interface JournalOptions {
  /** Reads alone: for looking at a journal that another process may be writing. */
  readonly readOnly?: boolean;
  /** Milliseconds since the epoch; for tests. */
  readonly now?: () => number;
}

/** A journal with what the kernel needs beside the interface. */
export interface OpenJournal extends Journal {
  /** Shared with recorders, and told of every secret before a provider is configured. */
  readonly redactor: Redactor;
}

interface Waiting {
  readonly entry: JournalEntry;
  readonly time: number;
  readonly durable: boolean;
  readonly resolve: (sequence: number) => void;
  readonly reject: (error: JournalError) => void;
}

/** How long an append that is not durable may wait for company. */
const GATHER_MS = 5;

/** Opens or makes the file. Rejects with JournalError. */
export function openJournal(path: string, options: JournalOptions = {}): Promise<OpenJournal> {
  return Promise.resolve().then(() =>
    journalOn(openDatabase(path, options.readOnly ?? false), path, options),
  );
}

/** A journal that ends with the process. */
export function openMemoryJournal(): OpenJournal {
  return journalOn(openDatabase(':memory:', false), ':memory:', {});
}

function journalOn(database: Database, path: string, options: JournalOptions): OpenJournal {
  const { readOnly = false, now = Date.now } = options;
  const redactor = createRedactor();
  const reads = createReads(database);
  const write = readOnly ? undefined : createWriter(database);
  let waiting: Waiting[] = [];
  let timer: NodeJS.Timeout | NodeJS.Immediate | undefined;
  let soon = false;
  let closed = false;

  function commit(): void {
    clear();
    if (waiting.length === 0 || write === undefined) return;
    const batch = waiting;
    waiting = [];
    try {
      const sequences = write(batch, redactor);
      for (const [index, one] of batch.entries()) one.resolve(sequences[index] as number);
    } catch (error) {
      const failure = journalErrorOf(path, error);
      for (const one of batch) one.reject(failure);
    }
  }

  function clear(): void {
    if (soon) clearImmediate(timer as NodeJS.Immediate);
    else clearTimeout(timer as NodeJS.Timeout);
    timer = undefined;
    soon = false;
  }

  function add(entry: JournalEntry, durable: boolean): Promise<number> {
    if (closed) return Promise.reject(new JournalError('closed', path, 'it is closed'));
    if (readOnly) {
      return Promise.reject(new JournalError('read_only', path, 'it was opened for reading'));
    }
    const added = new Promise<number>((resolve, reject) => {
      waiting.push({ entry, time: now(), durable, resolve, reject });
    });
    if (durable && !soon) {
      clear();
      soon = true;
      timer = setImmediate(commit);
    } else if (timer === undefined) {
      timer = setTimeout(commit, GATHER_MS);
    }
    return added;
  }

  /** Before a read: what was appended must be seen. */
  const current = <T>(read: () => T): T => {
    if (closed) throw new JournalError('closed', path, 'it is closed');
    commit();
    try {
      return read();
    } catch (error) {
      throw journalErrorOf(path, error);
    }
  };

  return {
    redactor,
    append: (entry) => add(entry, false),
    appendDurably: (entry) => add(entry, true),
    calls: (filter) => current(() => reads.calls(filter)),
    call: (callId) => current(() => reads.call(callId)),
    session: (sessionId) => current(() => reads.session(sessionId)),
    sessions: (limit) => current(() => reads.sessions(limit)),
    since: (sequence, limit) => current(() => reads.since(sequence, limit)),
    flush: () => Promise.resolve().then(commit),
    close: async () => {
      if (closed) return;
      commit();
      closed = true;
      database.close();
    },
  };
}

/** Writes a batch in one transaction and gives the sequence of each entry. */
function createWriter(
  database: Database,
): (batch: readonly Waiting[], redactor: Redactor) => readonly number[] {
  const insert = database.prepare(
    'INSERT INTO entries (time, type, session_id, call_id, body, bytes) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const projection = createProjection(database);

  return (batch, redactor) => {
    const durable = batch.some((one) => one.durable);
    // FULL waits for the disk at this commit, and with it for all commits before.
    if (durable) database.exec('PRAGMA synchronous = FULL');
    try {
      database.exec('BEGIN IMMEDIATE');
      try {
        const sequences = batch.map(({ entry, time }) => {
          const clean = redactor.deep(entry);
          const { body, bytes } = split(clean);
          const { lastInsertRowid } = insert.run(
            time,
            clean.type,
            sessionOf(clean),
            callOf(clean),
            encodeBody(body),
            bytes,
          );
          const sequence = Number(lastInsertRowid);
          projection.apply(clean, sequence, time);
          return sequence;
        });
        database.exec('COMMIT');
        return sequences;
      } catch (error) {
        database.exec('ROLLBACK');
        throw error;
      }
    } finally {
      if (durable) database.exec('PRAGMA synchronous = NORMAL');
    }
  };
}

/** Bytes go to a column of their own. */
function split(entry: JournalEntry): { body: object; bytes: Uint8Array | null } {
  if (entry.type === 'event' && entry.chunk !== undefined) {
    const { chunk, ...body } = entry;
    return { body, bytes: chunk };
  }
  if (entry.type === 'emit') {
    const { payload, ...body } = entry;
    return { body, bytes: payload };
  }
  return { body: entry, bytes: null };
}

function sessionOf(entry: JournalEntry): string | null {
  return 'sessionId' in entry ? (entry.sessionId ?? null) : null;
}

function callOf(entry: JournalEntry): string | null {
  if (entry.type === 'outcome') return entry.outcome.callId;
  if (entry.type === 'plan_item') return entry.item.callId;
  return 'callId' in entry ? (entry.callId ?? null) : null;
}
