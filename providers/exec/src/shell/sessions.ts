// The named sessions of this provider process: opened at their first command, used one command at a time,
// gone when their shell ends or when they are reset.
import { fail } from '@tenon/provider';
import { openSession, type ShellSession } from './session.js';

export interface Sessions {
  /** The session of that name; opened if there is none. Throws `concurrency_conflict` while it is used. */
  use<T>(
    name: string,
    open: { readonly shell: string; readonly cwd: string; readonly env: Record<string, string> },
    limit: number,
    run: (session: ShellSession, opened: boolean) => Promise<T>,
  ): Promise<T>;
  /** Ends one; says whether there was one. */
  reset(name: string, graceMs: number): Promise<boolean>;
  closeAll(): Promise<void>;
}

export function createSessions(): Sessions {
  const open = new Map<string, ShellSession>();
  const busy = new Set<string>();

  return {
    async use(name, options, limit, run) {
      // The kernel serializes by session; this guards against kernels and callers that do not.
      if (busy.has(name)) {
        throw fail.concurrencyConflict(`session "${name}" is running another command`, {
          session: name,
        });
      }
      busy.add(name);
      try {
        let session = open.get(name);
        const opened = session === undefined || session.closed;
        if (session === undefined || session.closed) {
          open.delete(name);
          if (open.size >= limit) {
            throw fail.executionFailed(
              `${open.size} sessions are open, which is the limit (max_sessions): reset one of ${[...open.keys()].join(', ')}`,
            );
          }
          session = await openSession(options);
          open.set(name, session);
        }
        const result = await run(session, opened);
        if (session.closed) open.delete(name);
        return result;
      } finally {
        busy.delete(name);
      }
    },
    async reset(name, graceMs) {
      const session = open.get(name);
      open.delete(name);
      await session?.close(graceMs);
      return session !== undefined;
    },
    async closeAll() {
      const all = [...open.values()];
      open.clear();
      await Promise.all(all.map((session) => session.close(200)));
    },
  };
}
