// Questions to a journal file: calls, sessions, entries.
import type { ToolErrorData } from '@tenon/protocol';
import { decodeBody } from './encode.js';
import type { CallFilter, CallSummary, Journal, StoredEntry } from './journal.js';
import type { Database, Row } from './database.js';
import { ownerLives } from './owner.js';

/** The reading half of a journal. */
export type JournalReads = Pick<Journal, 'calls' | 'call' | 'session' | 'sessions' | 'since'>;

const PAGE = 500;

export function createReads(database: Database): JournalReads {
  const rows = (sql: string, ...values: (string | number)[]): Row[] =>
    database.prepare(sql).all(...values);

  /** Whether the kernel of a session lives; looked up once per answer. */
  const lives = (): ((owner: string) => boolean) => {
    const known = new Map<string, boolean>();
    return (owner) => {
      const seen = known.get(owner);
      if (seen !== undefined) return seen;
      const alive = ownerLives(owner);
      known.set(owner, alive);
      return alive;
    };
  };

  function* session(sessionId: string): Iterable<StoredEntry> {
    for (let after = 0; ; ) {
      const page = rows(
        'SELECT * FROM entries WHERE session_id = ? AND sequence > ? ORDER BY sequence LIMIT ?',
        sessionId,
        after,
        PAGE,
      ).map(entryOf);
      yield* page;
      const last = page.at(-1);
      if (last === undefined || page.length < PAGE) return;
      after = last.sequence;
    }
  }

  return {
    calls: (filter) => readCalls(rows, filter, lives()),
    call: (callId) =>
      rows('SELECT * FROM entries WHERE call_id = ? ORDER BY sequence', callId).map(entryOf),
    session,
    sessions(limit) {
      const alive = lives();
      return rows(
        `SELECT s.*, (SELECT count(*) FROM calls c WHERE c.session_id = s.session_id) AS calls
         FROM (SELECT * FROM sessions ORDER BY sequence DESC LIMIT ?) s ORDER BY s.sequence`,
        limit,
      ).map((row) => ({
        sessionId: String(row['session_id']),
        time: Number(row['time']),
        status:
          row['status'] === 'running' && !alive(String(row['owner']))
            ? 'interrupted'
            : String(row['status']),
        calls: Number(row['calls']),
        workingDirectory: String(row['working_directory']),
      }));
    },
    since: (sequence, limit) =>
      rows(
        'SELECT * FROM entries WHERE sequence > ? ORDER BY sequence LIMIT ?',
        sequence,
        limit,
      ).map(entryOf),
  };
}

function readCalls(
  rows: (sql: string, ...values: (string | number)[]) => Row[],
  filter: CallFilter,
  alive: (owner: string) => boolean,
): CallSummary[] {
  const conditions: string[] = [];
  const values: (string | number)[] = [];
  const where = (sql: string, value: string | number | undefined): void => {
    if (value === undefined) return;
    conditions.push(sql);
    values.push(value);
  };
  where('c.session_id = ?', filter.sessionId);
  where('c.turn_id = ?', filter.turnId);
  where('c.provider = ?', filter.provider);
  where('c.operation = ?', filter.operation);
  where('c.time >= ?', filter.since);
  where('c.sequence > ?', filter.afterSequence);
  const { status } = filter;
  // What is not stored depends on whether its kernel lives, which SQL cannot tell.
  const derived = status === 'running' || status === 'outcome_unknown' || status === 'not_run';
  if (derived) conditions.push('c.status IS NULL');
  else where('c.status = ?', status);
  const limit = filter.limit ?? -1;
  const sql = `SELECT c.*, s.owner FROM calls c LEFT JOIN sessions s ON s.session_id = c.session_id
    ${conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`}
    ORDER BY c.sequence DESC LIMIT ?`;
  const found = rows(sql, ...values, derived ? -1 : limit).map((row) => summaryOf(row, alive));
  const wanted = derived ? found.filter((call) => call.status === status) : found;
  return (limit < 0 ? wanted : wanted.slice(0, limit)).toReversed();
}

function summaryOf(row: Row, alive: (owner: string) => boolean): CallSummary {
  const text = (name: string): string => String(row[name]);
  const error = row['error'];
  return {
    callId: text('call_id'),
    sessionId: text('session_id'),
    turnId: text('turn_id'),
    sequence: Number(row['sequence']),
    time: Number(row['time']),
    provider: text('provider'),
    operation: text('operation'),
    ...(row['kind'] === null ? {} : { kind: text('kind') }),
    ...(row['risk'] === null ? {} : { risk: text('risk') }),
    status: statusOf(row, alive),
    ...(row['decided_by'] === null ? {} : { decidedBy: text('decided_by') }),
    ...(typeof error === 'string' ? { error: JSON.parse(error) as ToolErrorData } : {}),
    attempts: Number(row['attempts']),
    ...(row['duration_ms'] === null ? {} : { durationMs: Number(row['duration_ms']) }),
  };
}

function statusOf(row: Row, alive: (owner: string) => boolean): CallSummary['status'] {
  if (row['status'] !== null) return row['status'] as CallSummary['status'];
  if (alive(String(row['owner'] ?? ''))) return 'running';
  // A call that only reads leaves no intent: once attempted, how it ended is as unknown.
  return Number(row['intent']) === 1 || Number(row['attempts']) > 0 ? 'outcome_unknown' : 'not_run';
}

function entryOf(row: Row): StoredEntry {
  const type = String(row['type']) as StoredEntry['type'];
  const session = row['session_id'];
  const call = row['call_id'];
  const bytes = row['bytes'];
  // In files of the first version the body has all of it.
  const body = decodeBody(String(row['body'])) as object;
  const named = type === 'outcome' || type === 'plan_item';
  return {
    type,
    ...(typeof session === 'string' ? { sessionId: session } : {}),
    ...(typeof call === 'string' && !named ? { callId: call } : {}),
    ...body,
    ...(bytes instanceof Uint8Array ? withBytes(type, bytes) : {}),
    sequence: Number(row['sequence']),
    time: Number(row['time']),
  } as StoredEntry;
}

function withBytes(type: StoredEntry['type'], bytes: Uint8Array): object {
  const copy = Uint8Array.from(bytes);
  return type === 'emit' ? { payload: copy } : { chunk: copy };
}
