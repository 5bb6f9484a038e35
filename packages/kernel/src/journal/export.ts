// A journal as lines of JSON, one entry each: for other programs, backups, and moving to another store. Nothing is
// lost on the way: bytes stand as { "$bytes": base64 }.
import { decodeBody, encodeBody } from './encode.js';
import type { Journal, StoredEntry } from './journal.js';

export interface ExportOptions {
  /** One session alone. */
  readonly sessionId?: string;
  /** Only entries after this one; to go on with an earlier export. */
  readonly afterSequence?: number;
}

const PAGE = 1_000;

/** Lines without their newline, in order. Reads page by page, so that a large journal takes no memory. */
export function* exportJournal(
  journal: Pick<Journal, 'session' | 'since'>,
  options: ExportOptions = {},
): Generator<string, void, void> {
  const { sessionId, afterSequence = 0 } = options;
  if (sessionId !== undefined) {
    for (const entry of journal.session(sessionId)) {
      if (entry.sequence > afterSequence) yield encodeBody(entry);
    }
    return;
  }
  for (let after = afterSequence; ; ) {
    const page = journal.since(after, PAGE);
    for (const entry of page) yield encodeBody(entry);
    const last = page.at(-1);
    if (last === undefined) return;
    after = last.sequence;
  }
}

/** The entry of one exported line. Throws SyntaxError for a text that is no JSON. */
export function parseExportedLine(line: string): StoredEntry {
  return decodeBody(line) as StoredEntry;
}
