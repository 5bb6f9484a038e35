// Public index of the task provider.
import { defineProvider } from '@tenon/provider';
import { config } from './config.js';
import { taskCreate } from './operations/task-create.js';
import { taskList } from './operations/task-list.js';
import { taskUpdate } from './operations/task-update.js';

/** The provider: task_create, task_update, task_list. */
export const provider = defineProvider({
  name: 'task',
  version: '0.1.0',
  source: '@tenon/provider-task',
  config,
  operations: { task_create: taskCreate, task_update: taskUpdate, task_list: taskList },
});
