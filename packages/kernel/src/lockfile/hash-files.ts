// The files that a provider's command is made of, and their hashes.
//
// What is hashed: the program, unless it is a well-known interpreter, named without a path, that runs a file among
// the arguments (it differs from machine to machine and is the system's to keep); and every argument that is an
// existing file, as the process will see it. What those files load themselves (modules, shared libraries) is not
// covered: a provider that should be covered whole is one file.
import { createHash } from 'node:crypto';
import { open, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { FileHashes } from './model.js';

export interface HashedFile {
  readonly role: string;
  readonly path: string;
  readonly sha256: string;
  /** Changes whenever the file does: to see whether it is still the one that was hashed. */
  readonly state: string;
}

export interface CommandFiles {
  /** As the configuration names it. */
  readonly configured: string;
  /** Absolute path of the program. */
  readonly program: string;
  readonly args: readonly string[];
  /** Where the process starts; absent: where the kernel runs. */
  readonly cwd?: string | undefined;
}

/** Programs whose name says that what matters is the file they are given. */
const INTERPRETER =
  /^(?:node|deno|bun|python(?:\d+(?:\.\d+)?)?|ruby|perl|php|java|pwsh|bash|sh|Rscript)(?:\.exe)?$/;

/** Hashes all of them. Rejects with the error of the file system. */
export async function hashFiles(command: CommandFiles): Promise<HashedFile[]> {
  const files: { role: string; path: string }[] = [];
  for (const [index, word] of command.args.entries()) {
    const path = resolve(command.cwd ?? process.cwd(), word);
    if (await isFile(path)) files.push({ role: `argument ${index + 1}`, path });
  }
  const isInterpreter = INTERPRETER.test(command.configured) && files.length > 0;
  if (!isInterpreter) files.unshift({ role: 'command', path: command.program });
  return Promise.all(files.map(async (file) => ({ ...file, ...(await hashFile(file.path)) })));
}

/** Whether the files are still those that were hashed. */
export async function areUnchanged(files: readonly HashedFile[]): Promise<boolean> {
  const states = await Promise.all(
    files.map(async ({ path }) => stateOf(await stat(path, { bigint: true }))),
  );
  return states.every((state, index) => state === files[index]?.state);
}

export const hashesOf = (files: readonly HashedFile[]): FileHashes =>
  Object.fromEntries(files.map(({ role, sha256 }) => [role, sha256]));

async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch {
    // Not there: an argument like any other.
    return false;
  }
}

/** Hash and state of one and the same open file, whatever happens to its name meanwhile. */
async function hashFile(path: string): Promise<{ sha256: string; state: string }> {
  const handle = await open(path, 'r');
  try {
    const before = stateOf(await handle.stat({ bigint: true }));
    const hash = createHash('sha256');
    for await (const part of handle.createReadStream({ autoClose: false }))
      hash.update(part as Buffer);
    const after = stateOf(await handle.stat({ bigint: true }));
    if (before !== after) throw new Error(`${path} changed while it was being hashed`);
    return { sha256: hash.digest('hex'), state: after };
  } finally {
    await handle.close();
  }
}

function stateOf(stats: {
  readonly dev: bigint;
  readonly ino: bigint;
  readonly size: bigint;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
}): string {
  return [stats.dev, stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join('/');
}
