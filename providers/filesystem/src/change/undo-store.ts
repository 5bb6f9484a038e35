// The last change of each file, and what it takes to take it back. One record per path, outside of the working tree;
// it survives the end of the provider.
import { createHash, randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config.js';
import { isInState, stateDirectory, statePath } from './state-directory.js';

export type UndoChange =
  /** The content was replaced; `blob` is the file that holds the one before. */
  | {
      readonly type: 'content';
      readonly blob: string;
      readonly mode: number;
      readonly afterHash: string;
    }
  /** The file was made; taking it back removes it. */
  | { readonly type: 'created'; readonly afterHash: string }
  /** Moved here from another place. */
  | { readonly type: 'moved'; readonly from: string; readonly to: string }
  /** Taken to the trash. */
  | { readonly type: 'deleted'; readonly trashed: string };

export interface UndoRecord {
  readonly version: 1;
  readonly path: string;
  readonly operation: string;
  /** ISO 8601. */
  readonly time: string;
  readonly change: UndoChange;
}

/** Something kept for a change that is not made yet. */
export interface KeptContent {
  readonly blob: string;
  /** The change was not made. */
  discard(): Promise<void>;
}

/** Keeps the content before a change; undefined when it is too large, or the state cannot be written. */
export async function keepContent(
  config: Config,
  real: string,
  bytes: Buffer,
): Promise<KeptContent | undefined> {
  if (bytes.length > config.max_undo_bytes) return undefined;
  let path: string | undefined;
  try {
    const directory = await stateDirectory(config, 'undo');
    path = join(directory, `${keyOf(real)}.${randomBytes(6).toString('hex')}.blob`);
    const blob = path;
    await writeFile(blob, bytes, { flag: 'wx', mode: 0o600 });
    return { blob, discard: () => rm(blob, { force: true }) };
  } catch {
    // A change is not refused because it could not be undone; the result says that it cannot.
    if (path !== undefined) await rm(path, { force: true }).catch(() => undefined);
    return undefined;
  }
}

/** Makes a change the last one of its path. False when the state cannot be written. */
export async function recordChange(
  config: Config,
  real: string,
  operation: string,
  change: UndoChange,
): Promise<boolean> {
  try {
    const directory = await stateDirectory(config, 'undo');
    const before = await readRecord(config, real);
    const record: UndoRecord = {
      version: 1,
      path: real,
      operation,
      time: new Date().toISOString(),
      change,
    };
    const file = join(directory, `${keyOf(real)}.json`);
    const temporary = `${file}.${randomBytes(6).toString('hex')}`;
    await writeFile(temporary, JSON.stringify(record), { flag: 'wx', mode: 0o600 });
    await rename(temporary, file);
    if (before !== undefined) await removeBlob(config, before);
    return true;
  } catch {
    // The change is made; without a record it cannot be undone, and the result says so.
    return false;
  }
}

/** The last change of a path; undefined when none is known. */
export async function readRecord(config: Config, real: string): Promise<UndoRecord | undefined> {
  let text: string;
  try {
    text = await readFile(join(statePath(config, 'undo'), `${keyOf(real)}.json`), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  const record = JSON.parse(text) as UndoRecord;
  return record.version === 1 && record.path === real ? record : undefined;
}

/** The content that was kept before a change. Undefined when it is not there any more, or is not the store's own. */
export async function keptContent(config: Config, blob: string): Promise<Buffer | undefined> {
  if (!isInState(config, 'undo', blob)) return undefined;
  try {
    return await readFile(blob, { flag: constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ELOOP') return undefined;
    throw error;
  }
}

/** Forgets the last change of a path, after it was taken back. */
export async function forgetChange(config: Config, record: UndoRecord): Promise<void> {
  await rm(join(statePath(config, 'undo'), `${keyOf(record.path)}.json`), { force: true });
  await removeBlob(config, record);
}

async function removeBlob(config: Config, { change }: UndoRecord): Promise<void> {
  if (change.type !== 'content' || !isInState(config, 'undo', change.blob)) return;
  await rm(change.blob, { force: true });
}

function keyOf(real: string): string {
  return createHash('sha256').update(real).digest('hex');
}
