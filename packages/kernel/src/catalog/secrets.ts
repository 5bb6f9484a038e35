// The secrets in a provider's settings: what its schema marks as sensitive, wherever it is nested (CFG-02).
import type { ConfigAttribute, JsonObject, JsonValue } from '@tenon/protocol';

/** Every text and number below a sensitive attribute, defaults included, as text. */
export function secretsIn(
  attributes: readonly ConfigAttribute[],
  settings: JsonObject,
): readonly string[] {
  return attributes.flatMap((attribute) => {
    const given = Object.hasOwn(settings, attribute.name) ? settings[attribute.name] : undefined;
    const value = given ?? attribute.default;
    if (value === undefined || value === null) return [];
    if (attribute.sensitive) return leaves(value);
    const nested = typeof value === 'object' && !Array.isArray(value);
    return nested ? secretsIn(attribute.attributes, value as JsonObject) : [];
  });
}

function leaves(value: JsonValue): string[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  if (typeof value === 'number') return [String(value)];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(leaves);
}
