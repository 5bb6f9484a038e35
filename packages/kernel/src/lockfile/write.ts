// Makes and writes a lock file: for each provider what it is made of now. Hashes of other platforms stay, so
// that machines of several kinds can share the file.
import { randomBytes } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { ProviderIdentity } from '@tenon/protocol';
import type { ProviderConfig } from '../config/model.js';
import { quoted } from '../config/hcl/quote.js';
import { commandPath } from '../catalog/command.js';
import { LockError } from './error.js';
import { hashesOf, hashFiles } from './hash-files.js';
import { type LockedProvider, type LockFile, LOCK_FILE_VERSION, platform } from './model.js';

export interface LockInput {
  readonly config: ProviderConfig;
  /** From Describe: the exact version that is locked. */
  readonly identity: ProviderIdentity;
}

/** The lock file for these providers; dev overrides and in-process ones have no entry. */
export async function makeLockFile(
  providers: readonly LockInput[],
  before: LockFile | undefined,
  now: () => Date = () => new Date(),
): Promise<LockFile> {
  const locked: LockedProvider[] = [];
  for (const { config, identity } of providers) {
    const { launch } = config;
    if (config.dev || launch.type !== 'command') continue;
    if (config.version !== undefined && config.version !== identity.version) {
      throw new LockError(
        `provider "${config.name}" is version ${identity.version}, and the configuration asks for ${config.version}`,
      );
    }
    const program = await commandPath(launch);
    const files = await hashFiles({
      configured: launch.command,
      program,
      args: launch.args,
      cwd: launch.cwd,
    });
    const sha256 = { [platform()]: hashesOf(files) };
    const old = before?.providers.find((one) => one.name === config.name);
    const isSame = old?.version === identity.version && old.source === identity.source;
    const unchanged =
      isSame && JSON.stringify(old.sha256[platform()]) === JSON.stringify(sha256[platform()]);
    locked.push({
      name: config.name,
      source: identity.source,
      version: identity.version,
      resolvedAt: unchanged ? old.resolvedAt : now().toISOString(),
      // Another version's files say nothing of this one.
      sha256: isSame ? { ...old.sha256, ...sha256 } : sha256,
    });
  }
  return { providers: locked };
}

/** Replaces the file whole. Rejects with LockError. */
export async function writeLockFile(path: string, lock: LockFile): Promise<void> {
  const fresh = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(fresh, lockFileText(lock), { flag: 'wx' });
    await rename(fresh, path);
  } catch (error) {
    await rm(fresh, { force: true });
    const why = error instanceof Error ? error.message : String(error);
    throw new LockError(`the lock file ${path} cannot be written: ${why}`, { cause: error });
  }
}

/** The text of a lock file. */
export function lockFileText(lock: LockFile): string {
  const blocks = lock.providers.map(({ name, source, version, resolvedAt, sha256 }) => {
    const platforms = Object.entries(sha256)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([os, hashes]) => [
        `    ${os} = {`,
        ...Object.entries(hashes).map(([role, hash]) => `      "${role}" = "${hash}"`),
        '    }',
      ]);
    return [
      `provider ${quoted(name)} {`,
      `  source      = ${quoted(source)}`,
      `  version     = ${quoted(version)}`,
      `  resolved_at = ${quoted(resolvedAt)}`,
      '  sha256 {',
      ...platforms,
      '  }',
      '}',
    ].join('\n');
  });
  const header = `# Written by "tenon lock"; commit it. A provider whose files differ is not started.\nlock_file_version = ${LOCK_FILE_VERSION}`;
  return `${[header, ...blocks].join('\n\n')}\n`;
}
