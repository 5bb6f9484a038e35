// `tenon new provider`: a provider to start from, in a folder of its own, that passes the conformance kit as it is.
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Context } from '../context.js';
import { EXIT, UsageError } from '../errors.js';
import type { ExitCode } from '../errors.js';
import { sanitizeLine } from '../terminal/sanitize.js';

interface Options {
  readonly language: 'typescript' | 'python';
}

const VERSION = '0.1.0';
const TEMPLATES = fileURLToPath(new URL('../../templates/', import.meta.url));
const NAME = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;

/** Names that a template cannot have itself: npm and git would act on them. */
const RENAMED: Readonly<Record<string, string>> = {
  gitignore: '.gitignore',
  'github/ci.yml': '.github/workflows/ci.yml',
};

/** Throws UsageError for a name that cannot be one, and for a folder that is there already. */
export async function run(
  { terminal }: Context,
  given: string,
  options: Options,
): Promise<ExitCode> {
  const folder = resolve(given);
  const name = folder.split(/[\\/]/).at(-1) ?? '';
  if (!NAME.test(name) || name.length > 60) {
    throw new UsageError([
      `"${name}" cannot name a provider: lower-case letters, digits and single "-", such as my-provider`,
    ]);
  }
  if (existsSync(folder) && (await readdir(folder)).length > 0) {
    throw new UsageError([`${folder} exists and is not empty; name another folder`]);
  }
  const source = join(TEMPLATES, options.language);
  for (const path of await filesBelow(source)) {
    const target = join(folder, RENAMED[path] ?? path);
    await mkdir(dirname(target), { recursive: true });
    const text = await readFile(join(source, path), 'utf8');
    const mode = text.startsWith('#!') ? 0o755 : 0o644;
    await writeFile(target, filled(text, name), { mode });
  }
  if (options.language === 'python') await copyProtocol(join(folder, 'proto'));
  const steps =
    options.language === 'python'
      ? [
          'python3 -m venv .venv && .venv/bin/pip install -r requirements.txt',
          '.venv/bin/python generate.py',
          'tenon conform --no-tls --cases conform.yaml -- .venv/bin/python provider.py',
        ]
      : ['npm install', 'npm test'];
  const lines = [
    `Wrote ${folder}.`,
    'Next:',
    `  cd ${relative(process.cwd(), folder) || '.'}`,
    ...steps.map((step) => `  ${step}`),
  ];
  for (const line of lines) terminal.stdout.write(`${sanitizeLine(line)}\n`);
  return EXIT.ok;
}

function filled(text: string, name: string): string {
  return text
    .replaceAll('__NAME__', name)
    .replaceAll('__PROVIDER__', name.replaceAll('-', '_'))
    .replaceAll('__VERSION__', VERSION);
}

async function filesBelow(folder: string): Promise<string[]> {
  const paths = await readdir(folder, { recursive: true });
  const kinds = await Promise.all(paths.map((path) => stat(join(folder, path))));
  return paths
    .filter((_, index) => kinds[index]?.isFile() === true)
    .map((path) => path.replaceAll('\\', '/'));
}

/** The .proto files that the stubs are made from. */
async function copyProtocol(target: string): Promise<void> {
  const protocol = dirname(fileURLToPath(import.meta.resolve('@tenon/protocol')));
  await cp(join(protocol, '..', 'proto'), target, { recursive: true });
}
