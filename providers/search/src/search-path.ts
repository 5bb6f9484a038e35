// What is searched: a file or folder, resolved against the call's working directory, inside the roots.
import { realpath } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { fail } from '@tenon/provider';

/**
 * The path to hand to ripgrep: relative where the caller's was. Throws `not_found` for one that does not
 * exist and `permission_denied` for one whose real place is outside the roots (CFG-03, RPC-06).
 */
export async function searchPath(
  wanted: string | undefined,
  workingDirectory: string,
  roots: readonly string[] | undefined,
): Promise<string> {
  const given = wanted ?? '.';
  const path = resolve(workingDirectory, given);
  const real = await realpath(path).catch((error: unknown) => {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error;
    throw fail.notFound(`there is no file or folder ${path} to search`, { path });
  });
  if (roots === undefined) return given;
  for (const root of roots) {
    // A root that does not exist holds nothing.
    const realRoot = await realpath(resolve(workingDirectory, root)).catch(() => undefined);
    if (realRoot !== undefined && isInside(real, realRoot)) return given;
  }
  throw fail.permissionDenied(
    `${path} is outside the folders that may be searched: ${roots.join(', ')}`,
    {
      path,
      allowed_roots: [...roots],
    },
  );
}

function isInside(path: string, root: string): boolean {
  const way = relative(root, path);
  return way === '' || !(way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way));
}

/** A path as it is shown: without a leading "./". */
export function shownPath(path: string): string {
  return path.replace(/^\.[\\/]/, '');
}
