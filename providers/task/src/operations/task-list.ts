// task_list: the tasks of the session.
import { dataSource } from '@tenon/provider';
import * as z from 'zod';
import { config } from '../config.js';
import { readTasks, taskFile } from '../store.js';
import { status, taskSchema } from '../task.js';

export const taskList = dataSource({
  description: "Lists the session's tasks in the order in which they were made.",
  input: z.object({ status: status.describe('Only those of this status.').optional() }),
  output: z.object({ tasks: z.array(taskSchema) }),
  config,
  concurrency: { safe: true },
  timeout: 10_000,
  async handler({ args, call, config: settings }) {
    const { tasks } = await readTasks(taskFile(call.context, settings));
    const wanted = args.status;
    return { tasks: tasks.filter((task) => wanted === undefined || task.status === wanted) };
  },
});
