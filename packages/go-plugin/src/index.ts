export { LaunchError, type LaunchFailure } from './launch-error.js';
export { grpcService, serviceDefinition } from './service.js';
export type {
  BrokerConnection,
  GrpcService,
  Handshake,
  LaunchOptions,
  PluginBroker,
  PluginOutput,
  PluginProcess,
  ProcessExit,
  ServedPlugin,
  ServeOptions,
  ServiceHandlers,
  SpawnCommand,
} from './types.js';

import type { LaunchOptions, PluginProcess, ServedPlugin, ServeOptions } from './types.js';

/** Starts a plugin and connects to it. Raises {@link LaunchError}. */
export function launch(options: LaunchOptions): Promise<PluginProcess> {
  throw new Error(`launch is being built: ${options.command}`);
}

/** Serves as a plugin. */
export function serve(options: ServeOptions): Promise<ServedPlugin> {
  throw new Error(`serve is being built: ${options.displayName}`);
}
