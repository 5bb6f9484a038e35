// Where the provider keeps what undo needs: below the state directory, readable by its owner alone.
import { mkdir } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import type { Config } from '../config.js';

export type StatePart = 'undo' | 'trash';

/** Absolute path of a part of the state, which may not be there. */
export function statePath(config: Config, part: StatePart): string {
  return join(resolve(config.state_directory ?? defaultDirectory()), part);
}

/**
 * Whether a path names something that the provider itself has put into a part of the state. Records are files like
 * any other: where the state lies inside of a root, what they name must not lead anywhere else.
 */
export function isInState(config: Config, part: StatePart, path: string): boolean {
  return resolve(path) === path && dirname(path) === statePath(config, part);
}

/** The path of a part of the state, made when it is missing. Raises what making it raises. */
export async function stateDirectory(config: Config, part: StatePart): Promise<string> {
  const path = statePath(config, part);
  await makeAll(path);
  return path;
}

/** Not Node's own `recursive`: in a file system that takes no directories, such as /proc, it never ends. */
async function makeAll(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return;
    if (code !== 'ENOENT' || dirname(path) === path) throw error;
    await makeAll(dirname(path));
    await makeOne(path);
  }
}

async function makeOne(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    // Another provider process was faster.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

function defaultDirectory(): string {
  const state = process.env['XDG_STATE_HOME'];
  if (state !== undefined && isAbsolute(state)) return join(state, 'tenon', 'filesystem');
  const home = process.env['HOME'] ?? safeHome();
  if (home !== undefined && isAbsolute(home))
    return join(home, '.local', 'state', 'tenon', 'filesystem');
  return join(tmpdir(), `tenon-filesystem-${process.getuid?.() ?? 'user'}`);
}

function safeHome(): string | undefined {
  try {
    return homedir();
  } catch {
    // A user without an entry in the system's list of users has none.
    return undefined;
  }
}
