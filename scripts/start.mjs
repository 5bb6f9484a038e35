// `npm start`: installs and builds what is missing, then runs `tenon quickstart` on this terminal.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { ensureBuilt, ensureInstalled, root, say, SetupError } from './lib/workspace.mjs';

try {
  await ensureInstalled();
  await ensureBuilt(['packages/cli']);
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  say(error.message);
  process.exit(1);
}

const tenon = join(root, 'packages', 'cli', 'bin', 'tenon.js');
const child = spawn(process.execPath, [tenon, 'quickstart', ...process.argv.slice(2)], {
  stdio: 'inherit',
});
// A terminal sends Ctrl-C to the whole group: the command line decides what it means, this wrapper waits.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => child.kill('SIGTERM'));
child.once('exit', (code, signal) => {
  process.exitCode = code ?? 128 + (signal === 'SIGINT' ? 2 : 15);
});
