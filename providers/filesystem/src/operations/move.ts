// move: gives a file or a directory another name or place.
import { fail, pathKey, resource } from '@tenon/provider';
import * as z from 'zod';
import { makeParents } from '../change/make-parents.js';
import { movePath } from '../change/move-path.js';
import { type ChangeContext, changeContext } from '../change/planned.js';
import { recordChange } from '../change/undo-store.js';
import { config } from '../config.js';
import { mustExist } from '../path/access.js';
import { fileLocks } from '../path/locks.js';
import { isBelow, type ResolvedPath } from '../path/resolve.js';
import { resolveName } from '../path/resolve-name.js';

export const move = resource({
  config,
  description:
    'Moves or renames a file or a directory. Missing directories of the target are made. Nothing is ever replaced: when something is at the target, it fails. A symbolic link is moved itself.',
  risk: 'moderate',
  input: z.object({
    from: z.string().describe('What is moved; relative to the working directory, or absolute'),
    to: z.string().describe('Its new path, not the directory that it goes into'),
  }),
  output: z.object({
    from: z.string().describe('Absolute'),
    to: z.string().describe('Absolute'),
    undo_available: z.boolean(),
  }),
  concurrency: { safe: true, keyFields: ['from'] },
  keys: [pathKey('from', 'files'), pathKey('to', 'files')],
  timeout: 60_000,
  async preview({ args, call, config: settings, signal }) {
    const context = await changeContext({ call, config: settings, signal });
    const { from, to } = await plan(args, context);
    return { root: { type: 'text', content: `Move ${from.real}\n  to ${to.real}` } };
  },
  async handler({ args, call, config: settings, signal }) {
    const context = await changeContext({ call, config: settings, signal });
    const first = await plan(args, context);
    return fileLocks([first.from.real, first.to.real], async () => {
      const { from, to } = await plan(args, context);
      const parents = await makeParents(to);
      try {
        signal.throwIfAborted();
        await movePath(from.real, to.real, args.from);
      } catch (error) {
        await parents.undo();
        throw error;
      }
      const change = { type: 'moved', from: from.real, to: to.real } as const;
      const recorded = await Promise.all(
        [from.real, to.real].map((path) => recordChange(settings, path, 'move', change)),
      );
      return { from: from.real, to: to.real, undo_available: recorded.every(Boolean) };
    });
  },
});

async function plan(
  args: { readonly from: string; readonly to: string },
  { call, roots }: ChangeContext,
): Promise<{ readonly from: ResolvedPath; readonly to: ResolvedPath }> {
  const from = await resolveName(args.from, call.context, roots);
  mustExist(from);
  const to = await resolveName(args.to, call.context, roots);
  if (to.exists) {
    throw fail.executionFailed(
      `there is something at "${args.to}" already; delete it first, or move to another path`,
      { path: args.to, resolved: to.real },
    );
  }
  if (isBelow(to.real, from.real)) {
    throw fail.invalidArguments(`"${args.to}" is inside of "${args.from}"`);
  }
  return { from, to };
}
