// Options that several commands share, and reading their values.
import type { Command } from 'commander';
import { UsageError } from './errors.js';

/** How a command finds its kernel's configuration. */
export interface KernelOptionValues {
  readonly config?: string;
  readonly providerCommand?: string;
  readonly cwd?: string;
}

/** Options of the commands that start a kernel. */
export function addKernelOptions(command: Command): Command {
  return command
    .option('-c, --config <path>', 'agent.hcl or agent.json; searched upwards from here by default')
    .option(
      '--provider-command <command>',
      'run this provider alone, without a configuration; NAME=COMMAND names it',
    )
    .option('--cwd <folder>', 'where relative paths start');
}

const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** Milliseconds of a duration such as `500ms`, `30s`, `2m`, `1h` or `7d`. Throws UsageError. */
export function parseDuration(text: string, option: string): number {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(text.trim());
  const unit = UNITS[match?.[2] ?? ''];
  if (match === null || unit === undefined) {
    throw new UsageError([
      `${option}: "${text}" is not a duration; write 500ms, 30s, 2m, 1h or 7d`,
    ]);
  }
  return Number(match[1]) * unit;
}

/** Milliseconds since the epoch of `10m` (ago) or of a date. Throws UsageError. */
export function parseWhen(text: string, option: string, now: number): number {
  if (/^\d+(?:\.\d+)?(?:ms|s|m|h|d)$/.test(text.trim())) return now - parseDuration(text, option);
  const time = Date.parse(text);
  if (Number.isNaN(time)) {
    throw new UsageError([`${option}: "${text}" is neither a duration such as 10m nor a date`]);
  }
  return time;
}

/** A whole number, at least `least`. Throws UsageError. */
export function parseCount(text: string, option: string, least = 1): number {
  const count = Number(text);
  if (!Number.isSafeInteger(count) || count < least) {
    throw new UsageError([`${option}: "${text}" is not a whole number of at least ${least}`]);
  }
  return count;
}

/** Splits a command line into words by spaces, with single and double quotes and backslashes. */
export function splitCommand(text: string): string[] {
  const words: string[] = [];
  for (const [whole] of text.matchAll(/(?:\\.|"(?:\\.|[^"\\])*"|'[^']*'|[^\s"'\\])+/gs)) {
    words.push(
      whole.replaceAll(
        /\\(.)|"((?:\\.|[^"\\])*)"|'([^']*)'/gs,
        (_, escaped: string | undefined, double: string | undefined, single: string | undefined) =>
          escaped ?? double?.replaceAll(/\\(.)/gs, '$1') ?? single ?? '',
      ),
    );
  }
  return words;
}
