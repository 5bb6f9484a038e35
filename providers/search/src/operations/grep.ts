// grep: lines that match a regular expression.
import { resolve } from 'node:path';
import { dataSource, fail } from '@tenon/provider';
import * as z from 'zod';
import { config } from '../config.js';
import { createPathFilter } from '../path-filter.js';
import { locateRipgrep } from '../ripgrep/locate.js';
import { clipped, readRecord } from '../ripgrep/match.js';
import { runRipgrep } from '../ripgrep/run.js';
import { searchPath, shownPath } from '../search-path.js';
import { createBatch } from './batch.js';
import { common, commonOptions, limitOf } from './common.js';

const line = z.object({
  path: z.string().describe('Relative to the working directory, unless path was absolute.'),
  line: z.number().describe('From 1.'),
  column: z
    .number()
    .describe('Where the match begins in the line, from 1; 0 for a line of context.'),
  text: z.string().describe('The line; a long one is cut around the match.'),
  context: z.boolean().describe('Whether it only stands near a match.'),
});
type Line = z.infer<typeof line>;

const MAX_CONTEXT = 50;

export const grep = dataSource({
  description:
    'Finds lines that match a regular expression (Rust syntax) in files. Ignored, hidden and binary files are ' +
    'left out unless asked for. Lines come while they are found.',
  input: z.object({
    pattern: z.string().describe('The regular expression, or a plain text with literal.'),
    ...common,
    glob: z.string().describe('Only files whose path matches, such as "*.ts".').optional(),
    type: z
      .string()
      .describe('Only files of a type that ripgrep knows, such as "js" or "py".')
      .optional(),
    literal: z
      .boolean()
      .describe('Take the pattern as it is, not as a regular expression.')
      .optional(),
    case: z
      .enum(['smart', 'sensitive', 'insensitive'])
      .describe('smart (default): insensitive unless the pattern has a capital letter.')
      .optional(),
    multiline: z.boolean().describe('Let a match span lines.').optional(),
    binary: z.boolean().describe('Also search files that look binary.').optional(),
    context: z.number().describe('Lines shown before and after each match; default 0.').optional(),
  }),
  output: z.object({
    lines: z.array(line),
    matches: z.number().describe('Matching lines among them.'),
    more: z.boolean().describe('Whether there are more than the limit.'),
    problems: z.array(z.string().describe('A file that could not be searched, and why.')),
  }),
  config,
  streaming: true,
  concurrency: { safe: true },
  timeout: 120_000,
  async handler({ args, call, signal, emit, config: settings }) {
    const limit = limitOf(args.limit, settings);
    const context = args.context ?? 0;
    if (!Number.isInteger(context) || context < 0 || context > MAX_CONTEXT) {
      throw fail.invalidArguments(
        `/context: ${context} is not a whole number from 0 to ${MAX_CONTEXT}`,
      );
    }
    const { workingDirectory } = call.context;
    const path = await searchPath(args.path, workingDirectory, settings.allowed_roots);
    const filter = createPathFilter({
      pattern: args.glob,
      hidden: args.hidden ?? false,
      base: resolve(workingDirectory, path),
    });
    const lines: Line[] = [];
    let matches = 0;
    const batch = createBatch<Line>((found) => emit.partial({ lines: found }));
    const end = await runRipgrep({
      program: await locateRipgrep(settings.ripgrep),
      args: [
        ...commonOptions(args, settings),
        '--json',
        caseOption(args.case),
        ...(args.literal === true ? ['--fixed-strings'] : []),
        ...(args.multiline === true ? ['--multiline'] : []),
        ...(args.binary === true ? ['--text'] : []),
        ...(context > 0 ? ['--context', String(context)] : []),
        ...(args.type === undefined ? filter.options : []),
        ...(args.type === undefined ? [] : ['--type', args.type]),
        '--regexp',
        args.pattern,
        '--',
        path,
      ],
      cwd: workingDirectory,
      signal,
      separator: 0x0a,
      async onPiece(piece) {
        const found = readRecord(piece);
        if (found === undefined) return 'more';
        if (!filter.accepts(resolve(workingDirectory, found.path))) return 'more';
        const isMatch = found.kind === 'match';
        if (isMatch && matches === limit) return 'stop';
        if (isMatch) matches += 1;
        const shown: Line = {
          path: shownPath(found.path),
          line: found.line,
          column: found.column,
          text: clipped(found.text, found.column, Math.max(20, settings.max_line_length)),
          context: !isMatch,
        };
        lines.push(shown);
        await batch.add(shown);
        return 'more';
      },
    });
    await batch.flush();
    const long =
      end.dropped > 0 ? [`${end.dropped} matches on lines of several megabytes are left out`] : [];
    return { lines, matches, more: end.stopped, problems: [...end.problems, ...long] };
  },
});

function caseOption(wanted: 'smart' | 'sensitive' | 'insensitive' | undefined): string {
  if (wanted === 'sensitive') return '--case-sensitive';
  return wanted === 'insensitive' ? '--ignore-case' : '--smart-case';
}
