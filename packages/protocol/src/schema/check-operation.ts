// The static rules of one operation: SCH-01..03, KND-01/02, CON-01/03/07, TMO-01, TRM-01, OPEN-02. The SDK asks
// them when an operation is defined, the kernel when it loads one (KND-03), the conformance kit in its report.
import type { Violation } from '../domain/event.js';
import type { DerivedKey, Operation, OperationKind, Risk } from '../domain/operation.js';
import type { Schema } from '../domain/schema.js';
import { checkRootSchema } from './check-schema.js';

/** An operation of which parts may be missing or wrong; every Operation is one. */
export interface OperationDraft extends Omit<Operation, 'kind' | 'risk' | 'input' | 'output'> {
  readonly kind?: OperationKind;
  readonly risk?: Risk;
  readonly input?: Schema;
  readonly output?: Schema;
}

// Broken by a provider, but the kernel has a rule for going on: CON-02, CON-03, TMO-02.
const TOLERATED: ReadonlySet<string> = new Set(['CON-01', 'CON-03', 'TMO-01']);

/**
 * Whether a violation keeps an operation from being loaded (KND-03). The others (a missing ConcurrencySpec, one
 * on an interactive operation, a missing default timeout) are told to the author, and the call runs under the
 * kernel's default.
 */
export function refusesOperation(violation: Violation): boolean {
  return !TOLERATED.has(violation.requirement);
}

/** Every static rule that an operation breaks; pointers are into its ToolSchema message. */
export function checkOperation(operation: OperationDraft): Violation[] {
  return [
    ...checkTexts(operation),
    ...checkKindAndRisk(operation),
    ...checkSchemas(operation),
    ...checkConcurrency(operation),
    ...checkTimeout(operation),
    ...checkDerivedKeys(operation),
  ];
}

function broken(requirement: string, pointer: string, message: string): Violation {
  return { requirement, pointer, message };
}

function checkTexts({ name, description }: OperationDraft): Violation[] {
  const violations: Violation[] = [];
  if (name.trim() === '') violations.push(broken('SCH-02', '/name', 'the operation has no name'));
  if (description.trim() === '') {
    violations.push(
      broken('SCH-02', '/description', 'the description is empty; it is what the model goes by'),
    );
  }
  return violations;
}

function checkKindAndRisk({ kind, risk, terminatesTurn }: OperationDraft): Violation[] {
  const violations: Violation[] = [];
  if (kind === undefined) {
    violations.push(
      broken('KND-01', '/kind', 'no kind; declare resource, data_source or interactive'),
    );
  }
  if (risk === undefined) {
    violations.push(
      broken('KND-02', '/risk', 'no risk; declare read_only, low, moderate, high or critical'),
    );
  } else if (kind === 'resource' && risk === 'read_only') {
    violations.push(
      broken(
        'KND-02',
        '/risk',
        'a resource cannot be read_only; declare low, moderate, high or critical, or make it a data_source',
      ),
    );
  } else if (kind !== undefined && kind !== 'resource' && risk !== 'read_only') {
    violations.push(
      broken(
        'KND-02',
        '/risk',
        `a ${kind} must be read_only, not ${risk}; what changes something is a resource`,
      ),
    );
  }
  if (terminatesTurn && kind !== undefined && kind !== 'resource') {
    violations.push(
      broken('TRM-01', '/terminates_turn', `only a resource may end the turn, not a ${kind}`),
    );
  }
  return violations;
}

function checkSchemas({ input, output }: OperationDraft): Violation[] {
  const violations: Violation[] = [];
  for (const [pointer, schema] of [
    ['/input_schema', input],
    ['/output_schema', output],
  ] as const) {
    if (schema !== undefined) violations.push(...checkRootSchema(schema, pointer));
    else {
      violations.push(
        broken('SCH-03', pointer, 'the schema is missing; an object without properties is enough'),
      );
    }
  }
  return violations;
}

function checkConcurrency({ kind, concurrency, input }: OperationDraft): Violation[] {
  if (concurrency === undefined) {
    if (kind === undefined || kind === 'interactive') return [];
    return [
      broken(
        'CON-01',
        '/concurrency',
        'no ConcurrencySpec; declare whether calls may overlap (absent counts as safe = false)',
      ),
    ];
  }
  if (kind === 'interactive') {
    return [
      broken('CON-03', '/concurrency', 'an interactive operation declares none; it is ignored'),
    ];
  }
  const violations: Violation[] = [];
  if (!concurrency.safe && concurrency.keyFields.length > 0) {
    violations.push(
      broken(
        'CON-07',
        '/concurrency/key_fields',
        'key_fields need safe = true; set it or drop them',
      ),
    );
  }
  const seen = new Set<string>();
  for (const [index, field] of concurrency.keyFields.entries()) {
    const at = `/concurrency/key_fields/${index}`;
    if (input?.type === 'object' && !Object.hasOwn(input.properties, field)) {
      violations.push(
        broken('CON-07', at, `${JSON.stringify(field)} is not a property of input_schema`),
      );
    } else if (seen.has(field)) {
      violations.push(broken('CON-07', at, `${JSON.stringify(field)} is named twice`));
    }
    seen.add(field);
  }
  return violations;
}

function checkTimeout({ kind, defaultTimeoutMs }: OperationDraft): Violation[] {
  if (defaultTimeoutMs === undefined) {
    // People answer at their own pace; there is nothing to declare.
    if (kind === 'interactive') return [];
    return [
      broken('TMO-01', '/default_timeout', "no default_timeout; the kernel's own default applies"),
    ];
  }
  if (Number.isFinite(defaultTimeoutMs) && defaultTimeoutMs > 0) return [];
  return [
    broken(
      'TMO-01',
      '/default_timeout',
      `default_timeout is ${defaultTimeoutMs} ms; it must be more than zero, so it is ignored`,
    ),
  ];
}

function checkDerivedKeys({ derivedKeys, input }: OperationDraft): Violation[] {
  const violations: Violation[] = [];
  for (const [index, key] of derivedKeys.entries()) {
    const problem = input === undefined ? undefined : derivedKeyProblem(key, input);
    if (problem !== undefined) {
      violations.push(broken('OPEN-02', `/keys/${index}/field`, problem));
    }
  }
  return violations;
}

function derivedKeyProblem(key: DerivedKey, input: Schema): string | undefined {
  let schema = input;
  for (const token of key.field.split('/')) {
    if (schema.type === 'array' && token === '*') schema = schema.items;
    else if (schema.type === 'object' && Object.hasOwn(schema.properties, token)) {
      const property: Schema | undefined = schema.properties[token];
      if (property === undefined) return undefined;
      schema = property;
    } else {
      const where =
        schema.type === 'array' ? '"*" stands for the items of an array' : 'no such property';
      return `${JSON.stringify(key.field)} leads nowhere in input_schema: at ${JSON.stringify(token)}, ${where}`;
    }
  }
  if (key.derivation === 'path' && schema.type !== 'string') {
    return `${JSON.stringify(key.field)} is of type ${schema.type}; a path key must be a string`;
  }
  return undefined;
}
