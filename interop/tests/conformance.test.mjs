// The conformance kit over providers of other stacks: Go on the real go-plugin, Python on grpcio alone.
import { before, describe, it, test } from 'node:test';
import { checkProvider } from '@tenon/conformance';
import { goProgram, interopPath, python } from './peers.mjs';

// Whether there is a peer is known before the tests are declared; what is missing shows as one skipped test.
function ifThere(name, find, declare) {
  let reason;
  const found = find({ skip: (why) => void (reason = why) });
  if (found === undefined) test(name, { skip: reason ?? 'not there' }, () => {});
  return found === undefined ? undefined : declare(found);
}

await ifThere(
  'conformance of the Go provider',
  (t) => goProgram(t, 'provider'),
  (command) =>
    checkProvider(
      { describe, it, before },
      {
        command,
        cases: interopPath('go', 'conform.yaml'),
        timeoutMs: 10_000,
        // Go's go-plugin does not end a plugin whose host has died; it is a warning that takes long to come.
        skip: ['handshake.host_death'],
      },
    ),
);

await ifThere('conformance of the Python provider', python, (command) =>
  checkProvider(
    { describe, it, before },
    {
      command,
      args: [interopPath('python', 'provider.py')],
      cases: interopPath('python', 'conform.yaml'),
      tls: false,
      timeoutMs: 10_000,
    },
  ),
);
