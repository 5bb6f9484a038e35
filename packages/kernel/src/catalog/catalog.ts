// Opens the catalog: starts the configured providers and lists what they offer.
import type { KernelCallbacks, ProviderIdentity } from '@tenon/protocol';
import type { KernelConfig, ProviderConfig } from '../config/model.js';
import type { KernelObserver } from '../invoke/recorder.js';
import type { Catalog } from './model.js';

export type {
  Catalog,
  CatalogEntry,
  CrashReport,
  ProviderConnection,
  ProviderRuntime,
} from './model.js';

/** A command as it will be executed. */
export interface LaunchCommand {
  readonly command: string;
  readonly args: readonly string[];
}

export interface CatalogOptions {
  readonly config: KernelConfig;
  /** The callback service of one provider, bound to it. */
  readonly callbacks: (provider: string, identity: () => ProviderIdentity) => KernelCallbacks;
  readonly observer: KernelObserver;
  /** Start only these; default all. Others start at their first call. */
  readonly start?: readonly string[];
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
export function openCatalog(options: CatalogOptions): Promise<Catalog> {
  return Promise.reject(new Error(`not built yet: ${options.config.providers.length}`));
}
