// The rows of `sessions` and `calls` that follow from an entry: what the entries say, kept ready for lists.
import type { JournalEntry } from './journal.js';
import type { Database } from './open.js';
import { ownerOf } from './owner.js';

export interface Projection {
  /** In the transaction of the entry itself. */
  apply(entry: JournalEntry, sequence: number, time: number): void;
}

export function createProjection(database: Database): Projection {
  const prepare = (sql: string): ReturnType<Database['prepare']> => database.prepare(sql);
  const session = prepare(
    'INSERT OR IGNORE INTO sessions (session_id, sequence, time, owner, working_directory, status) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const sessionEnd = prepare('UPDATE sessions SET status = ? WHERE session_id = ?');
  const call = prepare(
    'INSERT OR IGNORE INTO calls (call_id, session_id, turn_id, sequence, time, provider, operation, kind, risk) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
  );
  const decided = prepare('UPDATE calls SET decided_by = ? WHERE call_id = ?');
  const intended = prepare('UPDATE calls SET intent = 1 WHERE call_id = ?');
  const attempted = prepare('UPDATE calls SET attempts = ? WHERE call_id = ?');
  const ended = prepare(
    'UPDATE calls SET status = ?, attempts = ?, error = ?, duration_ms = ? WHERE call_id = ?',
  );

  return {
    apply(entry, sequence, time) {
      switch (entry.type) {
        case 'session_started': {
          const owner = ownerOf(entry.kernelPid);
          session.run(entry.sessionId, sequence, time, owner, entry.workingDirectory, 'running');
          return;
        }
        case 'session_ended':
          sessionEnd.run(entry.status, entry.sessionId);
          return;
        case 'call_requested': {
          const { callId, sessionId, turnId, provider, operation, kind, risk } = entry;
          const what = [provider, operation, kind ?? null, risk ?? null] as const;
          call.run(callId, sessionId, turnId, sequence, time, ...what);
          return;
        }
        case 'decision':
          decided.run(entry.decidedBy, entry.callId);
          return;
        case 'intent':
          intended.run(entry.callId);
          return;
        case 'attempt_started':
          attempted.run(entry.attempt, entry.callId);
          return;
        case 'outcome': {
          const { outcome } = entry;
          const error = outcome.status === 'ok' ? null : JSON.stringify(outcome.error);
          const duration = Math.round(outcome.durationMs);
          ended.run(outcome.status, outcome.attempts, error, duration, outcome.callId);
          return;
        }
        default:
          return;
      }
    },
  };
}
