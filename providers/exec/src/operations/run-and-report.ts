// What bash and shell_read share: run something, stream its output, keep it within bounds, and turn its end
// into a result or the right failure.
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Emit, fail, type JsonObject } from '@tenon/provider';
import * as z from 'zod';
import type { ExecConfig } from '../config.js';
import { createKeeper } from '../output/keeper.js';
import { notesFor } from '../output/notes.js';
import type { Sink } from '../shell/pump.js';
import type { CommandEnd } from '../shell/run.js';

export const resultSchema = z.object({
  exit_code: z.number().describe('0 is success by convention. 128 + n: ended by signal n.'),
  signal: z.string().describe('The signal that ended it, such as SIGSEGV.').optional(),
  output: z
    .string()
    .describe('stdout and stderr in the order in which they came; if long, its start and its end.'),
  output_bytes: z.number().describe('Bytes printed in all.'),
  truncated: z.boolean().describe('Whether output leaves something out.'),
  output_file: z.string().describe('File with the whole output, if it was truncated.').optional(),
  duration_ms: z.number().describe('Milliseconds from start to end.'),
  notes: z.array(z.string().describe('A sentence.')).describe('What else is worth knowing.'),
  session: z.string().describe('The session it ran in.').optional(),
  cwd: z.string().describe('Where the session stands now.').optional(),
});

export type ExecResult = z.infer<typeof resultSchema>;

export interface Reporting {
  readonly emit: Emit<true, true>;
  readonly config: ExecConfig;
  readonly callId: string;
  readonly timeoutMs: number;
  /** For messages. */
  readonly what: string;
}

/**
 * Runs `run` with a sink for its output. Returns the result of a command that ended by itself, whatever its
 * exit code (ERR-06 is for the caller of the tool to see, so a failing command is a result). Throws `timeout`
 * or `cancelled` with what was printed, after sending it as a partial result (CAN-03).
 */
export async function runAndReport(
  reporting: Reporting,
  run: (sink: Sink) => Promise<
    CommandEnd & {
      readonly extra?: Pick<ExecResult, 'session' | 'cwd'>;
      readonly extraNotes?: readonly string[];
    }
  >,
): Promise<ExecResult> {
  const { emit, config } = reporting;
  const keeper = createKeeper({
    limitBytes: Math.max(256, config.max_output_bytes),
    folder: config.output_folder ?? join(tmpdir(), 'tenon-exec'),
    name: `${reporting.callId.replaceAll(/[^\w-]/g, '_')}.log`,
  });
  let end: Awaited<ReturnType<typeof run>>;
  try {
    end = await run(async (stream, data) => {
      await keeper.add(data);
      await emit.chunk(stream, data);
    });
  } catch (error) {
    await keeper.finish();
    throw error;
  }
  const kept = await keeper.finish();
  await emit.exitStatus(end.exitCode, end.signal);
  const result: ExecResult = {
    exit_code: end.exitCode,
    ...(end.signal === undefined ? {} : { signal: end.signal }),
    output: kept.text,
    output_bytes: kept.bytes,
    truncated: kept.truncated,
    ...(kept.file === undefined ? {} : { output_file: kept.file }),
    duration_ms: end.durationMs,
    notes: [...notesFor({ ...end, text: kept.text }), ...(end.extraNotes ?? [])],
    ...end.extra,
  };
  if (end.reason === 'exited') return result;
  const partial = { ...result } as JsonObject;
  await emit.partial(partial);
  if (end.reason === 'timeout') {
    throw fail.timeout(
      `${reporting.what} ran for ${reporting.timeoutMs} ms, its timeout, and was ended with all of its processes`,
      partial,
    );
  }
  throw fail.cancelled(
    `${reporting.what} was cancelled and ended with all of its processes`,
    partial,
  );
}

/** The timeout of a call in milliseconds: its own within the limit, else the configured one. */
export function timeoutOf(seconds: number | undefined, config: ExecConfig): number {
  if (seconds !== undefined && !(seconds > 0)) {
    throw fail.invalidArguments(`/timeout_seconds: ${seconds} is not a positive number of seconds`);
  }
  const wanted = seconds ?? config.timeout_seconds;
  return Math.round(Math.min(wanted, config.max_timeout_seconds) * 1000);
}
