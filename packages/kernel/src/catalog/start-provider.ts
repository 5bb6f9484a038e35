// One start of a provider: verify, launch, ask who it is and what it offers, configure it. What fails half-way
// leaves no process behind.
import {
  type KernelCallbacks,
  type ProviderIdentity,
  type ReadProviderSchema,
  ToolError,
} from '@tenon/protocol';
import type { KernelSettings, ProviderConfig } from '../config/model.js';
import { decodeSettings } from '../config/settings.js';
import { openGrpcConnection, type ReadingConnection } from '../invoke/grpc-connection.js';
import { openInProcessConnection } from '../invoke/in-process-connection.js';
import type { KernelObserver } from '../invoke/recorder.js';
import { commandPath, providerEnv } from './command.js';
import type { ProviderConnection } from './model.js';
import { outputLines } from './output-lines.js';

/** A command as it will be executed. */
export interface LaunchCommand {
  readonly command: string;
  readonly args: readonly string[];
}

export interface StartOptions {
  readonly config: ProviderConfig;
  readonly incarnation: number;
  readonly settings: KernelSettings;
  readonly callbacks: KernelCallbacks;
  readonly observer: KernelObserver;
  /** RPC-11: verifies the file before it is executed, and may replace the command. */
  readonly beforeLaunch:
    | ((provider: ProviderConfig, path: string) => Promise<LaunchCommand>)
    | undefined;
  /** Told the secrets of the provider's settings before it is configured (CFG-02). */
  readonly onSecrets: ((values: readonly string[]) => void) | undefined;
  /** Aborts the start. */
  readonly signal: AbortSignal;
}

export interface Started {
  readonly connection: ProviderConnection;
  readonly identity: ProviderIdentity;
  readonly read: ReadProviderSchema;
}

/** Rejects with LaunchError, ToolError, ConfigError for its settings, or what `beforeLaunch` threw. */
export async function startProvider(options: StartOptions): Promise<Started> {
  const connection = await open(options);
  try {
    const [identity, read] = await Promise.all([
      identify(options, connection),
      connection.readSchema(),
    ]);
    refuseOthers(options.config.name, identity);
    await configure(options, connection, read);
    return { connection, identity, read };
  } catch (error) {
    await connection.kill('its start failed');
    throw error;
  }
}

async function open(options: StartOptions): Promise<ReadingConnection> {
  const { config, incarnation, callbacks, settings } = options;
  const { launch } = config;
  if (launch.type === 'in_process') {
    return openInProcessConnection({
      provider: config.name,
      incarnation,
      implementation: launch.provider,
      callbacks,
    });
  }
  const path = await commandPath(launch);
  const command = (await options.beforeLaunch?.(config, path)) ?? {
    command: path,
    args: launch.args,
  };
  const lines = outputLines((stream, text) => {
    void options.observer({ type: 'provider_output', provider: config.name, stream, text });
  });
  const connection = await openGrpcConnection({
    provider: config.name,
    incarnation,
    settings,
    callbacks,
    launch: {
      ...command,
      env: providerEnv(launch),
      tls: launch.tls,
      startTimeoutMs: launch.startTimeoutMs ?? settings.startTimeoutMs,
      signal: options.signal,
      onOutput: ({ stream, data }) => lines.write(stream, data),
      ...(launch.cwd === undefined ? {} : { cwd: launch.cwd }),
    },
  });
  void connection.closed.then(() => lines.flush());
  return connection;
}

/** A provider without Describe is known by what its configuration says. */
async function identify(
  { config, observer }: StartOptions,
  connection: ReadingConnection,
): Promise<ProviderIdentity> {
  try {
    return await connection.describe();
  } catch (error) {
    if (!(error instanceof ToolError) || error.category === 'process_crashed') throw error;
    void observer({
      type: 'log',
      provider: config.name,
      level: 'warn',
      message: `${error.message} Its identity is taken from the configuration.`,
    });
    return {
      name: config.name,
      version: config.version ?? 'unknown',
      source: config.source ?? '',
      category: 'tool',
      protocolVersion: 1,
    };
  }
}

function refuseOthers(name: string, identity: ProviderIdentity): void {
  const { category } = identity;
  if (category === 'tool' || category === 'unspecified') return;
  throw new ToolError({
    category: 'invalid_arguments',
    retryable: false,
    message: `${name} is a provider of category ${category}, not of tools (RPC-02); take it out of the configuration.`,
    details: { requirement: 'RPC-02', category },
  });
}

async function configure(
  { config, onSecrets }: StartOptions,
  connection: ReadingConnection,
  { schema }: ReadProviderSchema,
): Promise<void> {
  const settings = decodeSettings(schema.config, config);
  onSecrets?.(settings.sensitiveValues);
  await connection.configure(settings.config);
}
