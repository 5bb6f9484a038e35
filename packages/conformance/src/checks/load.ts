// From a check of the catalogue to its code.
import type { ProviderGroup } from './catalogue.js';
import type { Run } from './group.js';

const LOADERS: Readonly<Record<ProviderGroup, () => Promise<Readonly<Record<string, Run>>>>> = {
  handshake: async () => (await import('./handshake.js')).handshake,
  schema: async () => (await import('./schema.js')).schema,
  configure: async () => (await import('./configure.js')).configure,
  invoke: async () => (await import('./invoke.js')).invoke,
  errors: async () => (await import('./errors.js')).errors,
  events: async () => (await import('./events.js')).events,
  cancellation: async () => (await import('./cancellation.js')).cancellation,
  concurrency: async () => (await import('./concurrency.js')).concurrency,
  idempotence: async () => (await import('./idempotence.js')).idempotence,
  purity: async () => (await import('./purity.js')).purity,
  determinism: async () => (await import('./determinism.js')).determinism,
  robustness: async () => (await import('./robustness.js')).robustness,
  secrets: async () => (await import('./secrets.js')).secrets,
};

export async function loadCheck(id: string): Promise<Run> {
  const [group = '', name = ''] = id.split('.');
  const load = (LOADERS as Readonly<Record<string, (typeof LOADERS)[ProviderGroup]>>)[group];
  const run = (await load?.())?.[name];
  if (run === undefined) throw new Error(`there is no check ${id}`);
  return run;
}
