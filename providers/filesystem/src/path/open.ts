// Opens what was checked, and nothing else: between the check and the opening a directory may have been replaced by
// a symbolic link. The last part is never followed, and what was opened is looked at once more by its descriptor.
import { constants, existsSync } from 'node:fs';
import { type FileHandle, lstat, open, readlink, realpath, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { fail } from '@tenon/provider';
import { parentOf, type ResolvedPath } from './resolve.js';

// Windows has neither; there the second look is the whole protection.
const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;
const NO_BLOCK = constants.O_NONBLOCK ?? 0;
const DIRECTORY = constants.O_DIRECTORY ?? 0;

/** Where the system shows open files, if it does. */
const DESCRIPTORS = existsSync('/proc/self/fd') ? '/proc/self/fd' : undefined;

/**
 * Opens a regular file for reading. Raises `execution_failed` for a directory, a pipe, a device or a socket, without
 * opening devices and without waiting for a writer of a pipe (F9).
 */
export async function openFile(path: ResolvedPath): Promise<FileHandle> {
  refuseOther(path, await lstat(path.real));
  const handle = await open(path.real, constants.O_RDONLY | NO_FOLLOW | NO_BLOCK);
  try {
    refuseOther(path, await handle.stat());
    await mustBeSame(handle, path.real, path.given);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

interface Kind {
  isFile(): boolean;
  isDirectory(): boolean;
  isFIFO(): boolean;
  isSocket(): boolean;
  isCharacterDevice(): boolean;
  isSymbolicLink(): boolean;
}

/** A word for what a path names. */
export function kindOf(
  stats: Kind,
): 'file' | 'directory' | 'symlink' | 'pipe' | 'socket' | 'device' {
  if (stats.isFile()) return 'file';
  if (stats.isDirectory()) return 'directory';
  if (stats.isSymbolicLink()) return 'symlink';
  if (stats.isFIFO()) return 'pipe';
  return stats.isSocket() ? 'socket' : 'device';
}

function refuseOther(path: ResolvedPath, stats: Kind): void {
  const kind = kindOf(stats);
  if (kind === 'file') return;
  const advice = kind === 'directory' ? '; use list_directory' : '; only regular files are read';
  throw fail.executionFailed(`"${path.given}" is a ${kind}${advice}`, {
    path: path.given,
    resolved: path.real,
    type: kind,
  });
}

async function mustBeSame(handle: FileHandle, real: string, given: string): Promise<void> {
  if (await isSame(handle, real)) return;
  throw fail.permissionDenied(
    `"${given}" was replaced while it was being opened; try again if that was meant`,
    { path: given, resolved: real },
  );
}

async function isSame(handle: FileHandle, real: string): Promise<boolean> {
  if (DESCRIPTORS !== undefined) return (await readlink(`${DESCRIPTORS}/${handle.fd}`)) === real;
  if ((await realpath(real)) !== real) return false;
  const [opened, named] = await Promise.all([handle.stat(), lstat(real)]);
  return opened.ino === named.ino && opened.dev === named.dev;
}

/** A directory that stays the same however its path changes: names in it are reached through its descriptor. */
export interface HeldDirectory {
  readonly real: string;
  /** The path of a name in it. */
  at(name: string): string;
  /** Makes its entries durable; where a system cannot, nothing happens. */
  sync(): Promise<void>;
}

/** Runs `work` with the directory above a path held. */
export async function withParent<T>(
  path: ResolvedPath,
  work: (directory: HeldDirectory, name: string) => Promise<T>,
): Promise<T> {
  return withDirectory(parentOf(path.real), path.given, (held) => work(held, basename(path.real)));
}

/** Runs `work` with a directory held. Raises what opening it raises. */
export async function withDirectory<T>(
  real: string,
  given: string,
  work: (directory: HeldDirectory) => Promise<T>,
): Promise<T> {
  if (DESCRIPTORS === undefined) {
    // Without descriptors in the file system a name is all there is: looked at right before.
    const [resolved, stats] = await Promise.all([realpath(real), stat(real)]);
    if (resolved !== real || !stats.isDirectory()) {
      throw fail.permissionDenied(`"${given}" was replaced while it was being opened`);
    }
    return work({ real, at: (name) => `${real}/${name}`, sync: async () => {} });
  }
  const handle = await open(real, constants.O_RDONLY | DIRECTORY | NO_FOLLOW);
  try {
    await mustBeSame(handle, real, given);
    return await work({
      real,
      at: (name) => `${DESCRIPTORS}/${handle.fd}/${name}`,
      sync: () => handle.sync(),
    });
  } finally {
    await handle.close();
  }
}
