// delete: takes a file or a directory away, into the trash of the state directory, from where undo brings it back.
import { randomBytes } from 'node:crypto';
import { lstat, readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fail, pathKey, type RenderNode, resource } from '@tenon/provider';
import * as z from 'zod';
import { movePath } from '../change/move-path.js';
import { type ChangeContext, changeContext } from '../change/planned.js';
import { stateDirectory } from '../change/state-directory.js';
import { recordChange } from '../change/undo-store.js';
import { type Config, config } from '../config.js';
import { mustExist } from '../path/access.js';
import { fileLocks } from '../path/locks.js';
import { kindOf } from '../path/open.js';
import { isBelow, type ResolvedPath } from '../path/resolve.js';
import { resolveName } from '../path/resolve-name.js';

const SHOWN = 50;

export const deletePath = resource({
  config,
  description:
    'Deletes a file, a symbolic link (not what it leads to), or with recursive a directory and all in it. It goes to a trash directory, and undo brings it back.',
  risk: 'high',
  input: z.object({
    path: z.string().describe('Relative to the working directory, or absolute'),
    recursive: z
      .boolean()
      .optional()
      .describe('Needed for a directory that is not empty. Default: false'),
  }),
  output: z.object({
    path: z.string().describe('What was deleted, absolute'),
    trashed: z.string().describe('Where it is now'),
    undo_available: z.boolean(),
  }),
  concurrency: { safe: true, keyFields: ['path'] },
  keys: [pathKey('path', 'files')],
  timeout: 60_000,
  async preview({ args, call, config: settings, signal }) {
    const context = await changeContext({ call, config: settings, signal });
    const { path, kind, names } = await plan(args, context);
    const children: RenderNode[] = [
      { type: 'text', content: `Delete the ${kind} ${path.real}`, style: 'bold' },
    ];
    if (names.length > 0) children.push(listNode(names));
    return { root: { type: 'group', children } };
  },
  async handler({ args, call, config: settings, signal }) {
    const context = await changeContext({ call, config: settings, signal });
    const { path: first } = await plan(args, context);
    return fileLocks([first.real], async () => {
      const { path } = await plan(args, context);
      const trashed = await trashPlace(settings, path);
      signal.throwIfAborted();
      await movePath(path.real, trashed, args.path);
      const undoable = await recordChange(settings, path.real, 'delete', {
        type: 'deleted',
        trashed,
      });
      return { path: path.real, trashed, undo_available: undoable };
    });
  },
});

function listNode(names: readonly string[]): RenderNode {
  const items = names.slice(0, SHOWN).map((content): RenderNode => ({ type: 'text', content }));
  if (names.length > SHOWN) {
    items.push({ type: 'text', content: `and ${names.length - SHOWN} more`, style: 'dim' });
  }
  return { type: 'list', items, ordered: false };
}

async function plan(
  args: { readonly path: string; readonly recursive?: boolean | undefined },
  { call, roots }: ChangeContext,
): Promise<{
  readonly path: ResolvedPath;
  readonly kind: ReturnType<typeof kindOf>;
  readonly names: readonly string[];
}> {
  const path = await resolveName(args.path, call.context, roots);
  mustExist(path);
  const kind = kindOf(await lstat(path.real));
  const names = kind === 'directory' ? (await readdir(path.real)).sort() : [];
  if (names.length > 0 && args.recursive !== true) {
    throw fail.executionFailed(
      `"${args.path}" is a directory with ${names.length} entries; set recursive to delete it and all in it`,
      { path: args.path, entries: names.length },
    );
  }
  return { path, kind, names };
}

/** Raises when the state directory is inside of what is to be deleted. */
async function trashPlace(settings: Config, path: ResolvedPath): Promise<string> {
  const trash = await stateDirectory(settings, 'trash');
  if (isBelow(trash, path.real)) {
    throw fail.executionFailed(`"${path.given}" holds the trash directory ${trash}; it stays`, {
      path: path.given,
    });
  }
  const time = new Date().toISOString().replaceAll(/[:.]/g, '-');
  // A name has 255 bytes at the most, and a character four.
  const name = basename(path.real).slice(0, 50);
  return join(trash, `${time}-${randomBytes(4).toString('hex')}-${name}`);
}
