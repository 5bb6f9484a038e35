// The command of the program under test, made independent of the directory that it is started in: that is an empty
// one, so that whatever resolves a path against it by mistake is found out (RPC-06).
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Target } from './provider-process.js';

/** Paths of files that exist become absolute; all else stays as it is. */
export function findTarget(given: {
  readonly command: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}): Target {
  const { command } = given;
  return {
    command: command.includes('/') ? resolve(command) : command,
    args: (given.args ?? []).map((word) =>
      !word.startsWith('-') && existsSync(word) ? resolve(word) : word,
    ),
    env: given.env ?? {},
  };
}
