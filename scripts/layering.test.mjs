import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { findViolations } from './layering.mjs';
import { root } from './lib/workspace.mjs';

/** A tree of files in a temp folder; `files` maps paths to text. */
function plant(t, files) {
  const folder = mkdtempSync(join(tmpdir(), 'tenon-layering-'));
  t.after(() => rmSync(folder, { recursive: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

const manifest = (name, rest = {}) =>
  JSON.stringify({ name: `@tenon/${name}`, exports: { '.': './x.js' }, ...rest });

test('the checkout itself keeps its layers', () => {
  assert.deepEqual(findViolations(root), []);
});

const planted = {
  'a plain import': "import { createKernel } from '@tenon/kernel';",
  'an import for its effect': "import '@tenon/kernel';",
  'a type': "import type { Kernel } from '@tenon/kernel';",
  'an import over several lines': "import {\n  createKernel,\n} from '@tenon/kernel';",
  'a re-export': "export * from '@tenon/kernel';",
  'a dynamic import': "const kernel = await import('@tenon/kernel');",
  'a type by import()': "type K = import('@tenon/kernel').Kernel;",
  'a require': "const kernel = require('@tenon/kernel');",
  'a path into the package': "import x from '@tenon/kernel/dist/call.js';",
  'a relative path': "import x from '../../kernel/src/call.js';",
};
for (const [name, code] of Object.entries(planted)) {
  test(`${name} of an upper layer is found`, (t) => {
    const folder = plant(t, {
      'packages/protocol/package.json': manifest('protocol'),
      'packages/protocol/src/a.ts': code,
    });
    const found = findViolations(folder);
    assert.equal(found.length, 1, found.join('\n'));
    assert.match(found[0], /^packages.protocol.src.a\.ts: /);
  });
}

test('a dependency in package.json is found, and a package without a row', (t) => {
  const folder = plant(t, {
    'packages/protocol/package.json': manifest('protocol', {
      dependencies: { '@tenon/kernel': '1' },
    }),
    'packages/other/package.json': manifest('other'),
  });
  const found = findViolations(folder).sort();
  assert.equal(found.length, 2);
  assert.match(found[0], /packages\/other: is not in the table/);
  assert.match(found[1], /dependencies may not name @tenon\/kernel/);
});

test('an inner file of an allowed package is not a way in', (t) => {
  const folder = plant(t, {
    'packages/protocol/package.json': manifest('protocol'),
    'packages/kernel/package.json': manifest('kernel'),
    'packages/kernel/src/a.ts': "import x from '@tenon/protocol/dist/inner.js';",
  });
  assert.match(findViolations(folder).join(), /is not exported by @tenon\/protocol/);
});

test('what is allowed is not reported; tests may use more than what ships', (t) => {
  const folder = plant(t, {
    'providers/exec/package.json': manifest('provider-exec'),
    'providers/exec/src/a.ts': "import { x } from '@tenon/provider';\nimport y from './b.js';",
    'providers/exec/src/a.test.ts': "import { k } from '@tenon/kernel';",
    'providers/exec/src/b.ts': "import { k } from '@tenon/kernel';",
  });
  const found = findViolations(folder);
  assert.equal(found.length, 1, found.join('\n'));
  assert.match(found[0], /src.b\.ts/);
});
