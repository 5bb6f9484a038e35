// The schema of a provider's configuration block ↔ wire (CFG-01).
import type { ConfigAttribute } from '../domain/config-schema.js';
import type { Violation } from '../domain/event.js';
import type { JsonValue } from '../domain/json.js';
import type {
  ConfigAttribute as WireConfigAttribute,
  ConfigSchema,
} from '../gen/pluggableharness/config/v1/config_pb.js';
import { parseJsonExact } from '../json/parse.js';
import { attributeTypes } from './enums.js';
import type { Received } from './received.js';

const MAX_DEPTH = 32;

export function configSchemaToWire(attributes: readonly ConfigAttribute[]): ConfigSchema {
  return {
    $typeName: 'pluggableharness.config.v1.ConfigSchema',
    attributes: attributes.map(attributeToWire),
  };
}

function attributeToWire(attribute: ConfigAttribute): WireConfigAttribute {
  return {
    $typeName: 'pluggableharness.config.v1.ConfigAttribute',
    name: attribute.name,
    type: attributeTypes.toWire(attribute.type),
    required: attribute.required,
    sensitive: attribute.sensitive,
    description: attribute.description,
    objectAttributes: attribute.attributes.map(attributeToWire),
    defaultJson: attribute.default === undefined ? undefined : JSON.stringify(attribute.default),
  };
}

/** An absent config schema is one without attributes: the provider takes no settings. */
export function configSchemaFromWire(
  wire: ConfigSchema | undefined,
  pointer = '',
): Received<ConfigAttribute[]> {
  const violations: Violation[] = [];
  const value = readAll(wire?.attributes ?? [], `${pointer}/attributes`, 1, violations);
  return violations.length === 0 ? { ok: true, value } : { ok: false, violations };
}

function readAll(
  wire: readonly WireConfigAttribute[],
  pointer: string,
  level: number,
  violations: Violation[],
): ConfigAttribute[] {
  if (level > MAX_DEPTH) {
    violations.push(cfg01(pointer, `attributes are nested deeper than ${MAX_DEPTH} levels`));
    return [];
  }
  return wire.flatMap((attribute, index) => {
    const at = `${pointer}/${index}`;
    const type = attributeTypes.fromWire(attribute.type);
    if (type === undefined) {
      violations.push(
        cfg01(
          `${at}/type`,
          `the attribute ${JSON.stringify(attribute.name)} has no type that is known here (number ${attribute.type})`,
        ),
      );
    }
    const nested = readAll(
      attribute.objectAttributes,
      `${at}/object_attributes`,
      level + 1,
      violations,
    );
    const fallback = readDefault(attribute.defaultJson, `${at}/default_json`, violations);
    if (type === undefined) return [];
    return {
      name: attribute.name,
      type,
      required: attribute.required,
      sensitive: attribute.sensitive,
      description: attribute.description,
      attributes: nested,
      ...(fallback === undefined ? {} : { default: fallback }),
    };
  });
}

/** An empty text is taken for no default: it is what a peer sends that knows no absent texts. */
function readDefault(
  text: string | undefined,
  pointer: string,
  violations: Violation[],
): JsonValue | undefined {
  if (text === undefined || text === '') return undefined;
  const parsed = parseJsonExact(text, 'CFG-01');
  if (parsed.ok) return parsed.value;
  const problems = parsed.violations.map((violation) => violation.message).join('; ');
  violations.push(cfg01(pointer, `the default is not JSON: ${problems}`));
  return undefined;
}

function cfg01(pointer: string, message: string): Violation {
  return { requirement: 'CFG-01', pointer, message };
}
