// Public index of the search provider.
import { defineProvider } from '@tenon/provider';
import { config } from './config.js';
import { glob } from './operations/glob.js';
import { grep } from './operations/grep.js';

/** The provider: glob, grep. */
export const provider = defineProvider({
  name: 'search',
  version: '0.1.0',
  source: '@tenon/provider-search',
  config,
  operations: { glob, grep },
});
