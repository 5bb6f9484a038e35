// A cold `tenon call` beside a bare node and the start of one provider, and whether several providers start side by
// side.
//   node bench/cold.mjs [ROUNDS]
import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  FILESYSTEM,
  median,
  openKernel,
  project,
  provider,
  rawClient,
  ROOT,
  row,
} from './lib/setup.mjs';

const rounds = Number(process.argv[2] ?? 7);
const { folder, next, close } = project();

async function timed(one) {
  const times = [];
  for (let i = 0; i < rounds; i++) {
    const started = performance.now();
    await one();
    times.push(performance.now() - started);
  }
  return median(times);
}

const bare = await timed(() => spawnSync(process.execPath, ['-e', '0']));
const start = await timed(async () => {
  const client = await rawClient(FILESYSTEM);
  await client.plugin.kill();
});
const kernelOf = async (count) => {
  const kernel = await openKernel(
    Array.from({ length: count }, (_, index) =>
      provider(`p${index}`, FILESYSTEM, { allowed_roots: [folder] }),
    ),
  );
  await kernel.close();
};
row('node -e 0', bare, 'ms');
row('start of one provider', start, 'ms');
row('kernel with one provider, opened and closed', await timed(() => kernelOf(1)), 'ms');
row('kernel with four providers, opened and closed', await timed(() => kernelOf(4)), 'ms');

const bin = join(ROOT, 'packages/cli/bin/tenon.js');
if (existsSync(bin)) {
  const config = join(folder, 'agent.json');
  writeFileSync(
    config,
    JSON.stringify({
      provider: {
        filesystem: {
          command: process.execPath,
          args: [FILESYSTEM],
          dev: true,
          config: { allowed_roots: [folder] },
        },
      },
    }),
  );
  const args = ['call', 'filesystem.read_file', '--path', next()];
  const call = await timed(() => {
    const result = spawnSync(process.execPath, [bin, ...args], { cwd: folder, encoding: 'utf8' });
    if (result.status !== 0) throw new Error(result.stdout + result.stderr);
  });
  row('tenon call, one read', call, 'ms');
  row('tenon call / (node + provider)', call / (bare + start), '', 'wanted: at most 3');
}
close();
