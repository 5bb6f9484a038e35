// list_directory: the names in a directory, or in a tree down to a depth, sorted, with a limit that is announced.
import type { Dirent } from 'node:fs';
import { lstat, opendir, readlink } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { dataSource, fail } from '@tenon/provider';
import * as z from 'zod';
import { config } from '../config.js';
import { mustExist, resolveInside, rootsFor } from '../path/access.js';
import { kindOf, withDirectory } from '../path/open.js';

const DEFAULT_LIMIT = 1_000;
const MAX_DEPTH = 20;

interface Entry {
  name: string;
  type: ReturnType<typeof kindOf>;
  size?: number;
  link_target?: string;
}

export const listDirectory = dataSource({
  config,
  description:
    'Lists a directory, sorted by name. With depth, the directories below too. Symbolic links are listed and not followed.',
  input: z.object({
    path: z.string().optional().describe('The directory. Default: the working directory'),
    depth: z.number().optional().describe(`Levels to list, up to ${MAX_DEPTH}. Default: 1`),
    limit: z.number().optional().describe(`Entries at the most. Default: ${DEFAULT_LIMIT}`),
  }),
  output: z.object({
    path: z.string().describe('The directory, absolute'),
    entries: z.array(
      z.object({
        name: z.string().describe('Relative to path'),
        type: z.enum(['file', 'directory', 'symlink', 'pipe', 'socket', 'device']),
        size: z.number().optional().describe('Bytes, of a file'),
        link_target: z.string().optional(),
      }),
    ),
    notice: z.string().optional().describe('What is missing in entries, and why'),
  }),
  concurrency: { safe: true },
  timeout: 30_000,
  async handler({ args, call, config: settings, signal }) {
    const depth = args.depth ?? 1;
    const limit = args.limit ?? DEFAULT_LIMIT;
    if (!Number.isInteger(depth) || depth < 1 || depth > MAX_DEPTH) {
      throw fail.invalidArguments(`depth must be a whole number from 1 to ${MAX_DEPTH}`);
    }
    if (!Number.isInteger(limit) || limit < 1) {
      throw fail.invalidArguments('limit must be a whole number from 1');
    }
    const roots = rootsFor('read', settings, call.context);
    const path = await resolveInside(args.path ?? '.', call.context, roots);
    mustExist(path);
    const kind = kindOf(await lstat(path.real));
    if (kind !== 'directory') {
      throw fail.executionFailed(`"${path.given}" is a ${kind}, not a directory`, {
        path: path.given,
        type: kind,
      });
    }
    const listing: Listing = {
      top: path.real,
      limit,
      entries: [],
      notices: [],
      full: false,
      signal,
    };
    await list(path.real, depth, listing);
    if (listing.full) {
      listing.notices.unshift(
        `There are more than ${limit} entries; these are the first ${limit}.`,
      );
    }
    return {
      path: path.real,
      entries: listing.entries,
      ...(listing.notices.length === 0 ? {} : { notice: listing.notices.join(' ') }),
    };
  },
});

interface Listing {
  readonly top: string;
  readonly limit: number;
  readonly entries: Entry[];
  readonly notices: string[];
  full: boolean;
  readonly signal: AbortSignal;
}

async function list(directory: string, depth: number, listing: Listing): Promise<void> {
  for (const dirent of await namesIn(directory, listing)) {
    if (listing.full) return;
    listing.signal.throwIfAborted();
    if (listing.entries.length >= listing.limit) {
      listing.full = true;
      return;
    }
    const full = join(directory, dirent.name);
    const entry = await entryOf(full, relative(listing.top, full), dirent);
    // Removed since the directory was read.
    if (entry === undefined) continue;
    listing.entries.push(entry);
    if (entry.type !== 'directory' || depth <= 1) continue;
    try {
      await list(full, depth - 1, listing);
    } catch (error) {
      if (listing.signal.aborted) throw error;
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'ENOENT') listing.notices.push(`${entry.name} could not be listed (${code}).`);
    }
  }
}

/** Sorted. Names beyond the limit are dropped while reading, so that a huge directory does not fill memory. */
async function namesIn(directory: string, { limit, signal }: Listing): Promise<Dirent[]> {
  const found: Dirent[] = [];
  const byName = (a: Dirent, b: Dirent) => (a.name < b.name ? -1 : 1);
  await withDirectory(directory, directory, async (held) => {
    for await (const dirent of await opendir(held.at('.'))) {
      signal.throwIfAborted();
      found.push(dirent);
      if (found.length < 4 * (limit + 1)) continue;
      found.sort(byName);
      found.length = limit + 1;
    }
  });
  return found.sort(byName);
}

async function entryOf(path: string, name: string, dirent: Dirent): Promise<Entry | undefined> {
  const type = kindOf(dirent);
  try {
    if (type === 'file') return { name, type, size: (await lstat(path)).size };
    if (type === 'symlink') return { name, type, link_target: await readlink(path) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    // Listed all the same, without what cannot be known.
  }
  return { name, type };
}
