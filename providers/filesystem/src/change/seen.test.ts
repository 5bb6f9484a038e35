import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSeenFiles } from './seen.js';

test('what was seen is kept by session, and what was not seen for the longest time is forgotten', () => {
  const seen = createSeenFiles();
  seen.remember('S', '/first', '1');
  seen.remember('S', '/f', 'a');
  seen.remember('T', '/f', 'b');
  assert.equal(seen.lastSeen('S', '/f'), 'a');
  assert.equal(seen.lastSeen('T', '/f'), 'b');
  for (let i = 0; i < 9_998; i++) {
    seen.remember('S', `/${i}`, 'x');
    seen.remember('S', '/f', 'c');
  }
  assert.equal(seen.lastSeen('S', '/first'), undefined);
  assert.equal(seen.lastSeen('S', '/f'), 'c');
});
