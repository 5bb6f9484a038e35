// How much a call through the kernel costs beside the same call by a plain grpc-js client to the same provider.
//   node bench/calls.mjs [ROUNDS]
import {
  compare,
  FILESYSTEM,
  openKernel,
  project,
  provider,
  rawClient,
  row,
} from './lib/setup.mjs';

const rounds = Number(process.argv[2] ?? 7);
const { folder, next, close } = project();
const kernel = await openKernel([provider('filesystem', FILESYSTEM, { allowed_roots: [folder] })]);
const raw = await rawClient(FILESYSTEM);
try {
  await raw.configure({ allowed_roots: [folder] });
  const session = await kernel.openSession({ workingDirectory: folder });
  const candidates = [
    {
      name: 'raw',
      one: () => raw.call('stat', { path: next() }, folder),
    },
    {
      name: 'kernel',
      async one() {
        const outcome = await session.call({
          name: 'filesystem.stat',
          arguments: { path: next() },
        });
        if (outcome.status !== 'ok') throw new Error(JSON.stringify(outcome));
      },
    },
  ];
  for (const inFlight of [1, 32]) {
    const result = await compare(candidates, { rounds, calls: 1_500, inFlight });
    const [rawRate, kernelRate] = [result.get('raw'), result.get('kernel')];
    row(`raw grpc-js, ${inFlight} in flight`, rawRate, 'calls/s');
    row(`kernel, ${inFlight} in flight`, kernelRate, 'calls/s');
    row(`kernel / raw, ${inFlight} in flight`, kernelRate / rawRate, '', 'wanted: at least 0.8');
  }
  await session.end();
} finally {
  await kernel.close();
  await raw.close();
  close();
}
