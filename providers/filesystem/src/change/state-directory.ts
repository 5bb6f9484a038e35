// Where the provider keeps what undo needs: below the state directory, readable by its owner alone.
import { mkdir } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { Config } from '../config.js';

/** Absolute path of a part of the state, made when it is missing. Raises what making it raises. */
export async function stateDirectory(config: Config, part: 'undo' | 'trash'): Promise<string> {
  const path = join(config.state_directory ?? defaultDirectory(), part);
  await mkdir(path, { recursive: true, mode: 0o700 });
  return path;
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
