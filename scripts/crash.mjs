// Kills kernels in the middle of turns, for as long as you like, and compares after each few what the journal says with
// what the providers did: nothing twice, nothing lost, no provider left.
//   node scripts/crash.mjs [ROUNDS=300] [SEED]
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuilt, ensureInstalled } from './lib/workspace.mjs';

const rounds = Number(process.argv[2] ?? 300);
const seed = Number(process.argv[3] ?? Date.now() % 100_000);

await ensureInstalled();
await ensureBuilt(['packages/kernel']);
const { crashRounds } = await import('../packages/kernel/dist/fixtures/crash-rounds.js');
const { seeded } = await import('../packages/kernel/dist/fixtures/random.js');

const folder = mkdtempSync(join(tmpdir(), 'tenon-crash-'));
const random = seeded(seed);
console.log(`${rounds} kernels, seed ${seed}`);
try {
  console.log(await crashRounds({ folder, rounds, together: 4, random: () => random.next() }));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
