// One configured provider across all of its starts: it is started when it is needed, asked what it offers,
// configured, watched, and started again after it died, ever more slowly when it keeps dying.
import {
  compileValidator,
  type KernelCallbacks,
  type Operation,
  type ProviderIdentity,
  type ProviderSchema,
  ToolError,
  type ToolErrorData,
} from '@tenon/protocol';
import type { ProviderStatus } from '../api.js';
import type { KernelSettings, ProviderConfig } from '../config/model.js';
import type { KernelObserver } from '../invoke/recorder.js';
import { createLockTable } from '../locks/lock-table.js';
import type { CatalogEntry, CrashReport, ProviderConnection, ProviderRuntime } from './model.js';
import { restartDelayMs } from './restart-delay.js';
import { type Started, startProvider, type StartOptions } from './start-provider.js';

export interface RuntimeOptions {
  readonly config: ProviderConfig;
  readonly settings: KernelSettings;
  readonly callbacks: KernelCallbacks;
  readonly observer: KernelObserver;
  readonly beforeLaunch: StartOptions['beforeLaunch'];
  readonly onSecrets: StartOptions['onSecrets'];
  /** Told when the operations have changed. */
  readonly onSchema: () => void;
}

/** A process that has lived as long as this was not one that dies at start. */
const PROVEN_MS = 10_000;
/** The longest pause that a call waits for; beyond, it is told when to come back. */
const MAX_WAIT_MS = 2_000;

const NO_OPERATIONS: ProviderSchema = {
  operations: [],
  slashCommands: [],
  config: [],
  supportedHookPoints: [],
};

/** A provider that has not been started. */
export function createRuntime(options: RuntimeOptions): ProviderRuntime {
  const { config, observer } = options;
  const { name } = config;
  let identity = identityOfConfig(config);
  let schema = NO_OPERATIONS;
  let schemaText = '';
  let entries: readonly CatalogEntry[] = [];
  let refused: ProviderStatus['refused'] = [];
  let live: ProviderConnection | undefined;
  let starting: Promise<ProviderConnection> | undefined;
  let stopped: Promise<void> | undefined;
  let state: ProviderStatus['state'] = 'stopped';
  let problem: string | undefined;
  let incarnation = 0;
  let failures = 0;
  let notBefore = 0;
  const backed = new Map<string, boolean>();
  const aborter = new AbortController();

  async function start(): Promise<ProviderConnection> {
    await pauseAfterFailures();
    incarnation++;
    let started: Started;
    try {
      started = await startProvider({
        config,
        incarnation,
        settings: options.settings,
        callbacks: options.callbacks,
        observer,
        beforeLaunch: options.beforeLaunch,
        onSecrets: options.onSecrets,
        signal: aborter.signal,
      });
    } catch (error) {
      state = 'failed';
      const data = startError(name, error);
      problem = data.message;
      noteFailure();
      throw new ToolError(data, { cause: error });
    }
    if (stopped !== undefined) {
      await started.connection.stop();
      throw new ToolError(closedError(name));
    }
    return accept(started);
  }

  function accept(started: Started): ProviderConnection {
    const { connection } = started;
    identity = started.identity;
    refused = started.read.refused;
    const text = JSON.stringify(started.read.schema);
    if (text !== schemaText) {
      schemaText = text;
      schema = started.read.schema;
      entries = schema.operations.map((operation) => entryOf(runtime, operation));
      options.onSchema();
    }
    live = connection;
    state = 'ready';
    problem = undefined;
    const startedAt = Date.now();
    void connection.closed.then((report) => ended(connection, report, Date.now() - startedAt));
    void observer({
      type: 'provider_started',
      provider: name,
      ...(connection.pid === undefined ? {} : { pid: connection.pid }),
      version: identity.version,
    });
    return connection;
  }

  function ended(connection: ProviderConnection, report: CrashReport, livedMs: number): void {
    if (live === connection) live = undefined;
    if (report.expected) state = 'stopped';
    else {
      state = 'crashed';
      problem = report.reason;
      if (livedMs >= PROVEN_MS) failures = 0;
      noteFailure();
    }
    void observer({
      type: 'provider_exited',
      provider: name,
      reason: report.reason,
      expected: report.expected,
    });
  }

  function noteFailure(): void {
    failures++;
    notBefore = Date.now() + restartDelayMs(failures);
  }

  async function pauseAfterFailures(): Promise<void> {
    const wait = notBefore - Date.now();
    if (wait <= 0) return;
    if (wait > MAX_WAIT_MS) {
      throw new ToolError({
        category: 'process_crashed',
        retryable: true,
        message: `Provider ${name} failed ${failures} times in a row (${problem ?? 'it died'}); it will be started again in ${Math.ceil(wait / 1000)} s at the earliest.`,
        details: { failures, retry_after_ms: wait },
      });
    }
    await new Promise((resolve) => setTimeout(resolve, wait));
  }

  const runtime: ProviderRuntime = {
    name,
    config,
    get identity() {
      return identity;
    },
    get schema() {
      return schema;
    },
    locks: createLockTable(),
    entries: () => entries,
    live: () => live,
    status: () => ({
      name,
      state,
      refused,
      ...(incarnation === 0 ? {} : { identity }),
      ...(live?.pid === undefined ? {} : { pid: live.pid }),
      ...(problem === undefined ? {} : { problem }),
    }),
    connection() {
      if (stopped !== undefined) return Promise.reject(new ToolError(closedError(name)));
      if (live !== undefined) return Promise.resolve(live);
      starting ??= start().finally(() => {
        starting = undefined;
      });
      return starting;
    },
    processBacked: (operation) => backed.get(operation),
    succeeded(operation, withExitStatus) {
      failures = 0;
      if (!backed.has(operation)) backed.set(operation, withExitStatus);
    },
    stop() {
      stopped ??= (async () => {
        aborter.abort();
        await starting?.catch(() => {
          // Whoever asked for it was told; here it only matters that nothing of it is left.
        });
        await live?.stop();
      })();
      return stopped;
    },
  };
  return runtime;
}

function entryOf(provider: ProviderRuntime, operation: Operation): CatalogEntry {
  return {
    qualifiedName: `${provider.name}.${operation.name}`,
    modelName: `${provider.name}__${operation.name}`,
    provider,
    operation,
    validateInput: compileValidator(operation.input, { requirement: 'ERR-03' }),
    validateOutput: compileValidator(operation.output, { requirement: 'OUT-01' }),
  };
}

function identityOfConfig(config: ProviderConfig): ProviderIdentity {
  return {
    name: config.name,
    version: config.version ?? 'unknown',
    source: config.source ?? '',
    category: 'tool',
    protocolVersion: 1,
  };
}

/** A provider that cannot be started is one that has died; one that refuses its settings says so itself. */
function startError(name: string, error: unknown): ToolErrorData {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof ToolError) {
    return { ...error.toData(), message: `Provider ${name} is not usable: ${message}` };
  }
  return {
    category: 'process_crashed',
    retryable: true,
    message: `Provider ${name} could not be started: ${message}`,
    details: { reason: message },
  };
}

function closedError(name: string): ToolErrorData {
  return {
    category: 'process_crashed',
    retryable: false,
    message: `Provider ${name} has been stopped; the kernel is closing.`,
  };
}
