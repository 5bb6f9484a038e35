// From what an author writes to a provider that can be served: everything is checked here, once, before the first
// call, and every problem is listed (SCH-01..04, KND-01/02, CON-01/03/07, TMO-01, TRM-01, OPEN-02).
import {
  checkOperation,
  checkProviderSchema,
  compileValidator,
  escapeToken,
  type InProcessProvider,
  type Operation,
  type ProviderIdentity,
  type ProviderSchema,
  type RenderTree,
  type SlashCommand,
  type Validator,
} from '@tenon/protocol';
import type { ConfigOf, ConfigSchema } from './config/attr.js';
import type { Log } from './callbacks/log.js';
import { DefinitionError, type DefinitionProblem } from './errors/definition-error.js';
import { type Hooks, hookPointsOf } from './hooks/hooks.js';
import { inProcessProvider } from './in-process.js';
import type { OperationDefinition } from './operation.js';
import { objectSchemaFromZod } from './schema/from-zod.js';
import { serveProvider } from './serve/serve.js';

/** What Configure, Render and shutdown handlers get. */
export interface ProviderContext<Config> {
  readonly config: Config;
  readonly log: Log;
}

export interface ProviderOptions<C extends ConfigSchema<unknown>> {
  /** Short name, such as "filesystem". */
  readonly name: string;
  /** Version of this build. */
  readonly version: string;
  /** Where it comes from, such as a package name or a URL. Default: the name. */
  readonly source?: string;
  /** Made by configSchema. Operations that read `config` name the same one. */
  readonly config?: C;
  /** By name: what the model and the operator see. */
  readonly operations: Readonly<Record<string, OperationDefinition>>;
  readonly slashCommands?: readonly SlashCommand[];
  readonly hooks?: Hooks<ConfigOf<C>>;
  /** Turns an event of `kernel.emit` into a picture; must read older schema versions too (RND-01, RND-03). */
  readonly render?: (
    payload: Uint8Array,
    schemaVersion: string,
    context: ProviderContext<ConfigOf<C>>,
  ) => RenderTree | Promise<RenderTree>;
  /** Called with each configuration, after it was checked. A throw refuses it. */
  readonly onConfigure?: (context: ProviderContext<ConfigOf<C>>) => void | Promise<void>;
  /** Called once when the provider ends, after its running calls were cancelled. */
  readonly onShutdown?: () => void | Promise<void>;
}

/** An operation ready to be called. */
export interface CompiledOperation {
  readonly operation: Operation;
  readonly definition: OperationDefinition;
  readonly checkArguments: Validator;
  readonly checkOutput: Validator;
}

/** A checked definition; what serve and inProcess run. */
export interface ProviderDefinition {
  readonly options: ProviderOptions<ConfigSchema<never>>;
  readonly identity: ProviderIdentity;
  readonly schema: ProviderSchema;
  readonly operations: ReadonlyMap<string, CompiledOperation>;
}

export interface Provider {
  readonly definition: ProviderDefinition;
  /** The answer of Describe (RPC-02). */
  readonly identity: ProviderIdentity;
  /** The answer of GetSchema; the same object always (RPC-04). */
  readonly schema: ProviderSchema;
  /**
   * Serves over go-plugin until the host ends it, then ends the process. Run by hand, without a host, it prints
   * what it is and ends with exit code 1 (RPC-08).
   */
  serve(): Promise<void>;
  /** The same provider for a kernel in this process: no child, no wire. */
  inProcess(): InProcessProvider;
}

/**
 * Defines a tool provider. Throws DefinitionError with everything that is wrong.
 *
 * @example
 * export const provider = defineProvider({
 *   name: 'hello', version: '1.0.0',
 *   operations: { greet: dataSource({ description: '…', input, output, handler: ({ args }) => … }) },
 * });
 */
export function defineProvider<
  C extends ConfigSchema<unknown> = ConfigSchema<Record<string, never>>,
