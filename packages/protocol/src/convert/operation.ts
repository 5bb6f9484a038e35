// Operation ↔ ToolSchema, with the additions of our extension service (OPEN-02).
import type { Violation } from '../domain/event.js';
import type { ConcurrencySpec, DerivedKey, Operation } from '../domain/operation.js';
import type { Schema } from '../domain/schema.js';
import type { Schema as WireSchema } from '../gen/pluggableharness/schema/v1/schema_pb.js';
import type { ToolSchema } from '../gen/pluggableharness/tool/v1/tool_pb.js';
import {
  KeyDerivation,
  type DerivedKey as WireDerivedKey,
} from '../gen/tenon/extension/v1/extension_pb.js';
import {
  checkOperation,
  type OperationDraft,
  refusesOperation,
} from '../schema/check-operation.js';
import { durationFromWire, durationToWire } from './duration.js';
import { kinds, risks } from './enums.js';
import { schemaFromWire, schemaToWire } from './schema.js';

export function operationToWire(operation: Operation): ToolSchema {
  const { concurrency, defaultTimeoutMs } = operation;
  return {
    $typeName: 'pluggableharness.tool.v1.ToolSchema',
    name: operation.name,
    kind: kinds.toWire(operation.kind),
    risk: risks.toWire(operation.risk),
    description: operation.description,
    inputSchema: schemaToWire(operation.input),
    outputSchema: schemaToWire(operation.output),
    streaming: operation.streaming,
    concurrency:
      concurrency === undefined
        ? undefined
        : {
            $typeName: 'pluggableharness.tool.v1.ConcurrencySpec',
            safe: concurrency.safe,
            keyFields: [...concurrency.keyFields],
          },
    defaultTimeout: defaultTimeoutMs === undefined ? undefined : durationToWire(defaultTimeoutMs),
    idempotent: operation.idempotent,
    terminatesTurn: operation.terminatesTurn,
  };
}

export interface ReadOperation {
  /** Absent when a violation keeps it from being loaded (KND-03). */
  readonly operation?: Operation;
  /** Everything that is wrong with it, also what is tolerated; pointers into the ToolSchema message. */
  readonly violations: readonly Violation[];
}

/** Reads and checks one operation. */
export function operationFromWire(
  wire: ToolSchema,
  keys: readonly WireDerivedKey[] = [],
): ReadOperation {
  const violations: Violation[] = [];
  const input = readSchema(wire.inputSchema, '/input_schema', violations);
  const output = readSchema(wire.outputSchema, '/output_schema', violations);
  const derivedKeys = readKeys(wire.name, keys, violations);
  const kind = kinds.fromWire(wire.kind);
  const risk = risks.fromWire(wire.risk);
  const defaultTimeoutMs =
    wire.defaultTimeout === undefined ? undefined : durationFromWire(wire.defaultTimeout);
  const draft: OperationDraft = {
    name: wire.name,
    ...(kind === undefined ? {} : { kind }),
    ...(risk === undefined ? {} : { risk }),
    description: wire.description,
    ...(input === undefined ? {} : { input }),
    ...(output === undefined ? {} : { output }),
    streaming: wire.streaming,
    ...(wire.concurrency === undefined ? {} : { concurrency: readConcurrency(wire) }),
    ...(defaultTimeoutMs === undefined ? {} : { defaultTimeoutMs }),
    idempotent: wire.idempotent,
    terminatesTurn: wire.terminatesTurn,
    derivedKeys,
  };
  // A schema that could not be read is reported by its own violations, not as missing once more.
  const unread = new Set<string>();
  if (input === undefined && wire.inputSchema !== undefined) unread.add('/input_schema');
  if (output === undefined && wire.outputSchema !== undefined) unread.add('/output_schema');
  violations.push(...checkOperation(draft).filter(({ pointer }) => !unread.has(pointer)));
  if (violations.some(refusesOperation)) return { violations };
  if (kind === undefined || risk === undefined) return { violations };
  if (input?.type !== 'object' || output?.type !== 'object') return { violations };
  return {
    violations,
    operation: tolerate({ ...draft, kind, risk, input, output }),
  };
}

/** Leaves out what is wrong but tolerated: a spec on an interactive operation, a useless timeout. */
function tolerate(operation: Operation): Operation {
  const { concurrency, defaultTimeoutMs, ...rest } = operation;
  const usable = defaultTimeoutMs !== undefined && defaultTimeoutMs > 0;
  return {
    ...rest,
    ...(concurrency === undefined || operation.kind === 'interactive' ? {} : { concurrency }),
    ...(usable ? { defaultTimeoutMs } : {}),
  };
}

function readConcurrency(wire: ToolSchema): ConcurrencySpec {
  return {
    safe: wire.concurrency?.safe ?? false,
    keyFields: wire.concurrency?.keyFields ?? [],
  };
}

function readSchema(
  wire: WireSchema | undefined,
  pointer: string,
  violations: Violation[],
): Schema | undefined {
  if (wire === undefined) return undefined;
  const read = schemaFromWire(wire, pointer);
  if (read.ok) return read.value;
  violations.push(...read.violations);
  return undefined;
}

function readKeys(
  operationName: string,
  wire: readonly WireDerivedKey[],
  violations: Violation[],
): DerivedKey[] {
  return wire.flatMap((key, index) => {
    const derivation =
      key.derivation === KeyDerivation.LITERAL
        ? 'literal'
        : key.derivation === KeyDerivation.PATH
          ? 'path'
          : undefined;
    if (derivation === undefined) {
      violations.push({
        requirement: 'OPEN-02',
        pointer: `/keys/${index}/derivation`,
        message: `derivation number ${key.derivation} is not known here`,
      });
      return [];
    }
    const keySpace = key.keySpace === '' ? operationName : key.keySpace;
    return { field: key.field, derivation, keySpace } as const;
  });
}

/** The derived keys of an operation for the extension service. */
export function derivedKeyToWire(key: DerivedKey): WireDerivedKey {
  return {
    $typeName: 'tenon.extension.v1.DerivedKey',
    field: key.field,
    derivation: key.derivation === 'path' ? KeyDerivation.PATH : KeyDerivation.LITERAL,
    keySpace: key.keySpace,
  };
}
