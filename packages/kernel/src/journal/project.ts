// The rows of `sessions` and `calls` that follow from entries: what the entries say, kept ready for lists. What
// a batch says about one call is gathered, and written once.
import type { JournalEntry } from './journal.js';
import type { Database } from './database.js';
import { ownerOf } from './owner.js';

export interface Projection {
  add(entry: JournalEntry, sequence: number, time: number): void;
  /** Writes what was gathered; in the transaction of the entries themselves. */
  write(): void;
  /** Forgets what was gathered: its transaction is rolled back. */
  drop(): void;
}

/** Columns of `calls`; null: nothing is said about it. */
interface CallRow {
  requested:
    | {
        readonly sessionId: string;
        readonly turnId: string;
        readonly sequence: number;
        readonly time: number;
        readonly provider: string;
        readonly operation: string;
        readonly kind: string | null;
        readonly risk: string | null;
      }
    | undefined;
  status: string | null;
  intent: number | null;
  attempts: number | null;
  decidedBy: string | null;
  error: string | null;
  durationMs: number | null;
}

export function createProjection(database: Database): Projection {
  const session = database.prepare(
    'INSERT OR IGNORE INTO sessions (session_id, sequence, time, owner, working_directory, status) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const sessionEnd = database.prepare('UPDATE sessions SET status = ? WHERE session_id = ?');
  const insert = database.prepare(
    `INSERT OR IGNORE INTO calls (status, intent, attempts, decided_by, error, duration_ms,
       call_id, session_id, turn_id, sequence, time, provider, operation, kind, risk)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const update = database.prepare(
    `UPDATE calls SET status = coalesce(?, status), intent = coalesce(?, intent),
       attempts = coalesce(?, attempts), decided_by = coalesce(?, decided_by),
       error = coalesce(?, error), duration_ms = coalesce(?, duration_ms) WHERE call_id = ?`,
  );
  const calls = new Map<string, CallRow>();

  function rowOf(callId: string): CallRow {
    const known = calls.get(callId);
    if (known !== undefined) return known;
    const made: CallRow = {
      requested: undefined,
      status: null,
      intent: null,
      attempts: null,
      decidedBy: null,
      error: null,
      durationMs: null,
    };
    calls.set(callId, made);
    return made;
  }

  return {
    add(entry, sequence, time) {
      switch (entry.type) {
        case 'session_started': {
          const owner = ownerOf(entry.kernelPid);
          const folder = column(entry.workingDirectory);
          session.run(entry.sessionId, sequence, time, owner, folder, 'running');
          return;
        }
        case 'session_ended':
          sessionEnd.run(entry.status, entry.sessionId);
          return;
        case 'call_requested':
          rowOf(entry.callId).requested = {
            sessionId: entry.sessionId,
            turnId: entry.turnId,
            sequence,
            time,
            provider: column(entry.provider),
            operation: column(entry.operation),
            kind: entry.kind ?? null,
            risk: entry.risk ?? null,
          };
          return;
        case 'decision':
          rowOf(entry.callId).decidedBy = column(entry.decidedBy);
          return;
        case 'intent':
          rowOf(entry.callId).intent = 1;
          return;
        case 'attempt_started':
          rowOf(entry.callId).attempts = entry.attempt;
          return;
        case 'outcome': {
          const { outcome } = entry;
          const row = rowOf(outcome.callId);
          row.status = outcome.status;
          row.attempts = outcome.attempts;
          row.error = outcome.status === 'ok' ? null : JSON.stringify(outcome.error);
          row.durationMs = Math.round(outcome.durationMs);
          return;
        }
        default:
          return;
      }
    },
    write() {
      for (const [callId, row] of calls) {
        const { requested, status, intent, attempts, decidedBy, error, durationMs } = row;
        if (requested === undefined) {
          update.run(status, intent, attempts, decidedBy, error, durationMs, callId);
          continue;
        }
        const { sessionId, turnId, sequence, time, provider, operation, kind, risk } = requested;
        insert.run(
          status,
          intent ?? 0,
          attempts ?? 0,
          decidedBy,
          error,
          durationMs,
          callId,
          sessionId,
          turnId,
          sequence,
          time,
          provider,
          operation,
          kind,
          risk,
        );
      }
      calls.clear();
    },
    drop: () => calls.clear(),
  };
}

/** A text column of its own ends at U+0000, and a model may name an operation so; the entry keeps it as it was. */
function column(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '\uFFFD') : text;
}
