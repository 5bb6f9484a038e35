// `tenon log`: the calls of the journal, newest last, and what comes.
import { setTimeout as delay } from 'node:timers/promises';
import type { CallFilter, CallSummary, Journal } from '@tenon/kernel';
import type { Context } from '../context.js';
import { EXIT, UsageError } from '../errors.js';
import type { ExitCode } from '../errors.js';
import { findSession } from '../journal/find.js';
import { withJournal } from '../journal/open.js';
import type { JournalOptionValues } from '../journal/open.js';
import { callsTable } from '../journal/table.js';
import { parseCount, parseWhen } from '../options.js';
import { timeText } from '../output/format.js';
import { createJsonEvents } from '../output/json-events.js';
import { paint } from '../paint/paint.js';
import { write } from '../terminal/terminal.js';

const STATUSES = [
  'ok',
  'error',
  'denied',
  'cancelled',
  'running',
  'outcome_unknown',
  'not_run',
] as const satisfies readonly CallSummary['status'][];
const FOLLOW_EVERY_MS = 200;
const FOLLOW_BATCH = 500;

interface Options extends JournalOptionValues {
  readonly session?: string;
  readonly turn?: string;
  readonly provider?: string;
  readonly operation?: string;
  readonly status?: string;
  readonly since?: string;
  readonly limit: string;
  readonly follow?: boolean;
  readonly sessions?: boolean;
  readonly json?: boolean;
}

export async function run(context: Context, options: Options): Promise<ExitCode> {
  const { terminal, signal } = context;
  const limit = parseCount(options.limit, '--limit');
  const status = readStatus(options.status);
  const since =
    options.since === undefined ? undefined : parseWhen(options.since, '--since', Date.now());
  return withJournal(options, async (journal) => {
    if (options.sessions === true) {
      await printSessions(context, journal, limit, options.json === true);
      return EXIT.ok;
    }
    const operation = splitOperation(options.operation);
    const filter: CallFilter = {
      ...(options.session === undefined
        ? {}
        : { sessionId: findSession(journal, options.session) }),
      ...(options.turn === undefined ? {} : { turnId: options.turn }),
      ...(options.provider === undefined ? {} : { provider: options.provider }),
      ...operation,
      ...(status === undefined ? {} : { status }),
      ...(since === undefined ? {} : { since }),
    };
    const print = printer(context, options.json === true);
    // Followed from here, so that nothing falls between the list and what comes after it.
    let sequence = options.follow === true ? lastSequence(journal) : 0;
    await print(journal.calls({ ...filter, limit }));
    while (options.follow === true && !signal.aborted) {
      const entries = journal.since(sequence, FOLLOW_BATCH);
      const ended = entries.flatMap((entry) => (entry.type === 'outcome' ? [entry] : []));
      for (const { sessionId, turnId, outcome } of ended) {
        const calls = journal.calls({ ...filter, sessionId, turnId });
        const inFilter = filter.sessionId === undefined || filter.sessionId === sessionId;
        if (inFilter) await print(calls.filter((call) => call.callId === outcome.callId));
      }
      sequence = entries.at(-1)?.sequence ?? sequence;
      if (entries.length < FOLLOW_BATCH) await pause(signal);
    }
    return signal.aborted && options.follow !== true ? EXIT.cancelled : EXIT.ok;
  });

  async function pause(until: AbortSignal): Promise<void> {
    try {
      await delay(FOLLOW_EVERY_MS, undefined, { signal: until });
    } catch {
      // Aborted: the loop sees it.
    }
  }

  function printer(
    { terminal: { stdout } }: Context,
    json: boolean,
  ): (calls: readonly CallSummary[]) => Promise<void> {
    const events = createJsonEvents(stdout);
    let head = true;
    return async (calls) => {
      if (json) {
        for (const call of calls) await events.line(call);
        return;
      }
      if (calls.length === 0 && !head) return;
      const root = callsTable(calls, { width: terminal.width(), head });
      head = false;
      await write(stdout, paint({ root }, { width: terminal.width(), color: terminal.outColor }));
    };
  }
}

function readStatus(given: string | undefined): CallSummary['status'] | undefined {
  if (given === undefined) return undefined;
  const status = STATUSES.find((known) => known === given.replaceAll(/[ -]/g, '_'));
  if (status === undefined) {
    throw new UsageError([`--status: "${given}" is none of ${STATUSES.join(', ')}`]);
  }
  return status;
}

/** `provider.operation` is accepted too. */
function splitOperation(given: string | undefined): { operation?: string; provider?: string } {
  if (given === undefined) return {};
  const dot = given.indexOf('.');
  if (dot === -1) return { operation: given };
  return { provider: given.slice(0, dot), operation: given.slice(dot + 1) };
}

/** Where the journal ends now. */
function lastSequence(journal: Journal): number {
  let sequence = journal.calls({ limit: 1 }).at(-1)?.sequence ?? 0;
  for (;;) {
    const last = journal.since(sequence, FOLLOW_BATCH).at(-1);
    if (last === undefined) return sequence;
    sequence = last.sequence;
  }
}

async function printSessions(
  { terminal }: Context,
  journal: Journal,
  limit: number,
  json: boolean,
): Promise<void> {
  const sessions = journal.sessions(limit);
  if (json) {
    const events = createJsonEvents(terminal.stdout);
    for (const session of sessions) await events.line(session);
    return;
  }
  const root = {
    type: 'table',
    headers: ['TIME', 'SESSION', 'STATUS', 'CALLS', 'FOLDER'],
    rows: sessions.map((session) => [
      timeText(session.time),
      session.sessionId,
      session.status,
      String(session.calls),
      session.workingDirectory,
    ]),
  } as const;
  await write(
    terminal.stdout,
    paint({ root }, { width: terminal.width(), color: terminal.outColor }),
  );
}
