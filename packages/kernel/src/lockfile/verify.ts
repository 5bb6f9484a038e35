// Checks a provider's files against the lock file, before any of them is executed (RPC-11).
import type { ProviderConfig } from '../config/model.js';
import { LockError } from './error.js';
import { areUnchanged, hashFiles } from './hash-files.js';
import { type LockFile, platform } from './model.js';

export interface VerifiedCommand {
  readonly command: string;
  readonly args: readonly string[];
}

/**
 * The command to execute, when every file of it has the hash that is locked. A dev override is not checked.
 * Rejects with LockError, which says what differs.
 *
 * Between this check and the start the files are looked at once more, so that a swap in between is noticed; what
 * remains is the moment between that look and the system's own opening of the file.
 */
export async function verifyLock(
  lock: LockFile,
  provider: ProviderConfig,
  program: string,
): Promise<VerifiedCommand> {
  const { launch, name } = provider;
  if (launch.type !== 'command') return { command: program, args: [] };
  const command = { command: program, args: launch.args };
  if (provider.dev) return command;
  const locked = lock.providers.find((one) => one.name === name);
  if (locked === undefined) {
    throw new LockError(
      `provider "${name}" is not in the lock file, so it is not started: run "tenon lock", or mark it with dev = true`,
    );
  }
  if (provider.version !== undefined && provider.version !== locked.version) {
    throw new LockError(
      `provider "${name}": the configuration asks for version ${provider.version}, and ${locked.version} is locked: run "tenon lock"`,
    );
  }
  const expected = locked.sha256[platform()];
  if (expected === undefined) {
    const known = Object.keys(locked.sha256).join(', ') || 'none';
    throw new LockError(
      `provider "${name}" is not locked for ${platform()} (locked: ${known}): run "tenon lock" on such a machine`,
    );
  }
  const files = await hashFiles({
    configured: launch.command,
    program,
    args: launch.args,
    cwd: launch.cwd,
  });
  const differences = [
    ...files.flatMap(({ role, path, sha256 }) => {
      const wanted = expected[role];
      if (wanted === sha256) return [];
      return wanted === undefined
        ? [`${path} (${role}) is not locked`]
        : [`${path} (${role}) has SHA-256 ${sha256}, and ${wanted} is locked`];
    }),
    ...Object.keys(expected)
      .filter((role) => !files.some((file) => file.role === role))
      .map((role) => `the file of ${role} is gone`),
  ];
  if (differences.length > 0) {
    throw new LockError(
      `provider "${name}" is not what was locked, so it is not started: ${differences.join('; ')}. ` +
        'If you changed it yourself, run "tenon lock"',
    );
  }
  if (!(await areUnchanged(files))) {
    throw new LockError(
      `the files of provider "${name}" changed while they were checked, so it is not started`,
    );
  }
  return command;
}
