// Regenerates the code under src/gen of every package that has .proto files.
// `--check` leaves the tree as it is and fails when the generated code is out of date.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const bin = join(root, 'node_modules', '.bin');
const templates = ['packages/protocol/buf.gen.yaml', 'packages/go-plugin/buf.gen.yaml'];
const env = { ...process.env, PATH: bin + delimiter + process.env.PATH };

for (const template of templates) {
  if (!existsSync(join(root, template))) continue;
  execFileSync(join(bin, 'buf'), ['generate', '--template', template], {
    cwd: root,
    env,
    stdio: 'inherit',
  });
  console.log(`generated from ${template}`);
}

if (process.argv.includes('--check')) {
  const dirty = execFileSync('git', ['status', '--porcelain', '--', 'packages/*/src/gen'], {
    cwd: root,
    encoding: 'utf8',
  });
  if (dirty !== '') {
    console.error(`generated code is out of date, run "npm run generate" and commit:\n${dirty}`);
    process.exit(1);
  }
}
