import { fileURLToPath } from 'node:url';
import { test } from 'node:test';
import { checkProvider } from '@tenon/conformance';

const root = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));

// One test for each requirement of the protocol.
await checkProvider({
  test,
  command: [process.execPath, root('bin/provider.js')],
  cases: root('conform.yaml'),
});
