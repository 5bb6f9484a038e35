import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createFileLocks } from './locks.js';

test('F6: never two on one path, all get their turn, in their order', async () => {
  const path = fc.constantFrom('a', 'b', 'c', 'd');
  const work = fc.record({
    paths: fc.array(path, { minLength: 1, maxLength: 4 }),
    turns: fc.nat({ max: 3 }),
    fails: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(work, { maxLength: 12 }), async (works) => {
      const locks = createFileLocks();
      const held = new Set<string>();
      const order = new Map<string, number[]>();
      const done = works.map((one, index) =>
        locks(one.paths, async () => {
          const own = new Set(one.paths);
          for (const each of own) {
            assert.ok(!held.has(each), `${each} is held twice`);
            held.add(each);
            order.set(each, [...(order.get(each) ?? []), index]);
          }
          for (let i = 0; i < one.turns; i++) await new Promise(setImmediate);
          for (const each of own) held.delete(each);
          if (one.fails) throw new Error('fails');
        }),
      );
      await Promise.allSettled(done);
      for (const [each, indexes] of order) {
        assert.deepEqual(
          indexes,
          [...indexes].sort((x, y) => x - y),
        );
        const wanting = works.filter((one) => one.paths.some((other) => other === each));
        assert.equal(indexes.length, wanting.length);
      }
    }),
    { numRuns: 100 },
  );
});

test('works on different paths overlap', async () => {
  const locks = createFileLocks();
  let release: () => void = () => {};
  const first = locks(['a'], () => new Promise<void>((resolve) => (release = resolve)));
  assert.equal(await locks(['b'], async () => 'ran'), 'ran');
  release();
  await first;
});
