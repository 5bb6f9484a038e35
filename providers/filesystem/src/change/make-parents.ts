// Makes the directories above a new file, one by one below a directory that is held, so that none of them is made
// outside of the roots (F8).
import { lstat, mkdir, rmdir } from 'node:fs/promises';
import { basename } from 'node:path';
import { withDirectory } from '../path/open.js';
import { parentOf, type ResolvedPath } from '../path/resolve.js';
import { systemError } from '../path/system-error.js';

export interface MadeParents {
  readonly made: readonly string[];
  /** Removes those that are still empty, after a failure. */
  undo(): Promise<void>;
}

export async function makeParents(path: ResolvedPath): Promise<MadeParents> {
  const made: string[] = [];
  const undo = async () => {
    for (const directory of made.toReversed()) {
      try {
        await rmdir(directory);
      } catch {
        // Somebody has put something into it: then it stays.
        return;
      }
    }
  };
  try {
    for (const directory of await missingAbove(path.real)) {
      await withDirectory(parentOf(directory), path.given, (held) =>
        mkdir(held.at(basename(directory))),
      );
      made.push(directory);
    }
  } catch (error) {
    await undo();
    throw systemError(error, 'make the directory of', path.given);
  }
  return { made, undo };
}

/** From the outermost to the innermost. */
async function missingAbove(real: string): Promise<string[]> {
  const missing: string[] = [];
  for (let at = parentOf(real); at !== parentOf(at); at = parentOf(at)) {
    try {
      await lstat(at);
      break;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      missing.unshift(at);
    }
  }
  return missing;
}
