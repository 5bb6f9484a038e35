// Puts new bytes where a file is, or is not yet: all of them or none (F10). The old content stays until the new one
// is on the disk, and whoever looks in between sees one of the two.
import { randomBytes } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { access, type FileHandle, link, lstat, open, rename, rm } from 'node:fs/promises';
import { fail } from '@tenon/provider';
import { type HeldDirectory, withParent } from '../path/open.js';
import type { ResolvedPath } from '../path/resolve.js';
import { systemError } from '../path/system-error.js';

/** New content that is on the disk beside its place, and not in it yet. */
export interface StagedFile {
  readonly path: ResolvedPath;
  /** Puts it in its place. Raises when what is there has changed since `before` was read. */
  commit(): Promise<void>;
  /** Removes it. */
  discard(): Promise<void>;
}

/** Writes `bytes` beside a file and leaves it to `use` what becomes of them. `before`: the file as it was read. */
export async function withStaged<T>(
  path: ResolvedPath,
  bytes: Uint8Array,
  before: Stats | undefined,
  use: (staged: StagedFile) => Promise<T>,
): Promise<T> {
  try {
    return await withParent(path, async (directory, name) => {
      if (before !== undefined) await mustBeWritable(path, directory.at(name), before);
      const temporary = directory.at(`.tenon-${randomBytes(8).toString('hex')}.tmp`);
      try {
        await writeNew(temporary, bytes, before);
        return await use({
          path,
          commit: () => commit(path, directory, name, temporary, before),
          discard: () => rm(temporary, { force: true }),
        });
      } finally {
        // After a commit there is nothing under this name any more.
        await rm(temporary, { force: true });
      }
    });
  } catch (error) {
    throw systemError(error, 'write', path.given);
  }
}

/** Replaces or makes one file. */
export function replaceFile(
  path: ResolvedPath,
  bytes: Uint8Array,
  before: Stats | undefined,
): Promise<void> {
  return withStaged(path, bytes, before, (staged) => staged.commit());
}

/** A rename would replace a file that may not be written, and root may write everything: both are refused here. */
async function mustBeWritable(path: ResolvedPath, at: string, stats: Stats): Promise<void> {
  const readOnly = process.platform !== 'win32' && (stats.mode & 0o222) === 0;
  try {
    if (!readOnly) await access(at, constants.W_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EACCES' && code !== 'EPERM') throw error;
    throw readOnlyError(path, stats, error);
  }
  if (readOnly) throw readOnlyError(path, stats, undefined);
}

function readOnlyError(path: ResolvedPath, stats: Stats, cause: unknown) {
  const mode = (stats.mode & 0o7777).toString(8).padStart(4, '0');
  return fail.permissionDenied(
    `"${path.given}" is read-only (mode ${mode}); it was not changed`,
    { path: path.given, mode },
    { cause },
  );
}

async function writeNew(
  temporary: string,
  bytes: Uint8Array,
  before: Stats | undefined,
): Promise<void> {
  // The content of a private file must not be public for a moment.
  const handle = await open(temporary, 'wx', before === undefined ? 0o666 : 0o600);
  try {
    await handle.writeFile(bytes);
    if (before !== undefined) await takeOver(handle, before);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function takeOver(handle: FileHandle, before: Stats): Promise<void> {
  const own = await handle.stat();
  if (own.uid !== before.uid || own.gid !== before.gid) {
    try {
      await handle.chown(before.uid, before.gid);
    } catch (error) {
      // Only root may give a file away; a member of the group who changes it becomes its owner.
      if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error;
    }
  }
  await handle.chmod(before.mode & 0o7777);
}

async function commit(
  path: ResolvedPath,
  directory: HeldDirectory,
  name: string,
  temporary: string,
  before: Stats | undefined,
): Promise<void> {
  const target = directory.at(name);
  const there = await statsOf(target);
  if (before === undefined ? there !== undefined : !isUnchanged(before, there)) {
    throw fail.executionFailed(
      `"${path.given}" was changed by somebody else while this call ran; it was left as it is. Read it again`,
      { path: path.given },
    );
  }
  if (before === undefined) await putNew(temporary, target);
  else await rename(temporary, target);
  await directory.sync();
}

/** A link fails where a name has appeared meanwhile; a rename would replace it. */
async function putNew(temporary: string, target: string): Promise<void> {
  try {
    await link(temporary, target);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // File systems without hard links.
    if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'ENOSYS' && code !== 'EMLINK')
      throw error;
    await rename(temporary, target);
  }
}

async function statsOf(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function isUnchanged(before: Stats, now: Stats | undefined): boolean {
  return (
    now !== undefined &&
    now.ino === before.ino &&
    now.dev === before.dev &&
    now.size === before.size &&
    now.mtimeMs === before.mtimeMs
  );
}
