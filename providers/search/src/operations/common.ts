// The arguments that glob and grep share, and what ripgrep is told for them.
import { fail } from '@tenon/provider';
import * as z from 'zod';
import type { SearchConfig } from '../config.js';

export const common = {
  path: z
    .string()
    .describe("File or folder to search, relative to the working directory; default '.'")
    .optional(),
  hidden: z.boolean().describe('Also hidden files and folders, but never .git.').optional(),
  no_ignore: z
    .boolean()
    .describe('Also what .gitignore, .ignore and .rgignore leave out.')
    .optional(),
  limit: z.number().describe('The most results wanted; default 100.').optional(),
};

export interface CommonArguments {
  readonly hidden?: boolean | undefined;
  readonly no_ignore?: boolean | undefined;
}

/** Options for both modes. The user's own ripgrep configuration is never read. */
export function commonOptions(args: CommonArguments, config: SearchConfig): string[] {
  return [
    '--no-config',
    '--max-filesize',
    config.max_file_size,
    ...(args.hidden === true ? ['--hidden', '--glob', '!.git'] : []),
    ...(args.no_ignore === true ? ['--no-ignore'] : ['--no-require-git']),
  ];
}

const DEFAULT_LIMIT = 100;

/** How many results at the most. */
export function limitOf(limit: number | undefined, config: SearchConfig): number {
  if (limit !== undefined && !(Number.isInteger(limit) && limit > 0)) {
    throw fail.invalidArguments(`/limit: ${limit} is not a positive whole number`);
  }
  return Math.min(limit ?? DEFAULT_LIMIT, config.max_results);
}
