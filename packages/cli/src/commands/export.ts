// `tenon export`: journal entries as JSON lines, whole and in order, for other programs.
import type { Context } from '../context.js';
import { EXIT } from '../errors.js';
import type { ExitCode } from '../errors.js';
import { entryJson } from '../journal/entry.js';
import { findSession } from '../journal/find.js';
import { withJournal } from '../journal/open.js';
import type { JournalOptionValues } from '../journal/open.js';
import { createJsonEvents } from '../output/json-events.js';

const BATCH = 1_000;

export async function run(
  { terminal, signal }: Context,
  given: string | undefined,
  options: JournalOptionValues,
): Promise<ExitCode> {
  const events = createJsonEvents(terminal.stdout);
  return withJournal(options, async (journal) => {
    if (given !== undefined) {
      for (const entry of journal.session(findSession(journal, given))) {
        if (signal.aborted) return EXIT.cancelled;
        await events.line(entryJson(entry));
      }
      return EXIT.ok;
    }
    let sequence = 0;
    for (;;) {
      const entries = journal.since(sequence, BATCH);
      for (const entry of entries) {
        if (signal.aborted) return EXIT.cancelled;
        await events.line(entryJson(entry));
      }
      const last = entries.at(-1);
      if (last === undefined) return EXIT.ok;
      sequence = last.sequence;
    }
  });
}
