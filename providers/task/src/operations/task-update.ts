// task_update: changes what is named of one task.
import { fail, resource } from '@tenon/provider';
import * as z from 'zod';
import { config } from '../config.js';
import { changeTasks, taskFile } from '../store.js';
import { status, taskSchema } from '../task.js';

export const taskUpdate = resource({
  description: 'Changes the title, notes or status of a task; what is not named stays.',
  risk: 'low',
  input: z.object({
    id: z.string().describe('Id of the task.'),
    title: z.string().describe('The new title.').optional(),
    notes: z.string().describe('The new notes.').optional(),
    status: status.describe('The new status.').optional(),
  }),
  output: z.object({ task: taskSchema }),
  config,
  concurrency: { safe: true, keyFields: ['id'] },
  idempotent: true,
  timeout: 10_000,
  async handler({ args, call, config: settings }) {
    const { id, ...given } = args;
    if (given.title?.trim() === '') throw fail.invalidArguments('/title: a task needs a title');
    return changeTasks(taskFile(call.context, settings), ({ next, tasks }) => {
      const old = tasks.find((task) => task.id === id);
      if (old === undefined) {
        throw fail.notFound(`there is no task "${id}" in this session`, {
          id,
          known: tasks.map((task) => task.id),
        });
      }
      const changed = { ...old, ...given };
      const same = (['title', 'notes', 'status'] as const).every(
        (key) => changed[key] === old[key],
      );
      const task = same ? old : { ...changed, updated_at: new Date().toISOString() };
      return {
        list: { next, tasks: tasks.map((other) => (other === old ? task : other)) },
        result: { task },
      };
    });
  },
});
