// The configuration block of the search provider.
import { attr, type ConfigOf, configSchema } from '@tenon/provider';

export const config = configSchema({
  allowed_roots: attr.listString({
    description:
      'Folders that may be searched; relative ones are below the working directory of the call. Default: anywhere.',
  }),
  ripgrep: attr.string({
    description:
      'Path of a ripgrep to use. Default: the one that comes with this package, else rg on PATH.',
  }),
  max_results: attr.number({
    description: 'The most results that a call gets, whatever its own limit says.',
    default: 1_000,
  }),
  max_line_length: attr.number({
    description: 'Characters of a matching line that are shown; the match is kept in view.',
    default: 500,
  }),
  max_file_size: attr.string({
    description: 'Files that are larger are not searched, in the form of ripgrep: 50M, 1G.',
    default: '200M',
  }),
});

export type SearchConfig = ConfigOf<typeof config>;
