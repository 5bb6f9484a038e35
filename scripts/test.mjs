// `npm test`: installs and builds what is missing, then runs every test, or those of the paths given:
//   node scripts/test.mjs packages/protocol providers/exec
// The last line says how it went: `N passed, N failed`, and `, N skipped` where some were.
// The tests that run are those whose source exists: a leftover in dist is never run.
import { existsSync, readdirSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { run } from 'node:test';
import { createReport } from './lib/test-report.mjs';
import { ensureBuilt, ensureInstalled, root, say, SetupError } from './lib/workspace.mjs';

const FILE_TIMEOUT_MS = 300_000;
// One test file per core, two at least; more makes tests that start processes fight over the cores.
const CONCURRENCY = 2;
const COMPILED = ['packages', 'providers'];
const PLAIN = ['interop', 'scripts', 'examples', 'bench'];

/** All files below a folder whose name ends with `suffix`, as absolute paths. */
function filesBelow(folder, suffix) {
  if (!existsSync(folder)) return [];
  const found = [];
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.name === 'node_modules' || entry.name === 'dist' || entry.name.startsWith('.'))
      continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) found.push(...filesBelow(path, suffix));
    else if (entry.name.endsWith(suffix)) found.push(path);
  }
  return found;
}

/** Pairs of source and the file that node runs. */
function discover() {
  const tests = [];
  for (const group of COMPILED) {
    for (const source of filesBelow(join(root, group), '.test.ts')) {
      const [kind, name, src, ...rest] = relative(root, source).split(sep);
      if (src !== 'src') continue;
      const built = join(root, kind, name, 'dist', ...rest).replace(/\.ts$/, '.js');
      tests.push({ source, file: built });
    }
  }
  for (const group of [...COMPILED, ...PLAIN]) {
    for (const source of filesBelow(join(root, group), '.test.mjs')) {
      tests.push({ source, file: source });
    }
  }
  return tests.sort((a, b) => (a.source < b.source ? -1 : 1));
}

/** Keeps the tests whose source, or built file, is one of the paths or below it. */
function select(tests, paths) {
  if (paths.length === 0) return { selected: tests, unmatched: [] };
  const wanted = paths.map((path) => resolve(path));
  const matches = (path, want) => path === want || path.startsWith(want + sep);
  const hit = (test, want) => matches(test.source, want) || matches(test.file, want);
  return {
    selected: tests.filter((test) => wanted.some((want) => hit(test, want))),
    unmatched: paths.filter((_, index) => !tests.some((test) => hit(test, wanted[index]))),
  };
}

/**
 * The project folders that have to be built for these tests: [] means all, undefined none. Tests beside the
 * packages use any of them; those of scripts use none.
 */
function projectsOf(tests, paths) {
  if (paths.length === 0) return [];
  const projects = new Set();
  for (const { source } of tests) {
    const [group, name] = relative(root, source).split(sep);
    if (COMPILED.includes(group)) projects.add(join(group, name));
    else if (group !== 'scripts') return [];
  }
  return projects.size === 0 ? undefined : [...projects];
}

async function main(paths) {
  const { selected, unmatched } = select(discover(), paths);
  if (unmatched.length > 0) {
    throw new SetupError(`No test is below ${unmatched.join(', ')}.`);
  }
  await ensureInstalled();
  const projects = projectsOf(selected, paths);
  if (projects !== undefined) await ensureBuilt(projects);
  const unbuilt = selected.filter((test) => !existsSync(test.file));
  if (unbuilt.length > 0) {
    const list = unbuilt.map((test) => relative(root, test.source)).join(', ');
    throw new SetupError(`Built without a result for ${list}; is its folder in tsconfig.json?`);
  }
  // NODE_OPTIONS and a parent's test context would change what the files do.
  delete process.env['NODE_TEST_CONTEXT'];
  const report = createReport({ root, out: process.stdout });
  const stream = run({
    files: selected.map((test) => test.file),
    concurrency: CONCURRENCY,
    timeout: FILE_TIMEOUT_MS,
  });
  for await (const { type, data } of stream) report.event(type, data);
  return report.end();
}

try {
  process.exitCode = (await main(process.argv.slice(2))) ? 0 : 1;
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  say(error.message);
  process.stdout.write('0 passed, 1 failed\n');
  process.exitCode = 1;
}
