// Opens the catalog: starts the configured providers and lists what they offer.
import type { KernelCallbacks, ProviderIdentity } from '@tenon/protocol';
import type { KernelConfig, ProviderConfig } from '../config/model.js';
import type { KernelObserver } from '../invoke/recorder.js';
import type { Catalog, CatalogEntry, ProviderRuntime } from './model.js';
import { createRuntime } from './provider-runtime.js';
import type { LaunchCommand } from './start-provider.js';
import { suggest } from './suggest.js';

export type { LaunchCommand } from './start-provider.js';

export interface CatalogOptions {
  readonly config: KernelConfig;
  /** The callback service of one provider, bound to it. */
  readonly callbacks: (provider: string, identity: () => ProviderIdentity) => KernelCallbacks;
  readonly observer: KernelObserver;
  /** Start only these; default all. Others start at their first call. */
  readonly start?: readonly string[];
  /** Told the secrets of each provider's settings, before it can say anything about them (CFG-02). */
  readonly onSecrets?: (values: readonly string[]) => void;
  /**
   * Called before each start with the absolute path of the command: verifies it against the lock file
   * (RPC-11) and may replace it. A rejection keeps the provider from being started.
   */
  readonly beforeLaunch?: (provider: ProviderConfig, commandPath: string) => Promise<LaunchCommand>;
}

/**
 * Starts the providers in parallel and resolves when each of them is ready or has failed. One that failed is
 * listed with its problem, and does not keep the others from working.
 */
export async function openCatalog(options: CatalogOptions): Promise<Catalog> {
  let index: ReadonlyMap<string, CatalogEntry | undefined> | undefined;
  const runtimes = options.config.providers.map((config): ProviderRuntime => {
    const runtime: ProviderRuntime = createRuntime({
      config,
      settings: options.config.settings,
      callbacks: options.callbacks(config.name, () => runtime.identity),
      observer: options.observer,
      beforeLaunch: options.beforeLaunch,
      onSecrets: options.onSecrets,
      onSchema: () => {
        index = undefined;
      },
    });
    return runtime;
  });
  const wanted = options.start === undefined ? undefined : new Set(options.start);
  await Promise.all(
    runtimes
      .filter(({ name }) => wanted === undefined || wanted.has(name))
      // What went wrong is in its status; nothing is lost.
      .map((runtime) => runtime.connection().catch(() => undefined)),
  );

  const entries = (): readonly CatalogEntry[] => runtimes.flatMap((runtime) => runtime.entries());
  return {
    entries,
    providers: () => runtimes,
    resolve(name) {
      index ??= indexOf(entries());
      return index.get(name);
    },
    suggest: (name) =>
      suggest(
        name,
        entries().map((entry) => entry.qualifiedName),
      ),
    async close() {
      await Promise.all(runtimes.map((runtime) => runtime.stop()));
    },
  };
}

/** Every name of every operation; undefined for one that means several. */
function indexOf(entries: readonly CatalogEntry[]): ReadonlyMap<string, CatalogEntry | undefined> {
  const index = new Map<string, CatalogEntry | undefined>();
  for (const entry of entries) index.set(entry.qualifiedName, entry);
  for (const names of [
    (entry: CatalogEntry) => entry.modelName,
    (entry: CatalogEntry) => entry.operation.name,
  ]) {
    const seen = new Map<string, CatalogEntry | undefined>();
    for (const entry of entries) seen.set(names(entry), seen.has(names(entry)) ? undefined : entry);
    for (const [name, entry] of seen) if (!index.has(name)) index.set(name, entry);
  }
  return index;
}
