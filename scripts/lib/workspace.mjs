// Brings a checkout to the point where it can run: dependencies installed, TypeScript built. Both do
// nothing when nothing is missing. Uses Node alone, as it runs before anything is installed.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Absolute path of the checkout. */
export const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

const HEARTBEAT_MS = 10_000;

/** A step that did not work: `message` is for people, and all they need. */
export class SetupError extends Error {}

/**
 * Installs what the lock file names and node_modules lacks. Compares content, not times, so that a fresh
 * checkout, a pull and an `npm install` by hand are all told apart correctly.
 */
export async function ensureInstalled() {
  requireNode();
  const problem = findInstallProblem();
  if (problem === undefined) return;
  const fresh = !existsSync(join(root, 'node_modules'));
  // `npm ci` empties node_modules first; an existing one is brought up to date in place instead.
  const command = fresh ? 'ci' : 'install';
  say(`Installing dependencies with npm ${command} (${problem})…`);
  await npm(
    [command, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'],
    'installing',
  );
}

/**
 * Builds the given project folders, or all of them.
 * @param {readonly string[]} projects paths relative to the checkout; empty means all
 */
export async function ensureBuilt(projects = []) {
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  if (!existsSync(join(root, 'packages', 'protocol', 'dist'))) say('Building…');
  await run(process.execPath, [tsc, '-b', ...projects], 'building');
}

/** Writes a line about progress; on stderr, as stdout belongs to the program that is started afterwards. */
export function say(line) {
  process.stderr.write(`${line}\n`);
}

function requireNode() {
  const major = Number(process.versions.node.split('.')[0]);
  if (major < 20) {
    throw new SetupError(`Node 20 or later is needed; this is ${process.version}.`);
  }
}

function findInstallProblem() {
  const installedPath = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(installedPath)) return 'nothing is installed yet';
  const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
  const installed = JSON.parse(readFileSync(installedPath, 'utf8')).packages;
  for (const [path, entry] of Object.entries(wanted)) {
    // Optional packages are for other platforms; workspaces themselves are folders of the checkout.
    if (!path.includes('node_modules/') || entry.optional === true) continue;
    const found = installed[path];
    if (found === undefined) return `${path} is missing`;
    if (found.version !== entry.version) return `${path} is not ${entry.version}`;
  }
  return undefined;
}

function npm(args, doing) {
  const cli = process.env['npm_execpath'];
  // npm tells its scripts where it lives; started by hand, it is looked up on PATH.
  if (cli !== undefined && cli.endsWith('.js')) return run(process.execPath, [cli, ...args], doing);
  return run(process.platform === 'win32' ? 'npm.cmd' : 'npm', args, doing);
}

function run(command, args, doing) {
  return new Promise((resolve, reject) => {
    const started = Date.now();
    const seconds = () => Math.round((Date.now() - started) / 1000);
    const child = spawn(command, args, {
      cwd: root,
      stdio: ['ignore', 2, 2],
      shell: process.platform === 'win32' && command.endsWith('.cmd'),
    });
    const beat = setInterval(() => say(`  still ${doing} (${seconds()} s)…`), HEARTBEAT_MS);
    child.once('error', (error) => {
      clearInterval(beat);
      reject(new SetupError(`${command} could not be started: ${error.message}`));
    });
    child.once('exit', (code, signal) => {
      clearInterval(beat);
      if (code === 0) {
        if (seconds() >= 2) say(`  done ${doing} (${seconds()} s)`);
        resolve();
      } else {
        const how = signal === null ? `exit code ${code}` : signal;
        reject(new SetupError(`${doing} failed: ${command} ${args.join(' ')} ended with ${how}`));
      }
    });
  });
}
