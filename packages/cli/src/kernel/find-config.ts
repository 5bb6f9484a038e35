// Where the configuration of a command is: named, or searched upwards from the current folder, as git does.
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { UsageError } from '../errors.js';

const NAMES = [
  'agent.hcl',
  'agent.json',
  join('.agent', 'agent.hcl'),
  join('.agent', 'agent.json'),
];

/**
 * The absolute path of the configuration: `explicit`, else TENON_CONFIG, else the nearest agent.hcl or
 * agent.json in this folder or above. Undefined when none is there; throws UsageError when one that was
 * named is not.
 */
export function findConfig(
  explicit: string | undefined,
  from: string = process.cwd(),
  env: NodeJS.ProcessEnv = process.env,
): string | undefined {
  const named = explicit ?? (env['TENON_CONFIG'] || undefined);
  if (named !== undefined) {
    const path = resolve(from, named);
    if (!existsSync(path)) throw new UsageError([`there is no configuration at ${path}`]);
    return path;
  }
  for (let folder = resolve(from); ; folder = dirname(folder)) {
    const found = NAMES.map((name) => join(folder, name)).find((path) => existsSync(path));
    if (found !== undefined) return found;
    if (dirname(folder) === folder) return undefined;
  }
}

/** What to say when no configuration is there and one is needed. */
export function noConfig(): UsageError {
  return new UsageError([
    `no agent.hcl in ${process.cwd()} or above: "tenon init" writes one, --config names one, and --provider-command runs a provider without one`,
  ]);
}
