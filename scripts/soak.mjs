// Runs random calls with random kills and cancels against a kernel, for as long as you like, and does the books at
// the end: no process, descriptor or socket left, and exactly one outcome in the journal for each call.
//   node scripts/soak.mjs [CALLS=20000] [SEED=1]
import { ensureBuilt, ensureInstalled } from './lib/workspace.mjs';

const calls = Number(process.argv[2] ?? 20_000);
const seed = Number(process.argv[3] ?? 1);

await ensureInstalled();
await ensureBuilt(['packages/kernel']);
const { runSoak } = await import('../packages/kernel/dist/fixtures/soak.js');

const started = Date.now();
const report = await runSoak({
  calls,
  seed,
  onProgress: (done) => process.stderr.write(`\r${done} of ${calls} calls`),
});
process.stderr.write('\n');
console.log(`seed ${seed}: ${calls} calls in ${Math.round((Date.now() - started) / 1000)} s`);
for (const [outcome, count] of [...report.outcomes].sort((a, b) => b[1] - a[1])) {
  console.log(`${String(count).padStart(8)}  ${outcome}`);
}
console.log(
  `${report.kills} kills, ${report.cancels} cancels, ${report.starts} provider starts, ` +
    `${report.journalEntries} journal entries: all of it adds up, nothing is left.`,
);
