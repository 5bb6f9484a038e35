// `tenon init`: a configuration to start from, which says in its comments what can be changed.
import { existsSync } from 'node:fs';
import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Context } from '../context.js';
import { EXIT, UsageError } from '../errors.js';
import type { ExitCode } from '../errors.js';
import { initialConfig } from '../quickstart/initial-config.js';
import { sanitizeLine } from '../terminal/sanitize.js';

interface Options {
  readonly force?: boolean;
}

const IGNORED = ['.agent/journal*', '.agent/sessions/'];

export async function run(
  { terminal }: Context,
  folder: string,
  options: Options,
): Promise<ExitCode> {
  const target = resolve(folder);
  const path = join(target, 'agent.hcl');
  if (existsSync(path) && options.force !== true) {
    throw new UsageError([`${path} exists already; --force replaces it`]);
  }
  await mkdir(target, { recursive: true });
  await writeFile(path, initialConfig(target));
  const ignored = await ignoreJournal(target);
  const lines = [
    `Wrote ${path}.`,
    ...(ignored ? ['Added the journal to .gitignore.'] : []),
    'Next:',
    '  tenon operations                                   what can be called',
    '  tenon call filesystem.list_directory --path .      a first call',
    '  tenon policy explain exec.bash --command "git status"',
  ];
  for (const line of lines) terminal.stdout.write(`${sanitizeLine(line)}\n`);
  return EXIT.ok;
}

/** In a git repository the journal is no file to commit. */
async function ignoreJournal(folder: string): Promise<boolean> {
  if (!existsSync(join(folder, '.git'))) return false;
  const path = join(folder, '.gitignore');
  const present = existsSync(path) ? await readFile(path, 'utf8') : '';
  const missing = IGNORED.filter((line) => !present.split(/\r?\n/).includes(line));
  if (missing.length === 0) return false;
  const gap = present === '' || present.endsWith('\n') ? '' : '\n';
  await appendFile(path, `${gap}${missing.join('\n')}\n`);
  return true;
}
