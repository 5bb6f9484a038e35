// What the benches share: a kernel over a real provider, a raw grpc-js client on a process of the same provider, and
// how a figure is taken.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { allowedEnv, DEFAULT_ENV_NAMES, launch, serviceDefinition } from '@tenon/go-plugin';
import { createKernel, DEFAULT_SETTINGS } from '@tenon/kernel';
import { toolV1 } from '@tenon/protocol';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
export const FILESYSTEM = join(ROOT, 'providers/filesystem/bin/provider.js');
export const MISBEHAVING = join(ROOT, 'packages/kernel/fixtures/misbehaving.mjs');

/** A folder with a thousand small files, removed by `close`. `next` names one after the other. */
export function project() {
  const folder = mkdtempSync(join(tmpdir(), 'tenon-bench-'));
  const names = Array.from({ length: 1_000 }, (_, index) => `file-${index}.txt`);
  for (const name of names) writeFileSync(join(folder, name), 'one line\n');
  let at = 0;
  return {
    folder,
    // Never the same twice in a row: the kernel would take that for a model that is stuck.
    next: () => names[at++ % names.length],
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** The configuration of one provider that is started by node. */
export function provider(name, script, settings = {}) {
  return {
    name,
    launch: {
      type: 'command',
      command: process.execPath,
      args: [script],
      env: {},
      envAllow: [],
      tls: 'mutual',
    },
    dev: true,
    settings,
    locations: new Map(),
    timeoutsMs: {},
  };
}

/** A kernel in which everything is allowed. */
export function openKernel(providers, settings = {}) {
  return createKernel({
    config: {
      providers,
      policies: [{ name: 'all', match: { kind: 'resource' }, action: 'allow' }],
      hooks: [],
      settings: { ...DEFAULT_SETTINGS, ...settings },
      warnings: [],
    },
  });
}

/** A plain grpc-js client on a process of a provider: no kernel in between. */
export async function rawClient(script) {
  const plugin = await launch({
    command: process.execPath,
    args: [script],
    env: allowedEnv(DEFAULT_ENV_NAMES),
    handshake: {
      cookieKey: 'PLUGGABLEHARNESS_AGENT_PLUGIN',
      cookieValue: 'pluggableharness-agent-v1-a6f3c9d2-plugin-handshake',
      protocolVersions: [1],
    },
  });
  const client = plugin.client(toolV1.ToolService);
  const { invoke, configure } = serviceDefinition(toolV1.ToolService);
  const request = (toolName, args, workingDirectory) => ({
    $typeName: 'pluggableharness.tool.v1.InvokeRequest',
    call: {
      $typeName: 'pluggableharness.tool.v1.ToolCall',
      id: 'call',
      toolName,
      arguments: args,
      callContext: {
        $typeName: 'pluggableharness.common.v1.CallContext',
        sessionId: 's',
        turnId: 't',
        workingDirectory,
      },
    },
  });
  return {
    plugin,
    configure: (config) =>
      new Promise((resolve, reject) => {
        client.makeUnaryRequest(
          configure.path,
          configure.requestSerialize,
          configure.responseDeserialize,
          { $typeName: 'pluggableharness.tool.v1.ConfigureRequest', config },
          (error) => (error === null ? resolve() : reject(error)),
        );
      }),
    /** One server-streaming call, read to its end. */
    call: (toolName, args, workingDirectory) =>
      new Promise((resolve, reject) => {
        let last;
        const stream = client.makeServerStreamRequest(
          invoke.path,
          invoke.requestSerialize,
          invoke.responseDeserialize,
          request(toolName, args, workingDirectory),
        );
        stream.on('data', (message) => {
          last = message;
        });
        stream.on('error', reject);
        stream.on('end', () => resolve(last));
      }),
    close: () => plugin.stop(),
  };
}

/** Calls per second of `one`, with so many in flight. */
export async function throughput(one, { calls, inFlight }) {
  let left = calls;
  const started = performance.now();
  await Promise.all(
    Array.from({ length: inFlight }, async () => {
      while (left-- > 0) await one();
    }),
  );
  return (calls * 1000) / (performance.now() - started);
}

/** The middle one. */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

/** Takes turns between the candidates, round by round, so that noise of the machine meets them alike. */
export async function compare(candidates, { rounds, ...load }) {
  const results = new Map(candidates.map(({ name }) => [name, []]));
  for (const { one } of candidates) await throughput(one, { ...load, calls: load.calls / 2 });
  for (let round = 0; round < rounds; round++) {
    for (const { name, one } of candidates) results.get(name).push(await throughput(one, load));
  }
  return new Map([...results].map(([name, values]) => [name, median(values)]));
}

export function row(name, value, unit, note = '') {
  const shown =
    typeof value === 'number' ? value.toLocaleString('en', { maximumFractionDigits: 2 }) : value;
  console.log(`${name.padEnd(58)} ${String(shown).padStart(12)} ${unit.padEnd(8)} ${note}`);
}
