// The configuration of the provider (CFG-03), and nothing that acts on it.
import { attr, configSchema } from '@tenon/provider';

export const config = configSchema({
  allowed_roots: attr.listString({
    description:
      'Directories whose files may be read and changed, after symbolic links are resolved. Relative ones are relative to the working directory of each call.',
    default: ['.'],
  }),
  read_only_roots: attr.listString({
    description: 'Further directories whose files may be read, and not changed.',
    default: [],
  }),
  max_read_chars: attr.number({
    description: 'How much text one read_file returns at the most, in characters.',
    default: 200_000,
  }),
  max_edit_bytes: attr.number({
    description: 'The largest file that is edited, in bytes.',
    default: 64_000_000,
  }),
  state_directory: attr.string({
    description:
      'Where deleted files and the content before the last change are kept, for undo. Default: $XDG_STATE_HOME/tenon/filesystem or ~/.local/state/tenon/filesystem.',
  }),
  max_undo_bytes: attr.number({
    description: 'The content of a larger file is not kept for undo, in bytes.',
    default: 64_000_000,
  }),
});

export type Config = NonNullable<(typeof config)['values']>;
