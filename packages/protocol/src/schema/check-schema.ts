// The static rules of one schema of the subset (SCH-01, SCH-03).
import type { Violation } from '../domain/event.js';
import type { ObjectSchema, Schema } from '../domain/schema.js';
import { MAX_JSON_DEPTH } from '../json/limits.js';
import { escapeToken } from '../json/pointer.js';
import { isWellFormed } from '../json/well-formed.js';

/** Every rule that a root schema breaks; `pointer` is where it stands, such as "/input_schema". */
export function checkRootSchema(schema: Schema, pointer: string): Violation[] {
  const violations: Violation[] = [];
  if (schema.type !== 'object') {
    violations.push(
      sch03(`${pointer}/type`, `the root is of type ${schema.type}; it must be object`),
    );
  }
  check(schema, pointer, 1, violations);
  return violations;
}

function check(schema: Schema, pointer: string, level: number, violations: Violation[]): void {
  if (level > MAX_JSON_DEPTH) {
    violations.push(
      sch01(pointer, `the schema is nested deeper than ${MAX_JSON_DEPTH} levels; flatten it`),
    );
    return;
  }
  switch (schema.type) {
    case 'object':
      checkObject(schema, pointer, level, violations);
      return;
    case 'array':
      check(schema.items, `${pointer}/items`, level + 1, violations);
      return;
    case 'string':
      checkEnum(schema.enum, pointer, violations);
      return;
    case 'number':
    case 'boolean':
      return;
    default:
      // Reached by JavaScript authors alone; the type system knows no other.
      violations.push(
        sch01(
          `${pointer}/type`,
          `type ${String((schema as { type: unknown }).type)} is not in the subset`,
        ),
      );
  }
}

function checkObject(
  schema: ObjectSchema,
  pointer: string,
  level: number,
  violations: Violation[],
): void {
  const seen = new Set<string>();
  for (const [index, name] of schema.required.entries()) {
    const at = `${pointer}/required/${index}`;
    if (!Object.hasOwn(schema.properties, name)) {
      violations.push(
        sch03(at, `required names ${JSON.stringify(name)}, which is not a declared property`),
      );
    } else if (seen.has(name)) {
      violations.push(sch03(at, `required names ${JSON.stringify(name)} twice`));
    }
    seen.add(name);
  }
  for (const [name, property] of Object.entries(schema.properties)) {
    const at = `${pointer}/properties/${escapeToken(name)}`;
    if (!isWellFormed(name)) violations.push(sch01(at, 'the name holds a lone surrogate'));
    check(property, at, level + 1, violations);
  }
}

function checkEnum(
  values: readonly string[] | undefined,
  pointer: string,
  violations: Violation[],
): void {
  if (values === undefined) return;
  if (values.length === 0) {
    violations.push(
      sch01(`${pointer}/enum_values`, 'enum is empty, so that no value fits; leave it out'),
    );
  }
  for (const [index, value] of values.entries()) {
    if (values.indexOf(value) !== index) {
      violations.push(
        sch01(`${pointer}/enum_values/${index}`, `enum holds ${JSON.stringify(value)} twice`),
      );
    }
    if (!isWellFormed(value)) {
      violations.push(sch01(`${pointer}/enum_values/${index}`, 'the value holds a lone surrogate'));
    }
  }
}

function sch01(pointer: string, message: string): Violation {
  return { requirement: 'SCH-01', pointer, message };
}

function sch03(pointer: string, message: string): Violation {
  return { requirement: 'SCH-03', pointer, message };
}
