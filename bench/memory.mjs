// Resident memory of kernel and provider over many calls.
//   node bench/memory.mjs [CALLS=100000]
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FILESYSTEM, openKernel, project, provider, row, throughput } from './lib/setup.mjs';

const calls = Number(process.argv[2] ?? 100_000);
const step = calls / 10;
const { folder, next, close } = project();
// The journal is a file, as it is for everybody; one in memory grows with what is in it.
const kernel = await openKernel([provider('filesystem', FILESYSTEM, { allowed_roots: [folder] })], {
  journalPath: join(folder, 'journal.db'),
});
const session = await kernel.openSession({ workingDirectory: folder });

/** Megabytes of a process, where the system tells. */
function resident(pid) {
  const text = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(text)[1]) / 1024;
}

const one = async () => {
  const outcome = await session.call({
    name: 'filesystem.stat',
    arguments: { path: next() },
  });
  if (outcome.status !== 'ok') throw new Error(JSON.stringify(outcome));
};
const samples = [];
for (let done = 0; done < calls; done += step) {
  await throughput(one, { calls: step, inFlight: 8 });
  const sample = { own: resident(process.pid), provider: resident(kernel.providers()[0].pid) };
  samples.push(sample);
  row(`after ${(done + step).toLocaleString('en')} calls: kernel`, sample.own, 'MB');
  row(`after ${(done + step).toLocaleString('en')} calls: provider`, sample.provider, 'MB');
}
const growth = (pick) => (pick(samples.at(-1)) / pick(samples[0]) - 1) * 100;
row(
  'kernel since the first tenth',
  growth((sample) => sample.own),
  '%',
  'wanted: under 20',
);
row(
  'provider since the first tenth',
  growth((sample) => sample.provider),
  '%',
  'wanted: under 20',
);
await session.end();
await kernel.close();
close();
