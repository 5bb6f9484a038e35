// The schema subset ↔ wire (SCH-01, SCH-03). The wire has one message with every field of every type; what is set
// on a type that it does not belong to is refused, since another reader might take it to mean something.
import type { Violation } from '../domain/event.js';
import type { Schema } from '../domain/schema.js';
import {
  type Schema as WireSchema,
  SchemaType,
} from '../gen/pluggableharness/schema/v1/schema_pb.js';
import { MAX_JSON_DEPTH } from '../json/limits.js';
import { setOwn } from '../json/own.js';
import { escapeToken } from '../json/pointer.js';
import type { Received } from './received.js';

/** @throws RangeError when the schema is nested deeper than MAX_JSON_DEPTH. */
export function schemaToWire(schema: Schema): WireSchema {
  return toWire(schema, 1);
}

function toWire(schema: Schema, level: number): WireSchema {
  if (level > MAX_JSON_DEPTH) {
    throw new RangeError(`the schema is nested deeper than ${MAX_JSON_DEPTH} levels; flatten it`);
  }
  const wire: WireSchema = {
    $typeName: 'pluggableharness.schema.v1.Schema',
    type: SchemaType.UNSPECIFIED,
    description: schema.description ?? '',
    properties: {},
    required: [],
    enumValues: [],
  };
  switch (schema.type) {
    case 'object':
      wire.type = SchemaType.OBJECT;
      wire.required = [...schema.required];
      for (const [name, property] of Object.entries(schema.properties)) {
        setOwn(wire.properties, name, toWire(property, level + 1));
      }
      break;
    case 'string':
      wire.type = SchemaType.STRING;
      wire.enumValues = [...(schema.enum ?? [])];
      break;
    case 'number':
      wire.type = SchemaType.NUMBER;
      break;
    case 'boolean':
      wire.type = SchemaType.BOOLEAN;
      break;
    case 'array':
      wire.type = SchemaType.ARRAY;
      wire.items = toWire(schema.items, level + 1);
      break;
  }
  return wire;
}

/**
 * Reads a schema of a peer. Only its shape is checked here; whether its root is an object and its `required`
 * names exist is `checkRootSchema`'s. `pointer` is where the schema stands.
 */
export function schemaFromWire(wire: WireSchema, pointer = ''): Received<Schema> {
  const violations: Violation[] = [];
  const schema = read(wire, pointer, 1, violations);
  return schema === undefined || violations.length > 0
    ? { ok: false, violations }
    : { ok: true, value: schema };
}

function read(
  wire: WireSchema,
  pointer: string,
  level: number,
  violations: Violation[],
): Schema | undefined {
  if (level > MAX_JSON_DEPTH) {
    violations.push(
      sch01(pointer, `the schema is nested deeper than ${MAX_JSON_DEPTH} levels; flatten it`),
    );
    return undefined;
  }
  checkStray(wire, pointer, violations);
  const base = wire.description === '' ? {} : { description: wire.description };
  switch (wire.type) {
    case SchemaType.OBJECT: {
      const properties: Record<string, Schema> = {};
      for (const [name, property] of Object.entries(wire.properties)) {
        const at = `${pointer}/properties/${escapeToken(name)}`;
        const schema = read(property, at, level + 1, violations);
        if (schema !== undefined) setOwn(properties, name, schema);
      }
      return { type: 'object', properties, required: wire.required, ...base };
    }
    case SchemaType.STRING:
      return wire.enumValues.length === 0
        ? { type: 'string', ...base }
        : { type: 'string', enum: wire.enumValues, ...base };
    case SchemaType.NUMBER:
      return { type: 'number', ...base };
    case SchemaType.BOOLEAN:
      return { type: 'boolean', ...base };
    case SchemaType.ARRAY: {
      if (wire.items === undefined) {
        violations.push({
          requirement: 'SCH-03',
          pointer: `${pointer}/items`,
          message: 'an array must declare its items',
        });
        return undefined;
      }
      const items = read(wire.items, `${pointer}/items`, level + 1, violations);
      return items === undefined ? undefined : { type: 'array', items, ...base };
    }
    default:
      violations.push(
        sch01(
          `${pointer}/type`,
          wire.type === SchemaType.UNSPECIFIED
            ? 'no type; declare object, string, number, boolean or array'
            : `type number ${String(wire.type)} is not in the subset`,
        ),
      );
      return undefined;
  }
}

function checkStray(wire: WireSchema, pointer: string, violations: Violation[]): void {
  const { type } = wire;
  if (type !== SchemaType.OBJECT && Object.keys(wire.properties).length > 0) {
    violations.push(sch01(`${pointer}/properties`, 'only an object has properties'));
  }
  if (type !== SchemaType.OBJECT && wire.required.length > 0) {
    violations.push(sch01(`${pointer}/required`, 'only an object has required properties'));
  }
  if (type !== SchemaType.ARRAY && wire.items !== undefined) {
    violations.push(sch01(`${pointer}/items`, 'only an array has items'));
  }
  if (type !== SchemaType.STRING && wire.enumValues.length > 0) {
    violations.push(
      sch01(
        `${pointer}/enum_values`,
        'only a string has enum values, as they are texts on the wire',
      ),
    );
  }
}

function sch01(pointer: string, message: string): Violation {
  return { requirement: 'SCH-01', pointer, message };
}
