// Where a command starts: resolved against the call's working directory, inside the allowed roots.
import { realpath, stat } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { fail } from '@tenon/provider';

/**
 * The real path of the folder. Throws `not_found` when it does not exist (any more), `invalid_arguments` when
 * it is no folder, `permission_denied` when it is outside the roots (CFG-03, RPC-06).
 */
export async function resolveDirectory(
  wanted: string | undefined,
  workingDirectory: string,
  roots: readonly string[] | undefined,
): Promise<string> {
  const path = resolve(workingDirectory, wanted ?? '.');
  const real = await realpath(path).catch((error: unknown) => {
    throw missing(path, error);
  });
  if (!(await stat(real)).isDirectory()) {
    throw fail.invalidArguments(`${path} is not a folder, so no command can start in it`, { path });
  }
  if (roots === undefined) return real;
  for (const root of roots) {
    // A root that does not exist holds nothing.
    const realRoot = await realpath(resolve(workingDirectory, root)).catch(() => undefined);
    if (realRoot !== undefined && isInside(real, realRoot)) return real;
  }
  throw fail.permissionDenied(
    `${path} is outside the folders in which commands may start: ${roots.join(', ')}`,
    { path, allowed_roots: [...roots] },
  );
}

function isInside(path: string, root: string): boolean {
  const way = relative(root, path);
  return way === '' || !(way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way));
}

function missing(path: string, error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code !== 'ENOENT' && code !== 'ENOTDIR') return error;
  return fail.notFound(
    `the folder ${path} does not exist (any more); name another one in cwd, or make it first`,
    { path },
    { cause: error },
  );
}
