// `tenon show`: everything that the journal holds about one call.
import type { StoredEntry } from '@tenon/kernel';
import type { Context } from '../context.js';
import { EXIT } from '../errors.js';
import type { ExitCode } from '../errors.js';
import { entryJson, entryNode } from '../journal/entry.js';
import { fallbackEmit } from '../journal/emit.js';
import { findCall } from '../journal/find.js';
import { withJournal } from '../journal/open.js';
import type { JournalOptionValues } from '../journal/open.js';
import { timeText } from '../output/format.js';
import { createJsonEvents } from '../output/json-events.js';
import { paint } from '../paint/paint.js';
import { write } from '../terminal/terminal.js';

interface Options extends JournalOptionValues {
  readonly json?: boolean;
}

export async function run(context: Context, id: string, options: Options): Promise<ExitCode> {
  const { terminal } = context;
  return withJournal(options, async (journal) => {
    const entries = journal.call(findCall(journal, id));
    if (options.json === true) {
      const events = createJsonEvents(terminal.stdout);
      for (const entry of entries) await events.line(entryJson(entry));
      return EXIT.ok;
    }
    for (const [index, entry] of entries.entries()) {
      await write(terminal.stdout, entryText(entry, entries[index - 1], context));
    }
    return EXIT.ok;
  });
}

/** An entry, with its time where the second is another one than that of the entry before. */
export function entryText(
  entry: StoredEntry,
  before: StoredEntry | undefined,
  { terminal }: Context,
  renderEmit = fallbackEmit,
): string {
  const time = timeText(entry.time);
  const head =
    before !== undefined && timeText(before.time) === time ? '' : `${terminal.out('dim', time)}\n`;
  const root = entryNode(entry, renderEmit);
  return (
    head + paint({ root }, { width: terminal.width(), color: terminal.outColor, expand: true })
  );
}
