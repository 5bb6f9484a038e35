// A working directory and the provider in process, for tests: each call by name, its result or its error.
import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { tempDir } from '@tenon/test-support';
import type { JsonObject, RenderTree, ToolErrorData, ToolEvent } from '@tenon/provider';
import { provider } from '../index.js';

export interface Workspace {
  /** The working directory, which is the one allowed root unless `config` says otherwise. */
  readonly dir: string;
  /** A directory beside it. */
  readonly beside: string;
  path(...names: string[]): string;
  reconfigure(config: JsonObject): Promise<void>;
  events(operation: string, args: JsonObject, options?: CallOptions): Promise<ToolEvent[]>;
  call(operation: string, args: JsonObject, options?: CallOptions): Promise<JsonObject>;
  error(operation: string, args: JsonObject, options?: CallOptions): Promise<ToolErrorData>;
  preview(operation: string, args: JsonObject): Promise<RenderTree | undefined>;
}

interface CallOptions {
  readonly session?: string;
  readonly cwd?: string;
  readonly signal?: AbortSignal;
}

export async function workspace(t: TestContext, config: JsonObject = {}): Promise<Workspace> {
  const top = tempDir(t);
  const dir = join(top, 'app');
  const beside = join(top, 'app_secret');
  await mkdir(dir);
  await mkdir(beside);
  const running = await provider.inProcess().start({
    emit: async () => ({ id: '', sequence: 0 }),
    log: () => {},
  });
  t.after(() => running.stop());
  await running.configure({ state_directory: join(top, 'state'), ...config });

  const callOf = (
    operation: string,
    args: JsonObject,
    { session = 'S', cwd = dir }: CallOptions,
  ) => ({
    id: 'C',
    toolName: operation,
    arguments: args,
    context: { sessionId: session, turnId: 'T', workingDirectory: cwd },
  });
  const events = async (operation: string, args: JsonObject, options: CallOptions = {}) => {
    const signal = options.signal ?? new AbortController().signal;
    const found: ToolEvent[] = [];
    for await (const one of running.invoke(callOf(operation, args, options), { signal })) {
      assert.ok(one.ok);
      found.push(one.event);
    }
    return found;
  };
  return {
    dir,
    beside,
    path: (...names) => join(dir, ...names),
    reconfigure: (next) => running.configure(next),
    events,
    async call(operation, args, options) {
      const last = (await events(operation, args, options)).at(-1);
      assert.equal(last?.type, 'result', JSON.stringify(last));
      return last.payload;
    },
    async error(operation, args, options) {
      const last = (await events(operation, args, options)).at(-1);
      assert.equal(last?.type, 'error', JSON.stringify(last));
      return last.error;
    },
    preview: (operation, args) =>
      running.preview(callOf(operation, args, {}), { signal: new AbortController().signal }),
  };
}

/** A value that must be a text. */
export function textOf(value: unknown): string {
  assert.equal(typeof value, 'string');
  return value as string;
}
