// Finds, reads and interprets a configuration file.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { ConfigError, type ConfigProblem } from './error.js';
import { agentFolder, alwaysPathOf, interpret } from './interpret.js';
import type { KernelConfig } from './model.js';
import { readDocument } from './read-document.js';
import { type ConfigTable, valueOf } from './value.js';

const NAMES = [
  'agent.hcl',
  'agent.json',
  join('.agent', 'agent.hcl'),
  join('.agent', 'agent.json'),
];

/**
 * The configuration of `path`, else of the nearest agent.hcl or agent.json in `cwd` or above. Relative paths in
 * it are relative to its folder. Rejects with ConfigError: every problem, with its place.
 */
export async function loadConfig(
  path?: string,
  options: { readonly cwd?: string } = {},
): Promise<KernelConfig> {
  const cwd = options.cwd ?? process.cwd();
  const file = path === undefined ? nearestConfig(cwd) : resolve(cwd, path);
  const texts = new Map<string, string>();
  const read = async (one: string): Promise<ConfigTable> => {
    const text = await textOf(one);
    texts.set(one, text);
    return readDocument(text, one);
  };
  const document = await read(file);
  const alwaysPath = alwaysPathOf(file);
  const always = existsSync(alwaysPath) ? await read(alwaysPath) : undefined;
  const folder = dirname(file);
  try {
    return interpret(document, {
      path: file,
      folder,
      journalPath: join(agentFolder(folder), 'journal.db'),
      ...(always === undefined ? {} : { always }),
    });
  } catch (error) {
    throw error instanceof ConfigError ? withLines(error, texts) : error;
  }
}

/** The same problems, each with the line that it is about. */
function withLines(error: ConfigError, texts: ReadonlyMap<string, string>): ConfigError {
  const lines = new Map([...texts].map(([file, text]) => [file, text.split('\n')]));
  return new ConfigError(
    error.problems.map((problem) => {
      const { location } = problem;
      const excerpt = location && lines.get(location.file)?.[location.line - 1];
      return excerpt === undefined ? problem : { ...problem, excerpt };
    }),
  );
}

/**
 * The configuration of an object of the same structure as the file, for programs. Relative paths are relative
 * to `folder`; the journal is in memory unless the object names one. Throws ConfigError.
 */
export function configFromObject(
  object: unknown,
  options: { readonly folder?: string } = {},
): KernelConfig {
  const location = { file: '(object)', line: 1, column: 1 };
  const problems: ConfigProblem[] = [];
  const document = valueOf(object, location, problems);
  if (problems.length > 0) throw new ConfigError(problems);
  if (document.type !== 'table') {
    throw new ConfigError([{ message: 'a configuration is an object', location }]);
  }
  const folder = resolve(options.folder ?? '.');
  return interpret(document, { folder, journalPath: ':memory:' });
}

function nearestConfig(cwd: string): string {
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    const found = NAMES.map((name) => join(folder, name)).find((file) => existsSync(file));
    if (found !== undefined) return found;
    if (dirname(folder) !== folder) continue;
    const message = `there is no ${NAMES.join(', ')} in ${resolve(cwd)} or above; "tenon init" writes one`;
    throw new ConfigError([{ message }]);
  }
}

async function textOf(file: string): Promise<string> {
  let bytes: Buffer;
  try {
    bytes = await readFile(file);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why =
      code === 'ENOENT'
        ? 'it does not exist; "tenon init" writes one'
        : code === 'EISDIR'
          ? 'it is a folder'
          : message;
    throw new ConfigError([{ message: `${file} cannot be read: ${why}` }], { cause: error });
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new ConfigError([{ message: `${file} is not UTF-8 text` }], { cause: error });
  }
}
