// Regenerates the code under src/gen of every package that has .proto files.
// `--check` writes nothing into the tree, and fails when the generated code is out of date.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const bin = join(root, 'node_modules', '.bin');
const env = { ...process.env, PATH: bin + delimiter + process.env.PATH };
const packages = ['packages/protocol', 'packages/go-plugin'];

function generate(folder, out) {
  const template = `${folder}/buf.gen.yaml`;
  execFileSync(
    join(bin, 'buf'),
    ['generate', '--template', template, ...(out === undefined ? [] : ['-o', out])],
    { cwd: root, env, stdio: 'inherit', shell: process.platform === 'win32' },
  );
}

/** Relative path → text of every file below a folder. */
function textsBelow(folder) {
  if (!existsSync(folder)) return new Map();
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return new Map(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
      .map((path) => [relative(folder, path), readFileSync(path, 'utf8')]),
  );
}

function outOfDate(folder, out) {
  const gen = join(folder, 'src', 'gen');
  const have = textsBelow(join(root, gen));
  const want = textsBelow(join(out, gen));
  const names = new Set([...have.keys(), ...want.keys()]);
  return [...names]
    .filter((name) => have.get(name) !== want.get(name))
    .map((name) => join(gen, name));
}

if (process.argv.includes('--check')) {
  const out = mkdtempSync(join(tmpdir(), 'tenon-gen-'));
  try {
    for (const folder of packages) generate(folder, out);
    const stale = packages.flatMap((folder) => outOfDate(folder, out));
    if (stale.length > 0) {
      console.error(
        `generated code is out of date; run "npm run generate" and commit:\n  ${stale.join('\n  ')}`,
      );
      process.exitCode = 1;
    }
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
} else {
  for (const folder of packages) {
    generate(folder);
    console.log(`generated ${folder}/src/gen`);
  }
}
