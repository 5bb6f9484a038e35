// tenon's own options among the words after an operation's name, read by the same definitions as those
// before it.
import { Command } from 'commander';
import type { OptionValues } from 'commander';
import { UsageError } from '../errors.js';
import type { OwnOptions } from './flags.js';

/** The options of a command: every spelling, and whether it takes a value. */
export function ownOptionsOf(command: Command): OwnOptions {
  return new Map(
    command.options.flatMap((option) =>
      [option.long, option.short]
        .filter((name) => name !== undefined && name !== null)
        .map((name): [string, boolean] => [name, option.required || option.optional]),
    ),
  );
}

/** Reads words that are all options of the command. */
export function parseOwnOptions(command: Command, words: readonly string[]): OptionValues {
  const parser = new Command(command.name()).exitOverride().helpOption(false);
  for (const option of command.options) parser.addOption(option);
  parser.parse(words, { from: 'user' });
  return parser.opts();
}

/**
 * Values of options that are needed before the operation's schema is known, wherever they stand. The
 * caller checks afterwards, with `requireSame`, that they were not meant for the operation.
 */
export function peekOptions(
  words: readonly string[],
  names: readonly string[],
): Map<string, string> {
  const found = new Map<string, string>();
  for (const [index, word] of words.entries()) {
    for (const name of names) {
      const next = words[index + 1];
      if (word.startsWith(`${name}=`)) found.set(name, word.slice(name.length + 1));
      else if (word === name && next !== undefined) found.set(name, next);
    }
  }
  return found;
}

/** Throws UsageError when an option that was peeked at turned out to belong to the operation. */
export function requireSame(
  name: string,
  peeked: string | undefined,
  own: string | undefined,
): void {
  if (peeked === undefined || own === peeked) return;
  throw new UsageError([
    `${name} is a flag of the operation too: give tenon's own ${name} before the operation's name`,
  ]);
}
