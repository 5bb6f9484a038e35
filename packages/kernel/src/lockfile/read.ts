// Reads a lock file. Its version comes before anything else: a newer file may be written in a way that this
// version cannot even parse.
import { lstat, readFile } from 'node:fs/promises';
import { ConfigError, type ConfigProblem } from '../config/error.js';
import { readDocument } from '../config/read-document.js';
import { readTable } from '../config/reader.js';
import type { ConfigTable } from '../config/value.js';
import { LockError } from './error.js';
import { type FileHashes, LOCK_FILE_VERSION, type LockedProvider, type LockFile } from './model.js';

/**
 * The lock file; undefined where there is none. One that is there and cannot be read (a link to nothing, no
 * permission) is an error: nothing runs unchecked because of it. Rejects with LockError or ConfigError.
 */
export async function readLockFile(path: string): Promise<LockFile | undefined> {
  let text: string;
  try {
    if (!(await isThere(path))) return undefined;
    text = await readFile(path, 'utf8');
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new LockError(`the lock file ${path} cannot be read: ${why}`, { cause: error });
  }
  checkVersion(text, path);
  const problems: ConfigProblem[] = [];
  const document = await readDocument(text, path, {});
  const reader = readTable(document, 'the lock file', problems);
  reader.number('lock_file_version');
  const providers = [...(reader.block('provider')?.entries ?? [])].flatMap(([name, entry]) => {
    if (entry.value.type === 'table') return [readProvider(name, entry.value, problems)];
    problems.push({ message: `provider "${name}" must be a block`, location: entry.location });
    return [];
  });
  reader.finish();
  if (problems.length > 0) throw new ConfigError(problems);
  return { providers };
}

async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

function checkVersion(text: string, path: string): void {
  const found = /^\s*lock_file_version\s*=\s*(\S+)/m.exec(text)?.[1];
  const again = `remove it and run "tenon lock"`;
  if (found === undefined) {
    throw new LockError(`the lock file ${path} has no lock_file_version; ${again}`);
  }
  const version = Number(found);
  if (!Number.isInteger(version) || version < 1) {
    throw new LockError(`the lock file ${path} has the version ${found}, which is none; ${again}`);
  }
  if (version > LOCK_FILE_VERSION) {
    throw new LockError(
      `the lock file ${path} has version ${version}, and this program reads up to ${LOCK_FILE_VERSION}: update it`,
    );
  }
}

function readProvider(name: string, table: ConfigTable, problems: ConfigProblem[]): LockedProvider {
  const reader = readTable(table, `provider "${name}"`, problems);
  const text = (key: string): string => {
    if (!table.entries.has(key)) reader.problem(`${key} is missing`);
    return reader.string(key) ?? '';
  };
  const provider = {
    name,
    source: text('source'),
    version: text('version'),
    resolvedAt: text('resolved_at'),
    sha256: readHashes(reader.block('sha256'), name, problems),
  };
  reader.finish();
  return provider;
}

function readHashes(
  table: ConfigTable | undefined,
  name: string,
  problems: ConfigProblem[],
): Record<string, FileHashes> {
  if (table === undefined) return {};
  const reader = readTable(table, `provider "${name}": sha256`, problems);
  const found = [...table.entries.keys()].map((os) => [os, reader.stringMap(os) ?? {}] as const);
  for (const [os, hashes] of found) {
    for (const [role, hash] of Object.entries(hashes)) {
      if (/^[0-9a-f]{64}$/.test(hash)) continue;
      reader.problem(`${os}: the hash of ${role} is not 64 hexadecimal digits`, os);
    }
  }
  return Object.fromEntries(found);
}
