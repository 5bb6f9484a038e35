// The conformance kit over each of our own providers, with its case file. All of them are served by the same code, so
// that the handshake of each, and a thousand calls to each, are asked for where CI=true alone.
import { before, describe, it } from 'node:test';
import { checkProvider } from '@tenon/conformance';
import { rootPath } from './peers.mjs';

const everything = process.env['CI'] === 'true';

const PROVIDERS = {
  filesystem: 'bin/provider.js',
  search: 'bin/provider.js',
  exec: 'bin/provider.js',
  web: 'fixtures/beside-a-server.mjs',
  task: 'bin/provider.js',
  user: 'bin/provider.js',
};
const THOROUGH = 'filesystem';

for (const [name, program] of Object.entries(PROVIDERS)) {
  const skip = everything || name === THOROUGH ? [] : ['handshake', 'robustness.many_calls'];
  await checkProvider(
    { describe, it, before },
    {
      command: process.execPath,
      args: [rootPath('providers', name, program)],
      cases: rootPath('providers', name, 'conform.yaml'),
      skip,
      timeoutMs: 10_000,
    },
  );
}
