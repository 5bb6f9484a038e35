// `tenon call`: one operation, from words to outcome.
import type { Command } from 'commander';
import type { CallOutcome, OperationListing } from '@tenon/kernel';
import type { JsonObject } from '@tenon/protocol';
import { chooseApprover } from '../approve/choose.js';
import { parseFlags } from '../arguments/flags.js';
import { flagsHelp } from '../arguments/help.js';
import {
  ownOptionsOf,
  parseOwnOptions,
  peekOptions,
  requireSame,
} from '../arguments/own-options.js';
import { mergeArguments } from '../arguments/sources.js';
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
  const peeked = peekOptions(words, ['--config', '--provider-command']);
  const start = providerOf(operation);
  const config = await readConfig(context, withPeeked(before, peeked), start);
  const events = createLateObserver();
  return withKernel(
    context,
    config,
    { observer: events.observer, start: [start] },
    async (kernel) => {
      const listing = findOperation(kernel, operation);
      if (before.help === true || words.includes('--help') || words.includes('-h')) {
        terminal.stdout.write(flagsHelp(listing, terminal.width()));
        return EXIT.ok;
      }
      const { args, options } = await readWords(context, listing, words, before, command);
      requireSame('--config', peeked.get('--config'), options.config);
      requireSame('--provider-command', peeked.get('--provider-command'), options.providerCommand);
      const display = createLiveDisplay(terminal, {
        verbose: options.verbose === true,
        labels: false,
      });
      const json = options.json === true ? createJsonEvents(terminal.stdout) : undefined;
      await events.use(json?.observer ?? display.observer);
      const outcome: CallOutcome = await kernel.call(
        { name: listing.name, arguments: args },
        {
          signal,
          approver: chooseApprover(terminal, options, display),
          workingDirectory: workingDirectory(options),
          ...(options.timeout === undefined
            ? {}
            : { timeoutMs: parseDuration(options.timeout, '--timeout') }),
        },
      );
      display.end();
      if (json === undefined) writeOutcome(outcome, terminal, display.shown(outcome.callId));
      else json.outcome(outcome);
      return exitCodeOf(outcome);
    },
  );
}

function withPeeked(before: CallOptions, peeked: ReadonlyMap<string, string>): CallOptions {
  const config = peeked.get('--config') ?? before.config;
  const providerCommand = peeked.get('--provider-command') ?? before.providerCommand;
  return {
    ...before,
    ...(config === undefined ? {} : { config }),
    ...(providerCommand === undefined ? {} : { providerCommand }),
  };
}

/** The words after the operation's name: its arguments, and tenon's own options on top of those before. */
async function readWords(
  { terminal }: Context,
  listing: OperationListing,
  words: readonly string[],
  before: CallOptions,
  command: Command,
): Promise<{ readonly args: JsonObject; readonly options: CallOptions }> {
  const parsed = parseFlags(words, listing.operation.input, ownOptionsOf(command));
  if (parsed.problems.length > 0) {
    const help = `"tenon call ${listing.name} --help" shows its flags`;
    throw new UsageError([...parsed.problems, help]);
  }
  const options: CallOptions = { ...before, ...parseOwnOptions(command, parsed.own) };
  if (options.timeout !== undefined) parseDuration(options.timeout, '--timeout');
  return { args: await mergeArguments(parsed.sources, parsed.args, terminal.stdin), options };
}
