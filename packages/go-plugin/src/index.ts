// Public index: the go-plugin contract for Node, the host's side (`launch`) and the plugin's
// (`serve`). Everything exported here is documented where it is declared.
export { LaunchError, type LaunchFailure } from './host/launch-error.js';
export { launch } from './host/launch.js';
export { serve } from './plugin/serve.js';
export { type Certificate, generateCertificate } from './contract/certificate.js';
export { allowedEnv, DEFAULT_ENV_NAMES } from './contract/env.js';
export {
  CORE_VERSION,
  formatHandshakeLine,
  type HandshakeLine,
  type HandshakeResult,
  parseHandshakeLine,
} from './contract/handshake-line.js';
export { grpcService, serviceDefinition } from './contract/service.js';
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
  TypedServiceDefinition,
} from './types.js';
