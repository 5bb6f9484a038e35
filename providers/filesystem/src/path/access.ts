// Whether a path may be touched: it must lie below one of the roots once everything is resolved (CFG-03).
import { realpath } from 'node:fs/promises';
import { isAbsolute, resolve } from 'node:path';
import { type CallContext, fail } from '@tenon/provider';
import type { Config } from '../config.js';
import { isBelow, type ResolvedPath, resolvePath } from './resolve.js';

export type Purpose = 'read' | 'change';

/** The roots of one call, resolved. */
export interface Roots {
  readonly purpose: Purpose;
  readonly real: readonly string[];
  contains(real: string): boolean;
}

/** Resolves the roots for a purpose. A root that does not exist contains nothing. */
export async function rootsFor(
  purpose: Purpose,
  config: Config,
  context: CallContext,
): Promise<Roots> {
  const named =
    purpose === 'change'
      ? config.allowed_roots
      : [...config.allowed_roots, ...config.read_only_roots];
  const found = await Promise.all(named.map((root) => realRoot(root, context.workingDirectory)));
  const real = [...new Set(found.filter((root) => root !== undefined))];
  return {
    purpose,
    real,
    contains: (path) => real.some((root) => path === root || isBelow(path, root)),
  };
}

async function realRoot(root: string, workingDirectory: string): Promise<string | undefined> {
  if (!isAbsolute(root) && !isAbsolute(workingDirectory)) return undefined;
  try {
    return await realpath(resolve(workingDirectory, root));
  } catch {
    // Not there, or not to be reached: then nothing is below it either.
    return undefined;
  }
}

/**
 * Resolves a path argument and checks it. Raises `permission_denied` for one outside of the roots, without telling
 * whether it exists. The roots may still be on their way: rootsFor never rejects.
 */
export async function resolveInside(
  given: string,
  context: CallContext,
  allowed: Roots | Promise<Roots>,
): Promise<ResolvedPath> {
  const path = await resolvePath(given, context.workingDirectory);
  const roots = await allowed;
  if (!roots.contains(path.real)) throw outsideError(path, roots);
  if (path.problem !== undefined) throw problemOf(path, path.problem);
  return path;
}

/** The error for a path that is outside of the roots. */
export function outsideError(path: ResolvedPath, roots: Roots) {
  const leads = path.given === path.real ? '' : ` leads to ${path.real}, which`;
  const verb = roots.purpose === 'change' ? 'changed' : 'read';
  const list = roots.real.length === 0 ? 'none of them exists' : roots.real.join(', ');
  return fail.permissionDenied(
    `"${path.given}"${leads} is outside of the directories whose files may be ${verb} (${list})`,
    { path: path.given, resolved: path.real, allowed_roots: [...roots.real] },
  );
}

function problemOf(path: ResolvedPath, problem: NodeJS.ErrnoException) {
  const details = { path: path.given, resolved: path.real, code: problem.code ?? '' };
  const options = { cause: problem };
  switch (problem.code) {
    case 'ENOTDIR':
      return fail.notFound(
        `"${path.given}" goes through something that is a file, not a directory`,
        details,
        options,
      );
    case 'EACCES':
    case 'EPERM':
      return fail.permissionDenied(
        `the system does not let this provider look at "${path.given}"`,
        details,
        options,
      );
    default:
      return fail.executionFailed(`"${path.given}": ${problem.message}`, details, options);
  }
}

/** Raises `not_found` for a path that names nothing. */
export function mustExist(path: ResolvedPath): void {
  if (path.exists) return;
  const where = path.given === path.real ? '' : ` (${path.real})`;
  throw fail.notFound(`"${path.given}"${where} does not exist`, {
    path: path.given,
    resolved: path.real,
  });
}
