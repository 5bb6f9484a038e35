// Checks that every package imports only what its layer may, by the table below (docs/architecture has the
// reasons). Looks at import, export-from, import() and require() in the sources, and at the dependencies
// in each package.json. Tests and fixtures may use more, as nothing of them ships.
//   node scripts/layering.mjs [ROOT]
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const SCOPE = '@tenon/';

/** The providers that come with the command line: named as dependencies, never imported. */
const BUNDLED = ['exec', 'filesystem', 'search', 'task', 'user', 'web'].map(
  (name) => `provider-${name}`,
);

/** What the code of each package that ships may import of ours, without the scope. */
const LAYERS = {
  'packages/protocol': [],
  'packages/go-plugin': [],
  'packages/test-support': [],
  'packages/provider': ['protocol', 'go-plugin'],
  'packages/kernel': ['protocol', 'go-plugin'],
  'packages/conformance': ['protocol', 'go-plugin', 'kernel'],
  'packages/mcp': ['protocol', 'provider', 'kernel'],
  'packages/cli': ['protocol', 'go-plugin', 'provider', 'kernel', 'conformance', 'mcp', ...BUNDLED],
  'providers/*': ['provider'],
};

/** What tests may import beside that, so that a layer can be tried out against those that use it. */
const FOR_TESTS = {
  'packages/protocol': ['test-support'],
  'packages/go-plugin': ['test-support'],
  'packages/test-support': [],
  'packages/provider': ['test-support'],
  'packages/kernel': ['test-support', 'provider'],
  'packages/conformance': ['test-support', 'provider'],
  'packages/mcp': ['test-support', 'go-plugin', 'conformance'],
  'packages/cli': ['test-support'],
  'providers/*': ['test-support', 'protocol', 'go-plugin', 'kernel', 'conformance'],
};

const IMPORT =
  /(?:\bfrom\s*|\bimport\s*\(\s*|\bimport\s+|\brequire\s*\(\s*)(['"])(?<specifier>[^'"\n]+)\1/g;

/**
 * Every breach of the layering below `root`, as one line of text each; empty when there is none.
 * @param {string} root
 * @returns {string[]}
 */
export function findViolations(root) {
  const violations = [];
  for (const folder of projectFolders(root)) {
    const allowed = rowOf(LAYERS, folder);
    if (allowed === undefined) {
      violations.push(`${folder}: is not in the table of scripts/layering.mjs`);
      continue;
    }
    const allowedInTests = [...allowed, ...(rowOf(FOR_TESTS, folder) ?? [])];
    violations.push(...checkManifest(root, folder, allowed, allowedInTests));
    for (const file of sourceFiles(join(root, folder))) {
      const may = isTest(relative(join(root, folder), file)) ? allowedInTests : allowed;
      violations.push(...checkSource(root, folder, file, may));
    }
  }
  return violations;
}

function rowOf(table, folder) {
  return table[folder] ?? table[`${folder.split('/')[0]}/*`];
}

function projectFolders(root) {
  return ['packages', 'providers'].flatMap((group) => {
    const path = join(root, group);
    if (!existsSync(path)) return [];
    return readdirSync(path, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && existsSync(join(path, entry.name, 'package.json')))
      .map((entry) => `${group}/${entry.name}`);
  });
}

function sourceFiles(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      return ['node_modules', 'dist', 'gen', 'templates'].includes(entry.name)
        ? []
        : sourceFiles(path);
    }
    return /\.(ts|mts|cts|js|mjs|cjs)$/.test(entry.name) ? [path] : [];
  });
}

function isTest(path) {
  return (
    /\.test\.\w+$/.test(path) ||
    path.split(sep).some((part) => part === 'fixtures' || part === 'testing')
  );
}

function checkSource(root, folder, file, allowed) {
  const where = relative(root, file);
  const own = join(root, folder);
  const found = [];
  for (const match of readFileSync(file, 'utf8').matchAll(IMPORT)) {
    const { specifier } = match.groups;
    if (specifier.startsWith('.')) {
      const target = resolve(dirname(file), specifier);
      if (!target.startsWith(own + sep)) {
        found.push(`${where}: reaches out of its package by ${specifier}; import it by name`);
      }
    } else if (specifier.startsWith(SCOPE)) {
      const [name, ...rest] = specifier.slice(SCOPE.length).split('/');
      const itself = specifier === ownName(own);
      if (!allowed.includes(name) && !itself) {
        found.push(`${where}: may not import ${specifier} (may: ${list(allowed)})`);
      } else if (rest.length > 0 && !exportsOf(root, name).includes(`./${rest.join('/')}`)) {
        found.push(`${where}: ${specifier} is not exported by ${SCOPE}${name}`);
      }
    }
  }
  return found;
}

function checkManifest(root, folder, allowed, allowedInTests) {
  const manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
  const check = (field, may) =>
    Object.keys(manifest[field] ?? {})
      .filter((name) => name.startsWith(SCOPE) && !may.includes(name.slice(SCOPE.length)))
      .map((name) => `${folder}/package.json: ${field} may not name ${name} (may: ${list(may)})`);
  return [
    ...check('dependencies', allowed),
    ...check('peerDependencies', allowed),
    ...check('optionalDependencies', allowed),
    ...check('devDependencies', allowedInTests),
  ];
}

function ownName(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).name;
}

function exportsOf(root, name) {
  const path = join(root, 'packages', name, 'package.json');
  return existsSync(path) ? Object.keys(JSON.parse(readFileSync(path, 'utf8')).exports ?? {}) : [];
}

function list(names) {
  return names.length === 0 ? 'nothing of ours' : names.map((name) => SCOPE + name).join(', ');
}

const self = fileURLToPath(import.meta.url);
if (process.argv[1] !== undefined && resolve(process.argv[1]) === self) {
  const root = resolve(process.argv[2] ?? join(dirname(self), '..'));
  const violations = findViolations(root);
  for (const violation of violations) console.error(violation);
  console.log(
    violations.length === 0 ? 'layering: in order' : `layering: ${violations.length} violations`,
  );
  process.exitCode = violations.length === 0 ? 0 : 1;
}
