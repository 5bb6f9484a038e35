// Recognizes a model that goes round in circles: the same call again and again, or a short cycle of calls.
// Pure; one per session.
import { canonicalJson, type JsonValue } from '@tenon/protocol';

export interface DoomLoop {
  /**
   * Adds a call and says why the loop must stop, before it runs once more; undefined: it may run. Arguments
   * that only differ in key order or in the spelling of numbers are the same.
   */
  check(name: string, args: unknown): string | undefined;
}

const LONGEST_CYCLE = 4;

/** `threshold`: so many times in a row is too often, from 3 to 5. */
export function createDoomLoop(threshold: number): DoomLoop {
  const recent: string[] = [];
  return {
    check(name, args) {
      recent.push(`${name} ${textOf(args)}`);
      if (recent.length > LONGEST_CYCLE * threshold) recent.shift();
      for (let length = 1; length <= LONGEST_CYCLE; length += 1) {
        if (!repeats(recent, length, threshold)) continue;
        recent.length = 0;
        return length === 1
          ? `${name} was called ${threshold} times in a row with the same arguments; the turn is stopped instead of running it once more. Try another way, or ask the person`
          : `the same ${length} calls were repeated ${threshold} times; the turn is stopped instead of running them once more. Try another way, or ask the person`;
      }
      return undefined;
    },
  };
}

/** Whether the last `length` calls are the end of `threshold` equal rounds. */
function repeats(calls: readonly string[], length: number, threshold: number): boolean {
  const total = length * threshold;
  if (calls.length < total) return false;
  const tail = calls.slice(-total);
  const round = tail.slice(0, length);
  // A cycle of one call is a round of length 1, not of length 2.
  if (length > 1 && new Set(round).size === 1) return false;
  return tail.every((call, index) => call === round[index % length]);
}

function textOf(args: unknown): string {
  if (typeof args === 'string') {
    try {
      return canonicalJson(JSON.parse(args) as JsonValue);
    } catch {
      // Not JSON: the text itself is what repeats.
      return args;
    }
  }
  try {
    return canonicalJson((args ?? {}) as JsonValue);
  } catch {
    // Not JSON either, such as a bigint: refused later, but it can repeat.
    return String(args);
  }
}
