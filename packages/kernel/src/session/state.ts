// What a session remembers between its turns, and what all sessions of a kernel share. State alone.
import type { KernelOptions } from '../api.js';
import type { SessionBreakers } from '../breaker/session-breakers.js';
import type { Catalog } from '../catalog/model.js';
import type { KernelConfig } from '../config/model.js';
import type { Subscriber } from '../hooks/subscriber.js';
import type { KernelObserver } from '../invoke/recorder.js';
import type { Journal, JournalEntry } from '../journal/journal.js';
import type { Redactor } from '../journal/redact.js';
import type { CompiledPolicy } from '../policy/compile.js';
import type { SessionRule } from '../policy/decide.js';
import type { DoomLoop } from './doom-loop.js';

export interface SessionState {
  readonly id: string;
  readonly workingDirectory: string;
  readonly profile: string;
  readonly startedAt: number;
  readonly breakers: SessionBreakers;
  readonly doomLoop: DoomLoop;
  /** Decisions made for the rest of the session (GATE-07); later ones win. */
  readonly rules: SessionRule[];
  /** Running calls by provider: who may emit into this session now. */
  readonly running: Map<string, number>;
  /** Aborts everything of the session. */
  readonly abort: AbortController;
  planMode: boolean;
  turns: number;
  costUsd: number;
  /** Turns in progress, for the end. */
  readonly turnsRunning: Set<Promise<unknown>>;
  ended: boolean;
}

/** What the parts of a kernel work with. */
export interface KernelState {
  readonly config: KernelConfig;
  /** Replaced when a decision is made for always. */
  policy: CompiledPolicy;
  readonly catalog: Catalog;
  readonly journal: Journal;
  readonly redactor: Redactor | undefined;
  readonly subscribers: readonly Subscriber[];
  readonly observer: KernelObserver;
  readonly approver: KernelOptions['approver'];
  readonly sessions: Map<string, SessionState>;
  /** Appends without waiting; a failure is told to the observer, and stops the next resource call. */
  record(entry: JournalEntry): void;
}

/** Marks a call of a provider as running while `work` runs. */
export async function whileRunning<T>(
  session: SessionState,
  provider: string,
  work: () => Promise<T>,
): Promise<T> {
  session.running.set(provider, (session.running.get(provider) ?? 0) + 1);
  try {
    return await work();
  } finally {
    const left = (session.running.get(provider) ?? 1) - 1;
    if (left === 0) session.running.delete(provider);
    else session.running.set(provider, left);
  }
}
