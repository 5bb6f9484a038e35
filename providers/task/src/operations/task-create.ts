// task_create: a new task of the session.
import { fail, resource } from '@tenon/provider';
import * as z from 'zod';
import { config } from '../config.js';
import { changeTasks, taskFile } from '../store.js';
import { status, type Task, taskSchema } from '../task.js';

export const taskCreate = resource({
  description: "Adds a task to the session's list and gives it back with its id.",
  risk: 'low',
  input: z.object({
    title: z.string().describe('What is to be done, in a line.'),
    notes: z.string().describe('Details.').optional(),
    status: status.describe('Default: pending.').optional(),
  }),
  output: z.object({ task: taskSchema }),
  config,
  concurrency: { safe: true },
  timeout: 10_000,
  async handler({ args, call, config: settings }) {
    if (args.title.trim() === '') throw fail.invalidArguments('/title: a task needs a title');
    return changeTasks(taskFile(call.context, settings), ({ next, tasks }) => {
      if (tasks.length >= settings.max_tasks) {
        throw fail.executionFailed(
          `the session has ${tasks.length} tasks, which is the limit (max_tasks): finish some first`,
        );
      }
      const now = new Date().toISOString();
      const task: Task = {
        id: String(next),
        title: args.title,
        notes: args.notes ?? '',
        status: args.status ?? 'pending',
        created_at: now,
        updated_at: now,
      };
      return { list: { next: next + 1, tasks: [...tasks, task] }, result: { task } };
    });
  },
});
