// A change of one file that is worked out and not made: what a preview shows, and what is then written.
import type { CallInfo } from '@tenon/provider';
import { fail } from '@tenon/provider';
import type { Config } from '../config.js';
import { type Roots, resolveInside, rootsFor } from '../path/access.js';
import { kindOf } from '../path/open.js';
import type { ResolvedPath } from '../path/resolve.js';
import { lstat } from 'node:fs/promises';
import { decodeFile, type DecodedText } from '../text/encoding.js';
import { readWhole, type WholeFile } from './read-whole.js';
import { seenFiles } from './seen.js';

export interface PlannedChange {
  readonly path: ResolvedPath;
  /** Undefined when the file is made by the change. */
  readonly before: WholeFile | undefined;
  readonly bytes: Buffer;
}

/** What every change of a call needs. */
export interface ChangeContext {
  readonly call: CallInfo;
  readonly config: Config;
  readonly roots: Roots;
  readonly signal: AbortSignal;
}

export async function changeContext(context: {
  readonly call: CallInfo;
  readonly config: Config;
  readonly signal: AbortSignal;
}): Promise<ChangeContext> {
  const { call, config, signal } = context;
  return { call, config, signal, roots: await rootsFor('change', config, call.context) };
}

/** Reads what a change starts from; undefined when there is nothing. Raises for what is no regular file. */
export async function readBefore(
  path: ResolvedPath,
  { config, signal }: ChangeContext,
): Promise<WholeFile | undefined> {
  return path.exists ? readWhole(path, config.max_edit_bytes, signal) : undefined;
}

/** F7: raises when the file is not the one that the caller has read. */
export function checkExpected(
  path: ResolvedPath,
  before: WholeFile | undefined,
  expected: string | undefined,
): void {
  if (expected === undefined || before?.hash === expected.toLowerCase()) return;
  const what = before === undefined ? 'does not exist any more' : 'has changed since it was read';
  throw fail.executionFailed(
    `"${path.given}" ${what}; it was left as it is. Read it again, then decide on the change anew`,
    {
      path: path.given,
      expected_hash: expected,
      ...(before === undefined ? {} : { hash: before.hash }),
    },
  );
}

/** F7: whether this session has read another content than the one that is there now. */
export function changedSinceRead(
  path: ResolvedPath,
  before: WholeFile | undefined,
  { call }: ChangeContext,
): boolean {
  const seen = seenFiles.lastSeen(call.context.sessionId, path.real);
  return seen !== undefined && seen !== before?.hash;
}

/** The text of a file for a preview; what is no text is described. */
export function shownText(bytes: Buffer): string {
  return decodeFile(bytes)?.text ?? `(binary, ${bytes.length} bytes)\n`;
}

/** The text of a file that is edited. Raises for a binary one. */
export function editableText(path: ResolvedPath, before: WholeFile): DecodedText {
  const decoded = decodeFile(before.bytes);
  if (decoded !== undefined) return decoded;
  throw fail.executionFailed(`"${path.given}" is a binary file; it cannot be edited as text`, {
    path: path.given,
  });
}

/** Resolves a path that is to be changed. Raises `execution_failed` for the root itself and for a directory. */
export async function resolveForChange(
  given: string,
  { call, roots }: ChangeContext,
): Promise<ResolvedPath> {
  const path = await resolveInside(given, call.context, roots);
  if (!path.exists) return path;
  const kind = kindOf(await lstat(path.real));
  if (kind === 'file') return path;
  throw fail.executionFailed(`"${given}" is a ${kind}, not a file`, { path: given, type: kind });
}
