// stat: what a path names, without reading it.
import { lstat, readlink } from 'node:fs/promises';
import { isAbsolute, sep } from 'node:path';
import { dataSource } from '@tenon/provider';
import * as z from 'zod';
import { config } from '../config.js';
import { mustExist, resolveInside, rootsFor } from '../path/access.js';
import { kindOf } from '../path/open.js';

export const stat = dataSource({
  config,
  description:
    'Says what a path names: its type, size, permissions and time of the last change. A symbolic link is followed, and where it leads is said.',
  input: z.object({
    path: z.string().describe('Relative to the working directory, or absolute'),
  }),
  output: z.object({
    path: z.string().describe('What the path leads to, absolute, without symbolic links'),
    type: z.enum(['file', 'directory', 'symlink', 'pipe', 'socket', 'device']),
    size: z.number().describe('Bytes'),
    mode: z.string().describe('Permissions in octal, such as 0644'),
    modified: z.string().describe('Time of the last change, ISO 8601'),
    link_target: z.string().optional().describe('What the link says, when the path itself is one'),
  }),
  concurrency: { safe: true },
  timeout: 10_000,
  async handler({ args, call, config: settings }) {
    const roots = rootsFor('read', settings, call.context);
    const path = await resolveInside(args.path, call.context, roots);
    mustExist(path);
    const [stats, target] = await Promise.all([
      lstat(path.real),
      linkText(args.path, call.context.workingDirectory),
    ]);
    return {
      path: path.real,
      type: kindOf(stats),
      size: stats.size,
      mode: `0${(stats.mode & 0o7777).toString(8).padStart(3, '0')}`,
      modified: stats.mtime.toISOString(),
      ...(target === undefined ? {} : { link_target: target }),
    };
  },
});

async function linkText(given: string, workingDirectory: string): Promise<string | undefined> {
  const absolute = isAbsolute(given) ? given : `${workingDirectory}${sep}${given}`;
  try {
    return await readlink(absolute.replace(/(?<=.)[\\/]+$/, ''));
  } catch {
    // EINVAL says that it is no link; the path was looked at already, so that nothing else is worth a report.
    return undefined;
  }
}
