// What calls report after their stream was closed. Closing it is their cancellation, and nothing can go through it
// any more; a kernel that wants the last words (CAN-03, CAN-05) follows the call by our extension service. One that
// does not know it never asks, and what was kept for it is let go.
import type { ToolEvent } from '@tenon/protocol';

/** The kernel's end of one followed call. */
export interface Follower {
  write(event: ToolEvent): void | Promise<void>;
  end(): void;
}

/** One call that is running. */
export interface LateReport {
  /** An event of the call after its stream was closed. Resolves when there is room for more. */
  add(event: ToolEvent): void | Promise<void>;
  /** The operation has ended. */
  end(): void;
}

export interface LateReports {
  begin(callId: string): LateReport;
  /** Gives the follower what was reported so far and will be; ends it with the call, at once for one that is unknown. */
  follow(callId: string, follower: Follower): { leave(): void };
}

/** Events that are kept until somebody follows; the oldest go first. */
const MAX_KEPT = 256;
/** How long the report of a call that has ended waits to be followed. */
const KEEP_MS = 5_000;

interface Entry {
  readonly kept: ToolEvent[];
  follower: Follower | undefined;
  ended: boolean;
}

export function createLateReports(): LateReports {
  const entries = new Map<string, Entry>();

  return {
    begin(callId) {
      const entry: Entry = { kept: [], follower: undefined, ended: false };
      entries.set(callId, entry);
      const remove = (): void => {
        if (entries.get(callId) === entry) entries.delete(callId);
      };
      return {
        add(event) {
          if (entry.follower !== undefined) return entry.follower.write(event);
          entry.kept.push(event);
          if (entry.kept.length > MAX_KEPT) entry.kept.shift();
        },
        end() {
          entry.ended = true;
          entry.follower?.end();
          if (entry.follower !== undefined || entry.kept.length === 0) remove();
          else setTimeout(remove, KEEP_MS).unref();
        },
      };
    },

    follow(callId, follower) {
      const entry = entries.get(callId);
      for (const event of entry?.kept.splice(0) ?? []) void follower.write(event);
      if (entry === undefined || entry.ended) {
        entries.delete(callId);
        follower.end();
        return { leave: () => undefined };
      }
      entry.follower = follower;
      return {
        leave() {
          if (entry.follower === follower) entry.follower = undefined;
        },
      };
    },
  };
}
