// What a path means: every symbolic link and ".." followed the way the system follows them, also where the end of
// the path does not exist yet. Decides nothing about permission.
import { lstat, readlink, realpath } from 'node:fs/promises';
import { parse, sep } from 'node:path';
import { fail } from '@tenon/provider';

/** A path without symbolic links in it. */
export interface ResolvedPath {
  /** As it was given. */
  readonly given: string;
  /** Absolute; what it names when it exists. */
  readonly real: string;
  readonly exists: boolean;
  /** An error on the way, to be reported only when the path turns out to be inside of the roots. */
  readonly problem: NodeJS.ErrnoException | undefined;
}

const MAX_LINKS = 40;

/**
 * Resolves a path argument against the working directory of the call (RPC-06). Raises `invalid_arguments` for what
 * can be no path.
 */
export async function resolvePath(given: string, workingDirectory: string): Promise<ResolvedPath> {
  if (given === '') throw fail.invalidArguments('a path is empty');
  if (given.includes('\0')) throw fail.invalidArguments('a path holds a NUL character');
  const { root } = parse(given);
  if (root === '' && parse(workingDirectory).root === '') {
    throw fail.invalidArguments(
      `"${given}" is relative, and the call has no absolute working directory; give an absolute path`,
    );
  }
  // Joined as text: path.join would drop "link/.." without looking where the link leads.
  const absolute = root === '' ? `${workingDirectory}${sep}${given}` : given;
  try {
    return { given, real: await realpath(absolute), exists: true, problem: undefined };
  } catch {
    // Not there, or not to be reached: how far it goes is found out step by step.
    return walk(given, absolute);
  }
}

async function walk(given: string, absolute: string): Promise<ResolvedPath> {
  const { root } = parse(absolute);
  const rest = split(absolute.slice(root.length)).toReversed();
  let current = root;
  let exists = true;
  let problem: NodeJS.ErrnoException | undefined;
  let links = 0;
  for (let part = rest.pop(); part !== undefined; part = rest.pop()) {
    if (part === '..') {
      current = parentOf(current);
      // Whether that is there is found out with the next part; without one, it was walked through.
      if (rest.length === 0 && !exists) exists = await isThere(current);
      continue;
    }
    const next = current.endsWith(sep) ? current + part : current + sep + part;
    const found = await linkTarget(next);
    if (found.type === 'link') {
      if (++links > MAX_LINKS) {
        problem = Object.assign(new Error(`too many symbolic links in "${given}"`), {
          code: 'ELOOP',
        });
        return { given, real: next, exists: true, problem };
      }
      const target = parse(found.target).root;
      if (target !== '') current = target;
      rest.push(...split(found.target.slice(target.length)).toReversed());
      continue;
    }
    current = next;
    exists = found.type === 'there';
    if (found.type === 'error') problem ??= found.error;
  }
  return { given, real: current, exists, problem };
}

type Found =
  | { readonly type: 'there' }
  | { readonly type: 'missing' }
  | { readonly type: 'link'; readonly target: string }
  | { readonly type: 'error'; readonly error: NodeJS.ErrnoException };

async function linkTarget(path: string): Promise<Found> {
  try {
    const stats = await lstat(path);
    if (!stats.isSymbolicLink()) return { type: 'there' };
    return { type: 'link', target: await readlink(path) };
  } catch (thrown) {
    const error = thrown as NodeJS.ErrnoException;
    return error.code === 'ENOENT' ? { type: 'missing' } : { type: 'error', error };
  }
}

async function isThere(path: string): Promise<boolean> {
  return (await linkTarget(path)).type === 'there';
}

function split(path: string): string[] {
  const separators = sep === '\\' ? /[\\/]+/ : /\/+/;
  return path.split(separators).filter((part) => part !== '' && part !== '.');
}

/** The directory above; a root is its own. */
export function parentOf(real: string): string {
  const { dir } = parse(real);
  return dir === '' ? real : dir;
}

/** Whether a path lies somewhere inside of a directory; both without symbolic links. */
export function isBelow(path: string, directory: string): boolean {
  return (
    path !== directory && path.startsWith(directory.endsWith(sep) ? directory : directory + sep)
  );
}
