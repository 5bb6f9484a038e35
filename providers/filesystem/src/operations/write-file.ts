// write_file: makes a file or replaces its whole content, in one step.
import { fail, pathKey, resource } from '@tenon/provider';
import * as z from 'zod';
import { makeChanges } from '../change/make-changes.js';
import { makeParents } from '../change/make-parents.js';
import {
  type ChangeContext,
  changeContext,
  changedSinceRead,
  checkExpected,
  type PlannedChange,
  readBefore,
  resolveForChange,
  shownText,
} from '../change/planned.js';
import { hashOf } from '../change/read-whole.js';
import { readRecord } from '../change/undo-store.js';
import { config } from '../config.js';
import { fileLocks } from '../path/locks.js';
import type { ResolvedPath } from '../path/resolve.js';
import { changeNode } from '../preview/diff.js';

interface Args {
  readonly path: string;
  readonly content: string;
  readonly expected_hash?: string | undefined;
}

export const writeFile = resource({
  config,
  description:
    'Makes a file, or replaces its whole content; missing directories are made. The file is replaced in one step, keeps its permissions, and keeps its old content when anything fails. To change a part of a file, use edit_file.',
  risk: 'moderate',
  input: z.object({
    path: z.string().describe('Relative to the working directory, or absolute'),
    content: z.string().describe('The whole new content; written as UTF-8, as it is'),
    expected_hash: z
      .string()
      .optional()
      .describe('The hash that read_file gave; a file that has changed since is left as it is'),
  }),
  output: z.object({
    path: z.string().describe('The file, absolute'),
    created: z.boolean().describe('Whether it is new'),
    bytes: z.number(),
    hash: z.string().describe('SHA-256 of the new content'),
    undo_available: z.boolean().describe('Whether undo can bring the old content back'),
  }),
  concurrency: { safe: true, keyFields: ['path'] },
  keys: [pathKey('path', 'files')],
  idempotent: true,
  timeout: 30_000,
  async preview({ args, call, config: settings, signal }) {
    const context = await changeContext({ call, config: settings, signal });
    const planned = await plan(await resolveForChange(args.path, context), args, context);
    const verb = planned.before === undefined ? 'Make' : 'Replace';
    const before = planned.before === undefined ? '' : shownText(planned.before.bytes);
    return { root: await changeNode(`${verb} ${planned.path.real}`, before, args.content) };
  },
  async handler({ args, call, config: settings, signal }) {
    const context = await changeContext({ call, config: settings, signal });
    const { real } = await resolveForChange(args.path, context);
    return fileLocks([real], async () => {
      // Once more: what it leads to may have changed while waiting.
      const path = await resolveForChange(args.path, context);
      const planned = await plan(path, args, context);
      if (isDone(planned)) {
        const undoable = (await readRecord(settings, path.real)) !== undefined;
        return resultOf(planned, hashOf(planned.bytes), undoable);
      }
      const parents = await makeParents(path);
      try {
        const [made] = await makeChanges([planned], 'write_file', context);
        return resultOf(planned, made?.hash ?? hashOf(planned.bytes), made?.undoable ?? false);
      } catch (error) {
        await parents.undo();
        throw error;
      }
    });
  },
});

async function plan(
  path: ResolvedPath,
  args: Args,
  context: ChangeContext,
): Promise<PlannedChange> {
  const before = await readBefore(path, context);
  const planned: PlannedChange = { path, before, bytes: Buffer.from(args.content) };
  if (isDone(planned)) return planned;
  checkExpected(path, before, args.expected_hash);
  // F7: also without a hash, nothing is overwritten that this session has never seen in this form.
  if (
    args.expected_hash === undefined &&
    before !== undefined &&
    changedSinceRead(path, before, context)
  ) {
    throw fail.executionFailed(
      `"${path.given}" has changed since it was read in this session; it was left as it is. Read it again, or give its current hash as expected_hash`,
      { path: path.given, hash: before.hash },
    );
  }
  return planned;
}

/** The file is as it is wanted already: a call that is made again is no change, whatever its expected_hash is. */
function isDone({ before, bytes }: PlannedChange): boolean {
  return before?.bytes.equals(bytes) ?? false;
}

function resultOf(planned: PlannedChange, hash: string, undoable: boolean) {
  return {
    path: planned.path.real,
    created: planned.before === undefined,
    bytes: planned.bytes.length,
    hash,
    undo_available: undoable,
  };
}
