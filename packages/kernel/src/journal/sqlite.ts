// The journal that ships: one SQLite file in WAL mode. Appends are gathered and committed together; a durable
// append waits until its commit, and all before it, is on the disk.
import { JournalError, journalErrorOf } from './errors.js';
import type { Journal, JournalEntry } from './journal.js';
import type { Database } from './database.js';
import { openDatabase } from './open.js';
import { createReads } from './read.js';
import { createRedactor, type Redactor } from './redact.js';
import { createWriter, type EncodedEntry, encodeEntry } from './write.js';

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
  readonly encoded: EncodedEntry;
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
      const sequences = write(
        batch.map((one) => one.encoded),
        { durable: batch.some((one) => one.durable) },
      );
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
    let encoded: EncodedEntry;
    try {
      encoded = encodeEntry(entry, now(), redactor);
    } catch (error) {
      const message = `an entry of type ${entry.type} cannot be written: ${String(error)}`;
      return Promise.reject(new JournalError('unwritable', path, message, { cause: error }));
    }
    const added = new Promise<number>((resolve, reject) => {
      waiting.push({ encoded, durable, resolve, reject });
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
