// From what a person types to an id in the journal: the whole of it, or its end.
import type { Journal } from '@tenon/kernel';
import { UsageError } from '../errors.js';

// How far back an abbreviated id is looked for.
const SEARCHED_CALLS = 20_000;
const SEARCHED_SESSIONS = 5_000;
const SHOWN_MATCHES = 8;

/** The id of the call that is meant. Throws UsageError when there is none or more than one. */
export function findCall(journal: Journal, given: string): string {
  if (journal.call(given).length > 0) return given;
  const ids = journal.calls({ limit: SEARCHED_CALLS }).map((call) => call.callId);
  return pick('call', given, ids);
}

/** The id of the session that is meant; the newest without one. Throws UsageError. */
export function findSession(journal: Journal, given: string | undefined): string {
  const ids = journal.sessions(SEARCHED_SESSIONS).map((session) => session.sessionId);
  if (given !== undefined) return pick('session', given, ids);
  // ULIDs sort by time.
  const newest = ids.toSorted().at(-1);
  if (newest === undefined) throw new UsageError(['the journal holds no session yet']);
  return newest;
}

function pick(what: string, given: string, ids: readonly string[]): string {
  const wanted = given.toUpperCase();
  const matches = ids.filter((id) => id.toUpperCase().endsWith(wanted));
  const exact = ids.find((id) => id === given);
  const [only, ...more] = exact === undefined ? matches : [exact];
  if (only === undefined) {
    const list = what === 'call' ? 'tenon log' : 'tenon log --sessions';
    throw new UsageError([`the journal holds no ${what} ${given}; "${list}" lists them`]);
  }
  if (more.length > 0) {
    const some = matches.slice(0, SHOWN_MATCHES).join(', ');
    throw new UsageError([`${given} is the end of ${matches.length} ${what} ids: ${some}`]);
  }
  return only;
}