>(options: ProviderOptions<C>): Provider {
  const problems: DefinitionProblem[] = [];
  checkIdentity(options, problems);
  const operations = new Map<string, CompiledOperation>();
  const compiled = Object.entries(options.operations).map(([name, definition]) =>
    readOperation(name, definition, options.config, problems),
  );
  problems.push(
    ...checkProviderSchema({
      operations: [],
      slashCommands: options.slashCommands ?? [],
      config: [],
      supportedHookPoints: [],
    }).map((violation) => ({
      ...violation,
      pointer: violation.pointer.replace('/slash_commands', '/slashCommands'),
    })),
  );
  if (problems.length > 0) throw new DefinitionError(`provider "${options.name}"`, problems);

  for (const { operation, definition } of compiled) {
    operations.set(operation.name, {
      operation,
      definition,
      checkArguments: compileValidator(operation.input, { requirement: 'ERR-03' }),
      checkOutput: compileValidator(operation.output, { requirement: 'OUT-01' }),
    });
  }
  const definition: ProviderDefinition = {
    options: options as unknown as ProviderOptions<ConfigSchema<never>>,
    identity: {
      name: options.name,
      version: options.version,
      source: options.source ?? options.name,
      category: 'tool',
      protocolVersion: 1,
    },
    schema: {
      operations: compiled.map(({ operation }) => operation),
      slashCommands: options.slashCommands ?? [],
      config: options.config?.attributes ?? [],
      supportedHookPoints: hookPointsOf(options.hooks),
    },
    operations,
  };
  return {
    definition,
    identity: definition.identity,
    schema: definition.schema,
    serve: () => serveProvider(definition),
    inProcess: () => inProcessProvider(definition),
  };
}

function checkIdentity(
  options: ProviderOptions<ConfigSchema<unknown>>,
  problems: DefinitionProblem[],
): void {
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(options.name)) {
    problems.push({
      pointer: '/name',
      requirement: 'RPC-02',
      message: `"${options.name}" is no provider name: use letters, digits, ".", "_" and "-"`,
    });
  }
  if (options.version.trim() === '') {
    problems.push({
      pointer: '/version',
      requirement: 'RPC-02',
      message: 'is empty; say which build this is',
    });
  }
  if (Object.keys(options.operations).length === 0 && options.hooks === undefined) {
    problems.push({
      pointer: '/operations',
      message: 'is empty; a provider has an operation at least',
    });
  }
}

function readOperation(
  name: string,
  definition: OperationDefinition,
  config: ConfigSchema<unknown> | undefined,
  problems: DefinitionProblem[],
): { readonly operation: Operation; readonly definition: OperationDefinition } {
  const found: DefinitionProblem[] = [];
  const at = ['operations', name];
  if (name !== '' && !/^[A-Za-z0-9_-]{1,64}$/.test(name)) {
    found.push({
      pointer: `/operations/${escapeToken(name)}`,
      requirement: 'SCH-02',
      message: 'the name is what models call it by: up to 64 letters, digits, "_" and "-"',
    });
  }
  const { config: own } = definition;
  if (own !== undefined && own !== config) {
    found.push({
      pointer: `/operations/${escapeToken(name)}/config`,
      message: "is not the provider's own config schema; pass the same object to both",
    });
  }
  const input = objectSchemaFromZod(definition.input, [...at, 'input'], found);
  const output = objectSchemaFromZod(definition.output, [...at, 'output'], found);
  const operation: Operation = {
    name,
    kind: definition.kind,
    risk: definition.risk,
    description: definition.description,
    input,
    output,
    streaming: definition.streaming,
    ...(definition.concurrency === undefined ? {} : { concurrency: definition.concurrency }),
    defaultTimeoutMs: definition.timeoutMs,
    // For a data_source it says nothing (RTY-03).
    idempotent: definition.kind === 'resource' && definition.idempotent,
    terminatesTurn: definition.terminatesTurn,
    derivedKeys: definition.keys.map((key) => ({ ...key, keySpace: key.keySpace || name })),
  };
  for (const violation of checkOperation(operation)) {
    const pointer = `/operations/${escapeToken(name)}${violation.pointer
      .replace('/input_schema', '/input')
      .replace('/output_schema', '/output')
      .replace('/key_fields', '/keyFields')
      .replace('/default_timeout', '/timeout')}`;
    found.push({ ...violation, pointer });
  }
  problems.push(
    ...found.map((problem) => ({
      ...problem,
      operation: name,
      message: `operation "${name}": ${problem.message}`,
    })),
  );
  return { operation, definition };
}
