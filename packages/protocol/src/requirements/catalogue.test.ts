import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { CATEGORIES } from '../errors/categories.js';
import { REQUIREMENT_GROUPS, REQUIREMENTS, requirement } from './catalogue.js';

const source = fileURLToPath(new URL('../../src', import.meta.url));

describe('the catalogue of requirements', () => {
  it('has ids that are unique, in their group and numbered without gaps', () => {
    assert.equal(new Set(REQUIREMENTS.map(({ id }) => id)).size, REQUIREMENTS.length);
    for (const { group, requirements } of REQUIREMENT_GROUPS) {
      const expected = requirements.map(
        (_, index) => `${group}-${String(index + 1).padStart(2, '0')}`,
      );
      assert.deepEqual(
        requirements.map(({ id }) => id),
        expected,
      );
    }
  });

  it('says of each one what, why and how', () => {
    for (const { id, title, text, why, howToSatisfy, side } of REQUIREMENTS) {
      for (const words of [title, text, why, howToSatisfy]) assert.ok(words.trim().length > 3, id);
      assert.ok(side.length > 0, id);
      assert.match(text, /\.$/, id);
    }
  });

  it('finds one by its id, and nothing else', () => {
    assert.equal(requirement('EVT-01')?.title, 'One end');
    for (const id of ['EVT-99', 'evt-01', '__proto__', 'toString'])
      assert.equal(requirement(id), undefined);
  });

  it('knows every id that the source of this package names', () => {
    const files = readdirSync(source, { recursive: true, encoding: 'utf8' });
    for (const file of files.filter((name) => name.endsWith('.ts') && !name.includes('gen'))) {
      if (file.endsWith('catalogue.test.ts')) continue;
      for (const [id] of readFileSync(join(source, file), 'utf8').matchAll(
        /\b[A-Z]{3,4}-\d\d\b/g,
      )) {
        assert.ok(requirement(id) !== undefined, `${file} names ${id}`);
      }
    }
    for (const { requirements } of Object.values(CATEGORIES)) {
      for (const id of requirements) assert.ok(requirement(id) !== undefined, id);
    }
  });
});
