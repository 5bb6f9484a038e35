// Makes planned changes, all of them or none: everything is written beside its place first, then put in place, and
// what was put in place is taken back when one of them cannot be.
import { lstat, rm } from 'node:fs/promises';
import { fail, isToolError } from '@tenon/provider';
import { withParent } from '../path/open.js';
import type { ChangeContext, PlannedChange } from './planned.js';
import { hashOf } from './read-whole.js';
import { replaceFile, type StagedFile, withStaged } from './replace-file.js';
import { seenFiles } from './seen.js';
import { keepContent, recordChange } from './undo-store.js';

export interface MadeChange {
  readonly hash: string;
  /** Whether `undo` can take it back. */
  readonly undoable: boolean;
}

/** One result per change, in their order. The caller holds the locks of the files. */
export async function makeChanges(
  changes: readonly PlannedChange[],
  operation: string,
  context: ChangeContext,
): Promise<MadeChange[]> {
  const kept = await Promise.all(
    changes.map(async ({ path, before }) =>
      before === undefined ? undefined : keepContent(context.config, path.real, before.bytes),
    ),
  );
  try {
    await stageAll(changes, [], async (staged) => {
      context.signal.throwIfAborted();
      await commitAll(staged, changes);
    });
  } catch (error) {
    await Promise.all(kept.map(async (one) => one?.discard()));
    throw error;
  }
  const made: MadeChange[] = [];
  for (const [index, { path, before, bytes }] of changes.entries()) {
    const hash = hashOf(bytes);
    seenFiles.remember(context.call.context.sessionId, path.real, hash);
    const blob = kept[index]?.blob;
    const change =
      before === undefined
        ? ({ type: 'created', afterHash: hash } as const)
        : blob === undefined
          ? undefined
          : ({ type: 'content', blob, mode: before.stats.mode, afterHash: hash } as const);
    const undoable =
      change !== undefined && (await recordChange(context.config, path.real, operation, change));
    made.push({ hash, undoable });
  }
  return made;
}

function stageAll(
  changes: readonly PlannedChange[],
  staged: readonly StagedFile[],
  use: (staged: readonly StagedFile[]) => Promise<void>,
): Promise<void> {
  const [next, ...rest] = changes;
  if (next === undefined) return use(staged);
  return withStaged(next.path, next.bytes, next.before?.stats, (one) =>
    stageAll(rest, [...staged, one], use),
  );
}

async function commitAll(
  staged: readonly StagedFile[],
  changes: readonly PlannedChange[],
): Promise<void> {
  for (const [index, one] of staged.entries()) {
    try {
      await one.commit();
    } catch (error) {
      const left = await takeBack(changes.slice(0, index));
      if (left.length === 0) throw error;
      const why = isToolError(error) ? error.message : String(error);
      throw fail.executionFailed(
        `${why}. These files had been changed by then and could not be put back: ${left.join(', ')}`,
        { changed: left },
        { cause: error },
      );
    }
  }
}

/** The paths that could not be put back. */
async function takeBack(changes: readonly PlannedChange[]): Promise<string[]> {
  const left: string[] = [];
  for (const { path, before } of changes) {
    try {
      if (before === undefined) await withParent(path, (held, name) => rm(held.at(name)));
      else await replaceFile(path, before.bytes, await lstat(path.real));
    } catch {
      // Reported by its name: the error that started this is the one to be told.
      left.push(path.given);
    }
  }
  return left;
}
