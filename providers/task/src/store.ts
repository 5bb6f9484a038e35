// The tasks of one session as a JSON file in the session's folder. Every change is written whole, to a new
// file that then takes the old one's place: a crash leaves the old tasks or the new ones.
import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { type CallContext, fail } from '@tenon/provider';
import * as z from 'zod';
import type { TaskConfig } from './config.js';
import { type Task, taskSchema } from './task.js';

const FORMAT = 1;
const fileSchema = z.object({
  format: z.literal(FORMAT),
  /** Number of the next task; never given twice, also when tasks are gone. */
  next: z.number().int().positive(),
  tasks: z.array(taskSchema),
});

export interface TaskList {
  readonly next: number;
  readonly tasks: readonly Task[];
}

/** Where the tasks of a call's session are. Throws `invalid_arguments` for a session id that is no file name. */
export function taskFile(context: CallContext, config: TaskConfig): string {
  if (!/^[\w-]{1,128}$/.test(context.sessionId)) {
    throw fail.invalidArguments(
      `call_context.session_id: "${context.sessionId}" cannot name a folder; letters, digits, "-" and "_" can`,
    );
  }
  return join(
    resolve(context.workingDirectory, config.data_folder),
    context.sessionId,
    'tasks.json',
  );
}

/** The tasks; none where no file is. Throws `execution_failed` for a file that is not ours or is damaged. */
export async function readTasks(path: string): Promise<TaskList> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { next: 1, tasks: [] };
    throw error;
  }
  try {
    return fileSchema.parse(JSON.parse(text));
  } catch (error) {
    throw fail.executionFailed(
      `${path} is not a task file of this version, or is damaged; move it away to start anew`,
      { path },
      { cause: error },
    );
  }
}

// Changes of one file, one after the other: reading, changing and writing belong together.
const turns = new Map<string, Promise<unknown>>();

/** Changes the tasks of a file. What `change` throws leaves the file as it was. */
export async function changeTasks<T>(
  path: string,
  change: (list: TaskList) => { readonly list: TaskList; readonly result: T },
): Promise<T> {
  const before = turns.get(path) ?? Promise.resolve();
  const turn = before
    // The failure of an earlier change was reported by its own call.
    .catch(() => undefined)
    .then(async () => {
      const { list, result } = change(await readTasks(path));
      await writeWhole(path, `${JSON.stringify({ format: FORMAT, ...list }, undefined, 2)}\n`);
      return result;
    });
  turns.set(path, turn);
  try {
    return await turn;
  } finally {
    if (turns.get(path) === turn) turns.delete(path);
  }
}

async function writeWhole(path: string, text: string): Promise<void> {
  await makeFolder(dirname(path));
  const fresh = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    const handle = await open(fresh, 'wx', 0o600);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(fresh, path);
  } catch (error) {
    await rm(fresh, { force: true });
    throw error;
  }
}

/** Step by step, as Node's own `recursive` never ends where a file system has no place for a folder, such as /proc. */
async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && (await stat(path)).isDirectory()) return;
    const parent = dirname(path);
    if (code !== 'ENOENT' || parent === path || (await isThere(parent))) throw error;
    await makeFolder(parent);
    await makeFolder(path);
  }
}

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
