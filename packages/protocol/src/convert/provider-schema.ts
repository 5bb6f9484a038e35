// ProviderSchema ↔ GetSchemaResponse and GetExtensionsResponse (RPC-01, KND-03).
import type { ConfigAttribute } from '../domain/config-schema.js';
import type { Violation } from '../domain/event.js';
import type { HookPoint } from '../domain/hook.js';
import type { Operation, ProviderSchema } from '../domain/operation.js';
import type { GetSchemaResponse } from '../gen/pluggableharness/tool/v1/tool_pb.js';
import type {
  DerivedKey as WireDerivedKey,
  GetExtensionsResponse,
} from '../gen/tenon/extension/v1/extension_pb.js';
import { refusesOperation } from '../schema/check-operation.js';
import {
  checkAttributes,
  checkNames,
  checkSlashCommands,
} from '../schema/check-provider-schema.js';
import { configSchemaFromWire, configSchemaToWire } from './config-schema.js';
import { hookPoints } from './enums.js';
import { derivedKeyToWire, operationFromWire, operationToWire } from './operation.js';

/** The answer of GetSchema. */
export function providerSchemaToWire(schema: ProviderSchema): GetSchemaResponse {
  return {
    $typeName: 'pluggableharness.tool.v1.GetSchemaResponse',
    tools: schema.operations.map(operationToWire),
    slashCommands: schema.slashCommands.map((command) => ({
      $typeName: 'pluggableharness.common.v1.PromptExpansionSpec',
      name: command.name,
      description: command.description,
      template: command.template,
    })),
    configSchema: configSchemaToWire(schema.config),
    supportedHookPoints: schema.supportedHookPoints.map(hookPoints.toWire),
  };
}

/** The answer of our GetExtensions: the derived keys, which the protocol's own schema cannot carry. */
export function extensionsToWire(schema: ProviderSchema): GetExtensionsResponse {
  return {
    $typeName: 'tenon.extension.v1.GetExtensionsResponse',
    operations: schema.operations
      .filter((operation) => operation.derivedKeys.length > 0)
      .map((operation) => ({
        $typeName: 'tenon.extension.v1.OperationExtension',
        operationName: operation.name,
        keys: operation.derivedKeys.map(derivedKeyToWire),
      })),
  };
}

export interface RefusedOperation {
  /** Its name, or "(operation N)" where it has none. */
  readonly operation: string;
  /** Pointers into its ToolSchema message. */
  readonly violations: readonly Violation[];
}

export interface ReadProviderSchema {
  /** The operations that pass, with what is tolerated left out. */
  readonly schema: ProviderSchema;
  readonly refused: readonly RefusedOperation[];
  /**
   * Everything that is wrong with the provider, also what is tolerated and what is in `refused`; pointers
   * into the GetSchemaResponse message.
   */
  readonly violations: readonly Violation[];
}

/**
 * Reads and checks what a provider says of itself. An operation that breaks a rule is refused by itself; the
 * others stay usable. Slash commands, attributes and hook points that break a rule are left out.
 */
export function providerSchemaFromWire(
  response: GetSchemaResponse,
  extensions?: GetExtensionsResponse,
): ReadProviderSchema {
  const violations: Violation[] = [];
  const keys = readExtensions(response, extensions, violations);
  const repeated = repeatedNames(response.tools.map((tool) => tool.name));
  const operations: Operation[] = [];
  const refused: RefusedOperation[] = [];
  for (const [index, tool] of response.tools.entries()) {
    const read = operationFromWire(tool, keys.get(tool.name));
    const problems = [...read.violations];
    if (repeated.has(tool.name)) {
      problems.push({
        requirement: 'SCH-02',
        pointer: '/name',
        message: `several operations are named ${JSON.stringify(tool.name)}; none of them is loaded`,
      });
    }
    for (const problem of problems) {
      violations.push({ ...problem, pointer: `/tools/${index}${problem.pointer}` });
    }
    if (read.operation !== undefined && !repeated.has(tool.name)) operations.push(read.operation);
    else {
      const operation = tool.name === '' ? `(operation ${index})` : tool.name;
      refused.push({ operation, violations: problems.filter(refusesOperation) });
    }
  }
  return {
    schema: {
      operations,
      slashCommands: readSlashCommands(response, violations),
      config: readConfig(response, violations),
      supportedHookPoints: readHookPoints(response, violations),
    },
    refused,
    violations,
  };
}

function repeatedNames(names: readonly string[]): ReadonlySet<string> {
  return new Set(
    checkNames(names).map(({ pointer }) => names[Number(pointer.split('/')[2])] ?? ''),
  );
}

function readExtensions(
  response: GetSchemaResponse,
  extensions: GetExtensionsResponse | undefined,
  violations: Violation[],
): ReadonlyMap<string, readonly WireDerivedKey[]> {
  const known = new Set(response.tools.map((tool) => tool.name));
  const keys = new Map<string, readonly WireDerivedKey[]>();
  for (const [index, extension] of (extensions?.operations ?? []).entries()) {
    const name = extension.operationName;
    if (known.has(name)) keys.set(name, [...(keys.get(name) ?? []), ...extension.keys]);
    else {
      violations.push({
        requirement: 'OPEN-02',
        pointer: `/extensions/${index}/operation_name`,
        message: `there is no operation named ${JSON.stringify(name)} that this could extend`,
      });
    }
  }
  return keys;
}

function readSlashCommands(
  response: GetSchemaResponse,
  violations: Violation[],
): ProviderSchema['slashCommands'] {
  const commands = response.slashCommands.map(({ name, description, template }) => ({
    name,
    description,
    template,
  }));
  const found = checkSlashCommands(commands);
  violations.push(...found);
  const broken = new Set(found.map(({ pointer }) => Number(pointer.split('/')[2])));
  return commands.filter((_, index) => !broken.has(index));
}

function readConfig(response: GetSchemaResponse, violations: Violation[]): ConfigAttribute[] {
  const read = configSchemaFromWire(response.configSchema, '/config_schema');
  if (!read.ok) {
    violations.push(...read.violations);
    return [];
  }
  violations.push(...checkAttributes(read.value, '/config_schema/attributes'));
  return read.value;
}

function readHookPoints(response: GetSchemaResponse, violations: Violation[]): HookPoint[] {
  const points = new Set<HookPoint>();
  for (const [index, number] of response.supportedHookPoints.entries()) {
    const point = hookPoints.fromWire(number);
    if (point !== undefined) points.add(point);
    else {
      violations.push({
        requirement: 'HKP-01',
        pointer: `/supported_hook_points/${index}`,
        message: `hook point number ${number} is not known here`,
      });
    }
  }
  return [...points];
}
