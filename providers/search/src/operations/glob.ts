// glob: paths of files by pattern.
import { resolve } from 'node:path';
import { dataSource } from '@tenon/provider';
import * as z from 'zod';
import { config } from '../config.js';
import { createPathFilter } from '../path-filter.js';
import { locateRipgrep } from '../ripgrep/locate.js';
import { runRipgrep } from '../ripgrep/run.js';
import { searchPath, shownPath } from '../search-path.js';
import { createBatch } from './batch.js';
import { common, commonOptions, limitOf } from './common.js';

export const glob = dataSource({
  description:
    'Lists files whose path matches a pattern such as "**/*.ts" or "src/**/test_*.py". Ignored and hidden ' +
    'files are left out unless asked for. Paths come while they are found, in no particular order.',
  input: z.object({
    pattern: z
      .string()
      .describe(
        'A glob; without a slash it is matched against names at any depth. "!" before it excludes.',
      ),
    ...common,
  }),
  output: z.object({
    paths: z.array(
      z.string().describe('Relative to the working directory, unless path was absolute.'),
    ),
    more: z.boolean().describe('Whether there are more than the limit.'),
    problems: z.array(z.string().describe('A folder that could not be read, and why.')),
  }),
  config,
  streaming: true,
  concurrency: { safe: true },
  timeout: 120_000,
  async handler({ args, call, signal, emit, config: settings }) {
    const limit = limitOf(args.limit, settings);
    const { workingDirectory } = call.context;
    const path = await searchPath(args.path, workingDirectory, settings.allowed_roots);
    const filter = createPathFilter({
      pattern: args.pattern,
      hidden: args.hidden ?? false,
      base: resolve(workingDirectory, path),
    });
    const paths: string[] = [];
    const batch = createBatch<string>((found) => emit.partial({ paths: found }));
    const end = await runRipgrep({
      program: await locateRipgrep(settings.ripgrep),
      args: [...commonOptions(args, settings), '--files', '--null', ...filter.options, '--', path],
      cwd: workingDirectory,
      signal,
      separator: 0,
      async onPiece(piece) {
        const offered = piece.toString('utf8');
        if (!filter.accepts(resolve(workingDirectory, offered))) return 'more';
        if (paths.length === limit) return 'stop';
        const found = shownPath(offered);
        paths.push(found);
        await batch.add(found);
        return 'more';
      },
    });
    await batch.flush();
    return { paths, more: end.stopped, problems: [...end.problems] };
  },
});
