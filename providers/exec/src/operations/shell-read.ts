// shell_read: a program that only reads, from an allow-list, without a shell: nothing is expanded, chained or
// redirected.
import { dataSource, fail } from '@tenon/provider';
import * as z from 'zod';
import { config } from '../config.js';
import { judge, READ_ONLY_NAMES } from '../read-only/commands.js';
import { commandEnvironment } from '../shell/environment.js';
import { runCommand } from '../shell/run.js';
import { resolveDirectory } from '../shell/working-directory.js';
import { resultSchema, runAndReport, timeoutOf } from './run-and-report.js';

export const shellRead = () =>
  dataSource({
    description:
      'Runs one read-only program, without a shell, and gives its exit code and output. ' +
      `Programs: ${READ_ONLY_NAMES.join(', ')}. Options that could write or run something else are refused.`,
    input: z.object({
      program: z.string().describe('Name of the program, without a path.'),
      args: z
        .array(z.string().describe('One argument, as it is.'))
        .describe('Its arguments.')
        .optional(),
      cwd: z.string().describe("Folder to run in, relative to the call's.").optional(),
      timeout_seconds: z.number().describe('End it after this time.').optional(),
    }),
    output: resultSchema,
    config,
    streaming: true,
    processBacked: true,
    concurrency: { safe: true },
    timeout: 3_660_000,
    async handler({ args, call, signal, emit, config: settings }) {
      const wanted = args.args ?? [];
      const judged = judge(args.program, wanted);
      if (!judged.ok) {
        throw fail.permissionDenied(`${judged.reason}. Use bash for anything else.`, {
          program: args.program,
        });
      }
      const { command } = judged;
      const timeoutMs = timeoutOf(args.timeout_seconds, settings);
      const cwd = await resolveDirectory(
        args.cwd,
        call.context.workingDirectory,
        settings.allowed_roots,
      );
      const env = { ...commandEnvironment(settings.env_allow, settings.env), ...command.env };
      const what = `${args.program} ${wanted.join(' ')}`.trim().slice(0, 200);
      return runAndReport({ emit, config: settings, callId: call.id, timeoutMs, what }, (sink) =>
        runCommand({
          argv: [args.program, ...(command.rewrite?.(wanted) ?? wanted)],
          cwd,
          env,
          timeoutMs,
          graceMs: settings.grace_seconds * 1000,
          signal,
          sink,
        }).catch((error: unknown) => {
          const { code } = error as NodeJS.ErrnoException;
          if (code !== 'ENOENT') throw error;
          throw fail.notFound(`${args.program} is not installed here`, { program: args.program });
        }),
      );
    },
  });
