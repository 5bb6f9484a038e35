// A path as a name in a directory: the directory is resolved, the last part is not followed. What move and delete
// take away is the link itself, not what it leads to.
import { lstat } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { type CallContext, fail } from '@tenon/provider';
import { outsideError, type Roots, resolveInside } from './access.js';
import { isBelow, type ResolvedPath } from './resolve.js';

/** Raises `permission_denied` for a name outside of the roots, and for a root itself. */
export async function resolveName(
  given: string,
  context: CallContext,
  roots: Roots,
): Promise<ResolvedPath> {
  const trimmed = given.replace(/(?<=[^\\/])[\\/]+$/, '');
  const name = basename(trimmed);
  // "." and ".." are no names; what they lead to is.
  if (name === '' || name === '.' || name === '..') {
    const path = await resolveInside(given, context, roots);
    refuseRoot(path, roots);
    return path;
  }
  const above = dirname(trimmed);
  const directory = await resolveInside(above === '' ? '.' : above, context, roots);
  const real = directory.real.endsWith(sep) ? directory.real + name : join(directory.real, name);
  const path: ResolvedPath = { given, real, exists: await isThere(real), problem: undefined };
  if (!roots.contains(real)) throw outsideError(path, roots);
  refuseRoot(path, roots);
  return path;
}

function refuseRoot(path: ResolvedPath, roots: Roots): void {
  // Also when a root lies below it: all of it would go.
  if (!roots.real.some((root) => root === path.real || isBelow(root, path.real))) return;
  throw fail.permissionDenied(`"${path.given}" is an allowed root, or holds one; it stays`, {
    path: path.given,
    resolved: path.real,
  });
}

async function isThere(real: string): Promise<boolean> {
  try {
    await lstat(real);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return false;
    throw error;
  }
}
