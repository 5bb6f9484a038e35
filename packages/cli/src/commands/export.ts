// `tenon export`: journal entries as JSON lines, whole and in order, for other programs.
import { exportJournal } from '@tenon/kernel';
import type { Context } from '../context.js';
import { EXIT } from '../errors.js';
import type { ExitCode } from '../errors.js';
import { findSession } from '../journal/find.js';
import { withJournal } from '../journal/open.js';
import type { JournalOptionValues } from '../journal/open.js';
import { write } from '../terminal/terminal.js';

export async function run(
  { terminal, signal }: Context,
  given: string | undefined,
  options: JournalOptionValues,
): Promise<ExitCode> {
  return withJournal(options, async (journal) => {
    const one = given === undefined ? {} : { sessionId: findSession(journal, given) };
    for (const line of exportJournal(journal, one)) {
      if (signal.aborted) return EXIT.cancelled;
      await write(terminal.stdout, `${line}\n`);
    }
    return EXIT.ok;
  });
}
