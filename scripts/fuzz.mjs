// Throws mutated and truncated messages, frames and handshake lines at the kernel and at the SDK, from a raw peer.
// Every case must be classified; a crash, a hang or something left behind fails the run.
//   node scripts/fuzz.mjs [CASES=100000] [SEED=1]
import { ensureBuilt, ensureInstalled } from './lib/workspace.mjs';

const cases = Number(process.argv[2] ?? 100_000);
const seed = Number(process.argv[3] ?? 1);

await ensureInstalled();
await ensureBuilt(['packages/kernel', 'packages/provider']);
const fuzz = await import('../packages/kernel/dist/fixtures/fuzz.js');

/** Each with its share of the cases. */
const parts = [
  { name: 'messages to the kernel', run: fuzz.fuzzMessages, share: 0.4 },
  { name: 'frames to the kernel', run: fuzz.fuzzFrames, share: 0.1 },
  { name: 'handshake lines', run: fuzz.fuzzHandshakeLines, share: 0.2 },
  { name: 'messages and frames to the SDK', run: fuzz.fuzzSdk, share: 0.3 },
];
for (const { name, run, share } of parts) {
  const count = Math.max(1, Math.round(cases * share));
  const started = Date.now();
  const report = await run({
    cases: count,
    seed,
    onProgress: (done) => process.stderr.write(`\r${name}: ${done} of ${count}`),
  });
  process.stderr.write('\r');
  const ends = [...report].sort((a, b) => b[1] - a[1]).map(([end, times]) => `${end}: ${times}`);
  console.log(`${name}: ${count} cases in ${Math.round((Date.now() - started) / 1000)} s`);
  console.log(`  ${ends.join(', ')}`);
}
console.log(`seed ${seed}: every case was classified.`);
