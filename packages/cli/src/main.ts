// The command line from its words to its exit code: the one place where errors become text.
import { CommanderError } from 'commander';
import { processContext } from './context.js';
import type { Context } from './context.js';
import { EXIT, UsageError } from './errors.js';
import type { ExitCode } from './errors.js';
import { buildProgram } from './program.js';
import { sanitize } from './terminal/sanitize.js';

/** Runs the command line. Resolves to the exit code (see EXIT); never rejects. */
export async function main(words: readonly string[]): Promise<number> {
  const context = processContext();
  let code: ExitCode = EXIT.ok;
  try {
    const program = await buildProgram(context, words, (result) => {
      code = result;
    });
    await program.parseAsync(words, { from: 'user' });
    return code;
  } catch (error) {
    return await report(error, context);
  } finally {
    context.close();
  }
}

async function report(error: unknown, { terminal, signal }: Context): Promise<ExitCode> {
  const { stderr, err } = terminal;
  if (error instanceof CommanderError) {
    // commander has written its own message; help and version end with 0.
    return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  }
  const problems = await problemsOf(error);
  if (problems !== undefined) {
    for (const problem of problems) stderr.write(`${err('red', 'error:')} ${sanitize(problem)}\n`);
    return EXIT.usage;
  }
  if (signal.aborted) {
    stderr.write(`${sanitize(error instanceof Error ? error.message : String(error))}\n`);
    return EXIT.cancelled;
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  stderr.write(`${err('red', 'tenon failed:')} ${sanitize(text)}\n`);
  return EXIT.toolError;
}

/** The problems of an error that is the user's to correct; undefined for any other. */
async function problemsOf(error: unknown): Promise<readonly string[] | undefined> {
  if (error instanceof UsageError) return error.problems;
  // Loaded only now, as a command that got this far without the kernel has no need of it.
  const { ConfigError, HookLoadError, JournalError, LockError, PolicyError } = await import(
    '@tenon/kernel'
  );
  const kinds = [ConfigError, HookLoadError, JournalError, LockError, PolicyError];
  return error instanceof Error && kinds.some((kind) => error instanceof kind)
    ? [error.message]
    : undefined;
}
