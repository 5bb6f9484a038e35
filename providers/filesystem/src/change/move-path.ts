// Moves a file or a directory from one held directory to another one, also between file systems, without ever
// replacing what is at the target.
import { randomBytes } from 'node:crypto';
import { cp, link, lstat, rename, rm, unlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fail } from '@tenon/provider';
import { type HeldDirectory, withDirectory } from '../path/open.js';
import { parentOf } from '../path/resolve.js';
import { systemError } from '../path/system-error.js';

/**
 * Both are resolved paths; the directory of `to` exists. Raises `execution_failed` when something is at `to`
 * already.
 */
export async function movePath(from: string, to: string, given: string): Promise<void> {
  try {
    await withDirectory(parentOf(from), given, (source) =>
      withDirectory(parentOf(to), given, (target) =>
        moveHeld(source, basename(from), target, basename(to), given),
      ),
    );
  } catch (error) {
    throw systemError(error, 'move', given);
  }
}

async function moveHeld(
  source: HeldDirectory,
  name: string,
  target: HeldDirectory,
  targetName: string,
  given: string,
): Promise<void> {
  const from = source.at(name);
  const to = target.at(targetName);
  await mustBeFree(to, join(target.real, targetName));
  try {
    if ((await lstat(from)).isDirectory()) await rename(from, to);
    else await moveFile(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    await copyAcross(from, target, targetName, given);
  }
  await target.sync();
  await source.sync();
}

/** A link fails where a name has appeared meanwhile; a rename would replace it. */
async function moveFile(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'ENOSYS' && code !== 'EMLINK')
      throw error;
    await rename(from, to);
    return;
  }
  await unlink(from);
}

/** Copied under a name of its own first, so that the target is there as a whole or not at all. */
async function copyAcross(
  from: string,
  target: HeldDirectory,
  targetName: string,
  given: string,
): Promise<void> {
  const temporary = target.at(`.tenon-${randomBytes(8).toString('hex')}.tmp`);
  try {
    await cp(from, temporary, {
      recursive: true,
      errorOnExist: true,
      force: false,
      preserveTimestamps: true,
      verbatimSymlinks: true,
    });
    await mustBeFree(target.at(targetName), given);
    await rename(temporary, target.at(targetName));
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    throw error;
  }
  await rm(from, { recursive: true });
}

async function mustBeFree(path: string, shown: string): Promise<void> {
  try {
    await lstat(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  throw fail.executionFailed(`there is something at "${shown}" already; it was left as it is`, {
    path: shown,
  });
}
