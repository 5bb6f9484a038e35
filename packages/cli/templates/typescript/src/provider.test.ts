import { before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { checkProvider } from '@tenon/conformance';

const root = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));

// One test for each requirement of the protocol.
await checkProvider(
  { describe, it, before },
  {
    command: process.execPath,
    args: [root('bin/provider.js')],
    cases: root('conform.yaml'),
  },
);
