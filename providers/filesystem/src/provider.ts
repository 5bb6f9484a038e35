// The filesystem provider: which operations it has.
import { createRequire } from 'node:module';
import { defineProvider } from '@tenon/provider';
import { config } from './config.js';
import { deletePath } from './operations/delete.js';
import { editFile } from './operations/edit-file.js';
import { listDirectory } from './operations/list-directory.js';
import { move } from './operations/move.js';
import { multiEdit } from './operations/multi-edit.js';
import { readFile } from './operations/read-file.js';
import { stat } from './operations/stat.js';
import { undo } from './operations/undo.js';
import { writeFile } from './operations/write-file.js';

const { version } = createRequire(import.meta.url)('../package.json') as { version: string };

export const provider = defineProvider({
  name: 'filesystem',
  version,
  source: '@tenon/provider-filesystem',
  config,
  operations: {
    read_file: readFile,
    list_directory: listDirectory,
    stat,
    write_file: writeFile,
    edit_file: editFile,
    multi_edit: multiEdit,
    move,
    delete: deletePath,
    undo,
  },
});
