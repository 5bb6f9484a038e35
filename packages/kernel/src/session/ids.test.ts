import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isValid } from 'ulid';
import { newId } from './ids.js';

test('ids are ULIDs, and a hundred thousand of them differ', () => {
  const ids = new Set(Array.from({ length: 100_000 }, newId));
  assert.equal(ids.size, 100_000);
  for (const id of [...ids].slice(0, 100)) assert.ok(isValid(id), id);
});
