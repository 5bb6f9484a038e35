// bash: any shell command. The most powerful operation there is, so it is a resource of high risk.
import { fail, literalKey, resource } from '@tenon/provider';
import * as z from 'zod';
import { config } from '../config.js';
import { commandEnvironment } from '../shell/environment.js';
import { runCommand } from '../shell/run.js';
import type { Sessions } from '../shell/sessions.js';
import { resolveDirectory } from '../shell/working-directory.js';
import { resultSchema, runAndReport, timeoutOf } from './run-and-report.js';

export const bash = (sessions: Sessions) =>
  resource({
    description:
      'Runs a shell command and gives its exit code and output. A non-zero exit code is a result, not an ' +
      'error. stdin is closed. Without a session each command has a shell of its own, and background ' +
      'processes end with it; with a session, cd, variables and background jobs stay for its next command.',
    risk: 'high',
    input: z.object({
      command: z.string().describe('The command line, as for bash -c.'),
      cwd: z
        .string()
        .describe("Folder to start in, relative to the call's. A running session keeps its own.")
        .optional(),
      timeout_seconds: z.number().describe('End it after this time.').optional(),
      session: z
        .string()
        .describe('Name of a shell session that lives on between calls.')
        .optional(),
    }),
    output: resultSchema,
    config,
    streaming: true,
    processBacked: true,
    // The commands of one session run one after the other; all others at the same time.
    concurrency: { safe: true },
    keys: [literalKey('session', 'session')],
    // A little above the longest timeout of the provider itself, which reports more.
    timeout: 3_660_000,
    async handler({ args, call, signal, emit, config: settings }) {
      if (args.command.includes('\0')) {
        throw fail.invalidArguments('/command: a command line cannot contain a NUL character');
      }
      const timeoutMs = timeoutOf(args.timeout_seconds, settings);
      const graceMs = settings.grace_seconds * 1000;
      const cwd = await resolveDirectory(
        args.cwd,
        call.context.workingDirectory,
        settings.allowed_roots,
      );
      const env = commandEnvironment(settings.env_allow, settings.env);
      const reporting = { emit, config: settings, callId: call.id, timeoutMs, what: 'The command' };
      const { session } = args;
      if (session === undefined) {
        return runAndReport(reporting, (sink) =>
          runCommand({
            argv: [settings.shell, '-c', args.command],
            cwd,
            env,
            timeoutMs,
            graceMs,
            signal,
            sink,
          }),
        );
      }
      const options = { shell: settings.shell, cwd, env };
      return sessions.use(session, options, settings.max_sessions, (shell, opened) =>
        runAndReport(reporting, async (sink) => {
          const command =
            opened || args.cwd === undefined
              ? args.command
              : `cd -- ${quoted(cwd)}\n${args.command}`;
          const end = await shell.run({ command, timeoutMs, graceMs, signal, sink });
          return {
            ...end,
            leftBehind: [],
            extra: { session, ...(end.cwd === undefined ? {} : { cwd: end.cwd }) },
            extraNotes: sessionNotes(end.closed, shell.jobs()),
          };
        }),
      );
    },
  });

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

function sessionNotes(closed: boolean, jobs: number): string[] {
  if (closed) return ['The session has ended; its next command starts a new one.'];
  return jobs === 0 ? [] : [`${jobs} background processes run on in this session.`];
}
