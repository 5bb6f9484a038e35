// What each session has last seen of a file, so that a change made by somebody else in between is noticed (F7).
// Kept in memory alone: a provider that was started anew has seen nothing, and says nothing.

/** Files remembered; the one not seen for the longest time is forgotten first. */
const MAX_SEEN = 10_000;

export interface SeenFiles {
  remember(sessionId: string, real: string, hash: string): void;
  /** The hash that this session saw last; undefined when it saw none. */
  lastSeen(sessionId: string, real: string): string | undefined;
}

export function createSeenFiles(): SeenFiles {
  const seen = new Map<string, string>();
  const key = (sessionId: string, real: string) => `${sessionId}\0${real}`;
  return {
    remember(sessionId, real, hash) {
      const at = key(sessionId, real);
      seen.delete(at);
      seen.set(at, hash);
      if (seen.size <= MAX_SEEN) return;
      for (const oldest of seen.keys()) {
        seen.delete(oldest);
        break;
      }
    },
    lastSeen: (sessionId, real) => seen.get(key(sessionId, real)),
  };
}

/** Of this process. */
export const seenFiles = createSeenFiles();
