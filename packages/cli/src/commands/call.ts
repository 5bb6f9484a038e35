// `tenon call`: one operation, from words to outcome.
import type { Command } from 'commander';
import type { CallOutcome } from '@tenon/kernel';
import { chooseApprover } from '../approve/choose.js';
import { flagsHelp } from '../arguments/help.js';
import { earlyOptions, readOperationWords, wantsHelp } from '../arguments/operation-words.js';
import type { Context } from '../context.js';
import { EXIT, UsageError } from '../errors.js';
import type { ExitCode } from '../errors.js';
import { findOperation, providerOf } from '../kernel/listing.js';
import { readConfig, withKernel, workingDirectory } from '../kernel/open.js';
import { parseDuration } from '../options.js';
import type { KernelOptionValues } from '../options.js';
import { createJsonEvents } from '../output/json-events.js';
import { createLateObserver } from '../output/late-observer.js';
import { createLiveDisplay } from '../output/live.js';
import { exitCodeOf, writeOutcome } from '../output/outcome.js';
import { writePlans } from '../output/plan.js';

interface CallOptions extends KernelOptionValues {
  readonly yes?: boolean;
  readonly allow?: readonly string[];
  readonly timeout?: string;
  readonly json?: boolean;
  readonly verbose?: boolean;
  readonly help?: boolean;
}

export async function run(
  context: Context,
  operation: string | undefined,
  words: readonly string[],
  before: CallOptions,
  command: Command,
): Promise<ExitCode> {
  if (operation === undefined) {
    if (before.help !== true) {
      throw new UsageError(['which operation? "tenon operations" lists them']);
    }
    command.outputHelp();
    return EXIT.ok;
  }
  const { terminal, signal } = context;
  const start = providerOf(operation);
  const config = await readConfig(context, earlyOptions(before, words), start);
  const events = createLateObserver();
  return withKernel(
    context,
    config,
    { observer: events.observer, start: [start] },
    async (kernel) => {
      const listing = findOperation(kernel, operation);
      if (wantsHelp(before, words)) {
        terminal.stdout.write(flagsHelp(listing, terminal.width()));
        return EXIT.ok;
      }
      const { args, options } = await readOperationWords(
        listing,
        words,
        before,
        command,
        terminal.stdin,
      );
      const timeoutMs =
        options.timeout === undefined ? undefined : parseDuration(options.timeout, '--timeout');
      const display = createLiveDisplay(terminal, {
        verbose: options.verbose === true,
        labels: false,
      });
      const json = options.json === true ? createJsonEvents(terminal.stdout) : undefined;
      await events.use(json?.observer ?? display.observer);
      const approver = chooseApprover(terminal, options, display);
      const outcome: CallOutcome = await kernel.call(
        { name: listing.name, arguments: args },
        {
          signal,
          approver,
          workingDirectory: workingDirectory(options),
          ...(timeoutMs === undefined ? {} : { timeoutMs }),
        },
      );
      display.end();
      if (json === undefined) {
        await writePlans(kernel.journal, [outcome.callId], approver.asked, terminal);
        writeOutcome(outcome, terminal, display.shown(outcome.callId));
      } else json.outcome(outcome);
      return exitCodeOf(outcome);
    },
  );
}
