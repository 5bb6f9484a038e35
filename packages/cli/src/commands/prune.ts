// `tenon prune`: takes old sessions out of the journal and gives their space back.
import { pruneJournal } from '@tenon/kernel';
import type { PruneResult } from '@tenon/kernel';
import type { Context } from '../context.js';
import { EXIT, UsageError } from '../errors.js';
import type { ExitCode } from '../errors.js';
import { locateJournal } from '../journal/open.js';
import type { JournalOptionValues } from '../journal/open.js';
import { parseCount, parseDuration } from '../options.js';
import { timeText } from '../output/format.js';
import { paint } from '../paint/paint.js';

interface Options extends JournalOptionValues {
  readonly olderThan?: string;
  readonly keep?: string;
  readonly dryRun?: boolean;
}

export async function run({ terminal }: Context, options: Options): Promise<ExitCode> {
  if (options.olderThan === undefined && options.keep === undefined) {
    throw new UsageError(['say what is old: --older-than 30d, --keep 100, or both']);
  }
  const { path } = await locateJournal(options);
  const result = await pruneJournal(path, {
    ...(options.olderThan === undefined
      ? {}
      : { olderThanMs: parseDuration(options.olderThan, '--older-than') }),
    ...(options.keep === undefined ? {} : { keepSessions: parseCount(options.keep, '--keep', 0) }),
    ...(options.dryRun === undefined ? {} : { dryRun: options.dryRun }),
  });
  if (options.dryRun === true) {
    const root = {
      type: 'table',
      headers: ['SESSION', 'LAST ENTRY', 'ENTRIES'],
      rows: result.sessions.map(({ sessionId, lastTime, entries }) => [
        sessionId,
        timeText(lastTime),
        String(entries),
      ]),
    } as const;
    terminal.stdout.write(paint({ root }, { width: terminal.width(), color: terminal.outColor }));
  }
  terminal.stdout.write(`${summary(result, options.dryRun === true)}\n`);
  return EXIT.ok;
}

function summary(result: PruneResult, dryRun: boolean): string {
  const entries = result.sessions.reduce(
    (sum, session) => sum + session.entries,
    result.otherEntries,
  );
  const what = `${result.sessions.length} sessions with ${entries} entries`;
  if (dryRun) return `Would remove ${what}.`;
  const size = `${megabytes(result.bytesBefore)} → ${megabytes(result.bytesAfter)}`;
  const rest =
    result.compacted || entries === 0
      ? ''
      : ' The file is in use: its free space will hold new entries.';
  return `Removed ${what} (${size}).${rest}`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
