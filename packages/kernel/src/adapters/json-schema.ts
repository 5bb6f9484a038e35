// A schema of the protocol's subset as JSON Schema, which is what model APIs and MCP take. Pure.
import type { JsonObject, ObjectSchema, Schema } from '@tenon/protocol';

/** The root: an object whose undeclared keys are refused, as the kernel refuses them. */
export function toJsonSchema(schema: ObjectSchema): JsonObject {
  return { ...convert(schema, true) };
}

function convert(schema: Schema, root = false): JsonObject {
  const described: JsonObject =
    schema.description === undefined ? {} : { description: schema.description };
  switch (schema.type) {
    case 'object': {
      const names = Object.keys(schema.properties);
      // Below the root, an object that declares nothing is any JSON object.
      if (names.length === 0 && !root) return { type: 'object', ...described };
      return {
        type: 'object',
        ...described,
        properties: Object.fromEntries(
          names.map((name) => [name, convert(schema.properties[name] as Schema)]),
        ),
        ...(schema.required.length === 0 ? {} : { required: [...schema.required] }),
        additionalProperties: false,
      };
    }
    case 'array':
      return { type: 'array', ...described, items: convert(schema.items) };
    case 'string':
      return {
        type: 'string',
        ...described,
        ...(schema.enum === undefined ? {} : { enum: [...schema.enum] }),
      };
    default:
      return { type: schema.type, ...described };
  }
}
