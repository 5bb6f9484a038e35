// The providers that come with the command line: where their programs are on this machine.
import { existsSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const BUNDLED = ['filesystem', 'search', 'exec', 'web', 'task', 'user'] as const;
export type BundledProvider = (typeof BUNDLED)[number];

/** The absolute path of a bundled provider's program. */
export function bundledProgram(name: BundledProvider): string {
  const index = fileURLToPath(import.meta.resolve(`@tenon/provider-${name}`));
  return join(dirname(index), '..', 'bin', 'provider.js');
}

/**
 * The command of a bundled provider as a configuration in `folder` names it: the program of that folder's
 * own node_modules where it is installed there, so that the file can be shared; else the one that came with
 * this command line.
 */
export function bundledCommand(
  name: BundledProvider,
  folder: string,
): readonly [string, ...string[]] {
  const local = join(folder, 'node_modules', '.bin', `tenon-provider-${name}`);
  if (existsSync(local)) return [`./${relative(folder, local)}`];
  return ['node', bundledProgram(name)];
}
