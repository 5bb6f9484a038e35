// The words after an operation's name, read by its schema: arguments, and tenon's own options among them.
import type { Command } from 'commander';
import type { OperationListing } from '@tenon/kernel';
import type { JsonObject } from '@tenon/protocol';
import { UsageError } from '../errors.js';
import type { KernelOptionValues } from '../options.js';
import { parseFlags } from './flags.js';
import { ownOptionsOf, parseOwnOptions, peekOptions, requireSame } from './own-options.js';
import { mergeArguments } from './sources.js';

const PEEKED = ['--config', '--provider-command'];

/** Options given before the operation's name, with those after it that are needed to start a kernel. */
export function earlyOptions(
  before: KernelOptionValues,
  words: readonly string[],
): KernelOptionValues {
  const peeked = peekOptions(words, PEEKED);
  const config = peeked.get('--config') ?? before.config;
  const providerCommand = peeked.get('--provider-command') ?? before.providerCommand;
  return {
    ...before,
    ...(config === undefined ? {} : { config }),
    ...(providerCommand === undefined ? {} : { providerCommand }),
  };
}

/** Throws UsageError with every problem. Options after the name win over those before it. */
export async function readOperationWords<T extends KernelOptionValues>(
  listing: OperationListing,
  words: readonly string[],
  before: T,
  command: Command,
  stdin: NodeJS.ReadableStream,
): Promise<{ readonly args: JsonObject; readonly options: T }> {
  const parsed = parseFlags(words, listing.operation.input, ownOptionsOf(command));
  if (parsed.problems.length > 0) {
    const help = `"tenon call ${listing.name} --help" shows its flags`;
    throw new UsageError([...parsed.problems, help]);
  }
  const options: T = { ...before, ...parseOwnOptions(command, parsed.own) };
  const peeked = peekOptions(words, PEEKED);
  requireSame('--config', peeked.get('--config'), options.config);
  requireSame('--provider-command', peeked.get('--provider-command'), options.providerCommand);
  return { args: await mergeArguments(parsed.sources, parsed.args, stdin), options };
}

/** Whether the help of the operation is asked for, before or after its name. */
export function wantsHelp(before: { readonly help?: boolean }, words: readonly string[]): boolean {
  return before.help === true || words.includes('--help') || words.includes('-h');
}
