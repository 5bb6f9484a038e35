// undo: takes back the last change that this provider made to a path.
import { lstat, rm } from 'node:fs/promises';
import { fail, pathKey, resource } from '@tenon/provider';
import * as z from 'zod';
import { makeParents } from '../change/make-parents.js';
import { movePath } from '../change/move-path.js';
import { type ChangeContext, changeContext, shownText } from '../change/planned.js';
import { hashOf, readWhole } from '../change/read-whole.js';
import { replaceFile } from '../change/replace-file.js';
import { seenFiles } from '../change/seen.js';
import { isInState } from '../change/state-directory.js';
import { forgetChange, keptContent, readRecord, type UndoRecord } from '../change/undo-store.js';
import { config } from '../config.js';
import { fileLocks } from '../path/locks.js';
import type { ResolvedPath } from '../path/resolve.js';
import { resolveName } from '../path/resolve-name.js';
import { resolveInside } from '../path/access.js';
import { changeNode } from '../preview/diff.js';
import { withParent } from '../path/open.js';

export const undo = resource({
  config,
  description:
    'Takes back the last change that was made to a path by write_file, edit_file, multi_edit, move or delete. Refused when the file has been changed since by somebody else. Each change is taken back once; there is no undo of an undo.',
  risk: 'moderate',
  input: z.object({
    path: z.string().describe('The path that was changed, moved (old or new path) or deleted'),
  }),
  output: z.object({
    path: z.string().describe('Absolute'),
    undone: z.string().describe('The operation that was taken back'),
    time: z.string().describe('When it had been made, ISO 8601'),
  }),
  concurrency: { safe: true, keyFields: ['path'] },
  keys: [pathKey('path', 'files')],
  timeout: 60_000,
  async preview({ args, call, config: settings, signal }) {
    const context = await changeContext({ call, config: settings, signal });
    const found = await find(args.path, context);
    const { change, operation, time } = found.record;
    const title = `Take back ${operation} of ${found.path.real} (${time})`;
    switch (change.type) {
      case 'content': {
        const now = await unchanged(found, change.afterHash, context);
        const before = await contentBefore(found, change.blob, context);
        return { root: await changeNode(title, shownText(now), shownText(before)) };
      }
      case 'created': {
        const now = await unchanged(found, change.afterHash, context);
        return { root: await changeNode(`${title}: it is removed`, shownText(now), '') };
      }
      case 'moved':
        return {
          root: { type: 'text', content: `${title}: ${change.to}\n  back to ${change.from}` },
        };
      case 'deleted':
        return { root: { type: 'text', content: `${title}: it is brought back` } };
    }
  },
  async handler({ args, call, config: settings, signal }) {
    const context = await changeContext({ call, config: settings, signal });
    const { record: first, path } = await find(args.path, context);
    const paths =
      first.change.type === 'moved' ? [first.change.from, first.change.to] : [path.real];
    return fileLocks(paths, async () => {
      const found = await find(args.path, context);
      signal.throwIfAborted();
      await takeBack(found, context);
      return { path: found.path.real, undone: found.record.operation, time: found.record.time };
    });
  },
});

interface Found {
  readonly path: ResolvedPath;
  readonly record: UndoRecord;
}

async function find(
  given: string,
  { call, config: settings, roots }: ChangeContext,
): Promise<Found> {
  // A link that was moved or deleted has a record of its own; else it is about what it leads to.
  const name = await resolveName(given, call.context, roots);
  const own = await readRecord(settings, name.real);
  if (own !== undefined) return { path: name, record: own };
  const target = await resolveInside(given, call.context, roots);
  const record = target.real === name.real ? undefined : await readRecord(settings, target.real);
  if (record !== undefined) return { path: target, record };
  throw fail.notFound(`no change of "${given}" is known that could be taken back`, { path: given });
}

/** The content, when it is still the one that the change left. */
async function unchanged({ path, record }: Found, afterHash: string, context: ChangeContext) {
  if (!path.exists) throw changedSince(path, record, 'is not there any more');
  const now = await readWhole(path, Number.MAX_SAFE_INTEGER, context.signal);
  if (now.hash !== afterHash) throw changedSince(path, record, 'has been changed since');
  return now.bytes;
}

async function contentBefore(
  { path, record }: Found,
  blob: string,
  context: ChangeContext,
): Promise<Buffer> {
  const bytes = await keptContent(context.config, blob);
  if (bytes !== undefined) return bytes;
  throw fail.notFound(
    `the content of "${path.given}" before the ${record.operation} of ${record.time} is not kept any more`,
    { path: path.given },
  );
}

function changedSince(path: ResolvedPath, record: UndoRecord, what: string) {
  return fail.executionFailed(
    `"${path.given}" ${what}; the ${record.operation} of ${record.time} cannot be taken back`,
    { path: path.given, operation: record.operation },
  );
}

async function takeBack(found: Found, context: ChangeContext): Promise<void> {
  const { path, record } = found;
  const { change } = record;
  const { config: settings } = context;
  switch (change.type) {
    case 'content': {
      await unchanged(found, change.afterHash, context);
      const bytes = await contentBefore(found, change.blob, context);
      await replaceFile(path, bytes, await lstat(path.real));
      seenFiles.remember(context.call.context.sessionId, path.real, hashOf(bytes));
      break;
    }
    case 'created':
      await unchanged(found, change.afterHash, context);
      await withParent(path, (held, name) => rm(held.at(name)));
      break;
    case 'moved':
      await moveBack(change.to, change.from, found, context);
      await forgetOther(record, settings);
      break;
    case 'deleted':
      await moveBack(change.trashed, path.real, found, context);
      break;
  }
  await forgetChange(settings, record);
}

async function moveBack(
  from: string,
  to: string,
  { path }: Found,
  { call, roots, config: settings }: ChangeContext,
): Promise<void> {
  // A record is a file like any other: what it names is checked as if it had been asked for.
  const target = await resolveName(to, call.context, roots);
  if (!isInState(settings, 'trash', from)) await resolveName(from, call.context, roots);
  const parents = await makeParents(target);
  try {
    await movePath(from, target.real, path.given);
  } catch (error) {
    await parents.undo();
    throw error;
  }
}

async function forgetOther(record: UndoRecord, settings: ChangeContext['config']): Promise<void> {
  if (record.change.type !== 'moved') return;
  const other = record.path === record.change.to ? record.change.from : record.change.to;
  const found = await readRecord(settings, other);
  if (found?.change.type !== 'moved') return;
  const same = found.change.from === record.change.from && found.change.to === record.change.to;
  if (same) await forgetChange(settings, found);
}
