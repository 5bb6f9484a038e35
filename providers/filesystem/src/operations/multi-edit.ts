// multi_edit: several edits of one or more files, all of them or none.
import { fail, pathKey, resource } from '@tenon/provider';
import * as z from 'zod';
import { makeChanges } from '../change/make-changes.js';
import { planEdits } from '../change/plan-edits.js';
import { changeContext, resolveForChange } from '../change/planned.js';
import { config } from '../config.js';
import { fileLocks } from '../path/locks.js';
import { changeNode } from '../preview/diff.js';

const MAX_EDITS = 500;

export const multiEdit = resource({
  config,
  description:
    'Makes several edits of one or more text files, all of them or none. Each edit is as for edit_file; edits of the same file build upon each other in their order.',
  risk: 'moderate',
  input: z.object({
    edits: z
      .array(
        z.object({
          path: z.string().describe('Relative to the working directory, or absolute'),
          old: z.string().describe('The text to replace, as it is after the edits before'),
          new: z.string(),
          replace_all: z.boolean().optional(),
          expected_hash: z.string().optional(),
        }),
      )
      .describe(`Up to ${MAX_EDITS}`),
  }),
  output: z.object({
    files: z.array(
      z.object({
        path: z.string().describe('The file, absolute'),
        replacements: z.number(),
        hash: z.string().describe('SHA-256 of the new content'),
        undo_available: z.boolean(),
        notice: z.string().optional(),
      }),
    ),
  }),
  concurrency: { safe: true },
  keys: [pathKey('edits/*/path', 'files')],
  timeout: 60_000,
  async preview({ args, call, config: settings, signal }) {
    const context = await changeContext({ call, config: settings, signal });
    const planned = await planEdits(args.edits, context);
    return {
      root: {
        type: 'group',
        children: await Promise.all(
          planned.map((file) =>
            changeNode(`Edit ${file.path.real}`, file.textBefore, file.textAfter),
          ),
        ),
      },
    };
  },
  async handler({ args, call, config: settings, signal }) {
    if (args.edits.length === 0 || args.edits.length > MAX_EDITS) {
      throw fail.invalidArguments(
        `edits must hold 1 to ${MAX_EDITS} edits, not ${args.edits.length}`,
      );
    }
    const context = await changeContext({ call, config: settings, signal });
    const paths = await Promise.all(args.edits.map((edit) => resolveForChange(edit.path, context)));
    return fileLocks(
      paths.map((path) => path.real),
      async () => {
        const planned = await planEdits(args.edits, context);
        const made = await makeChanges(planned, 'multi_edit', context);
        return {
          files: planned.map((file, index) => ({
            path: file.path.real,
            replacements: file.lines.length,
            hash: made[index]?.hash ?? '',
            undo_available: made[index]?.undoable ?? false,
            ...(file.notes.length === 0 ? {} : { notice: file.notes.join(' ') }),
          })),
        };
      },
    );
  },
});
