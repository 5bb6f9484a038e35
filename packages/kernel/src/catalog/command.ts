// The command of a provider as it will be executed: its absolute path, and an environment that holds nothing but
// what was allowed (RPC-10).
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import { allowedEnv, DEFAULT_ENV_NAMES } from '@tenon/go-plugin';
import type { ProviderLaunch } from '../config/model.js';

/** What every provider gets of the kernel's own environment. Windows programs need more than this to run. */
const ALWAYS_ALLOWED =
  process.platform === 'win32' ? DEFAULT_ENV_NAMES : ['PATH', 'HOME', 'TMPDIR', 'LANG'];

type CommandLaunch = Extract<ProviderLaunch, { type: 'command' }>;

/** The whole environment of the child, beside the variables of the handshake. */
export function providerEnv(launch: CommandLaunch): Record<string, string> {
  return { ...allowedEnv([...ALWAYS_ALLOWED, ...launch.envAllow]), ...launch.env };
}

/**
 * The absolute path of a command: looked up on PATH when it is a bare name. What is not found is returned as it
 * is, so that the start fails with the system's own words.
 */
export async function commandPath(launch: CommandLaunch): Promise<string> {
  const { command } = launch;
  if (isAbsolute(command)) return command;
  if (command.includes('/') || command.includes('\\')) {
    return resolve(launch.cwd ?? process.cwd(), command);
  }
  const extensions = process.platform === 'win32' ? ['', '.exe', '.cmd', '.bat'] : [''];
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    if (folder === '') continue;
    for (const extension of extensions) {
      const candidate = join(folder, command + extension);
      try {
        await access(candidate, constants.X_OK);
        return candidate;
      } catch {
        // Not there, or not executable: the next one is tried.
      }
    }
  }
  return command;
}
