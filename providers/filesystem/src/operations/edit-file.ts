// edit_file: replaces an exact piece of a text file; everything else keeps its bytes.
import { pathKey, resource } from '@tenon/provider';
import * as z from 'zod';
import { makeChanges } from '../change/make-changes.js';
import { planEdits } from '../change/plan-edits.js';
import { changeContext, resolveForChange } from '../change/planned.js';
import { config } from '../config.js';
import { fileLocks } from '../path/locks.js';
import { changeNode } from '../preview/diff.js';

export const editFile = resource({
  config,
  description:
    'Replaces a piece of a text file. old must stand exactly once in the file, or replace_all must be set. Line ends may be given as LF whatever the file has; it keeps its own. Encoding and all other bytes of the file stay as they are.',
  risk: 'moderate',
  input: z.object({
    path: z.string().describe('Relative to the working directory, or absolute'),
    old: z
      .string()
      .describe('The text to replace, exactly as it is in the file, without line numbers'),
    new: z.string().describe('What stands there afterwards; may be empty'),
    replace_all: z.boolean().optional().describe('Replace every occurrence. Default: false'),
    expected_hash: z
      .string()
      .optional()
      .describe('The hash that read_file gave; a file that has changed since is left as it is'),
  }),
  output: z.object({
    path: z.string().describe('The file, absolute'),
    replacements: z.number(),
    lines: z.array(z.number()).describe('Where old stood, as line numbers before the edit'),
    hash: z.string().describe('SHA-256 of the new content'),
    undo_available: z.boolean().describe('Whether undo can bring the old content back'),
    notice: z.string().optional(),
  }),
  concurrency: { safe: true, keyFields: ['path'] },
  keys: [pathKey('path', 'files')],
  timeout: 30_000,
  async preview({ args, call, config: settings, signal }) {
    const context = await changeContext({ call, config: settings, signal });
    const [planned] = await planEdits([args], context);
    return (
      planned && {
        root: await changeNode(`Edit ${planned.path.real}`, planned.textBefore, planned.textAfter),
      }
    );
  },
  async handler({ args, call, config: settings, signal }) {
    const context = await changeContext({ call, config: settings, signal });
    const { real } = await resolveForChange(args.path, context);
    return fileLocks([real], async () => {
      const planned = await planEdits([args], context);
      const [made] = await makeChanges(planned, 'edit_file', context);
      const [file] = planned;
      return {
        path: file?.path.real ?? real,
        replacements: file?.lines.length ?? 0,
        lines: file?.lines.slice(0, 1_000) ?? [],
        hash: made?.hash ?? '',
        undo_available: made?.undoable ?? false,
        ...(file === undefined || file.notes.length === 0 ? {} : { notice: file.notes.join(' ') }),
      };
    });
  },
});
