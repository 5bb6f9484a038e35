// The configuration that the provider under test gets: the author's, completed from the config schema, with secret
// markers in the sensitive attributes that can be recognized wherever they turn up (CFG-02).
import type { ConfigAttribute, JsonObject, JsonValue } from '@tenon/protocol';
import type { Random } from './random.js';

export interface PlannedConfig {
  readonly config: JsonObject;
  /** The same for people: secrets are left out. */
  readonly shown: JsonObject;
  /** Texts that must not appear anywhere. */
  readonly secrets: readonly { readonly attribute: string; readonly text: string }[];
}

// A shorter text could appear by chance.
const SHORTEST_SECRET = 6;

export function planConfig(
  attributes: readonly ConfigAttribute[],
  given: JsonObject,
  random: Random,
): PlannedConfig {
  const config: Record<string, JsonValue> = { ...given };
  const shown: Record<string, JsonValue> = { ...given };
  const secrets: { attribute: string; text: string }[] = [];
  for (const attribute of attributes) {
    const { name, sensitive } = attribute;
    const absent = !Object.hasOwn(given, name);
    const wanted = attribute.required && attribute.default === undefined;
    if (absent && (wanted || sensitive)) {
      const text = sensitive ? secretText(random) : undefined;
      const value = valueFor(attribute, text ?? 'conformance');
      if (value !== undefined) config[name] = value;
      if (value !== undefined && !sensitive) shown[name] = value;
    }
    if (sensitive && Object.hasOwn(config, name)) {
      shown[name] = '(secret)';
      for (const text of textsIn(config[name])) {
        if (text.length >= SHORTEST_SECRET) secrets.push({ attribute: name, text });
      }
    }
  }
  return { config, shown, secrets };
}

function secretText(random: Random): string {
  const letters = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
  return `Sentinel${Array.from({ length: 20 }, () => letters.charAt(random.below(letters.length))).join('')}`;
}

/** A value of the type of an attribute; undefined where none can be made up. */
export function valueFor(attribute: ConfigAttribute, text: string): JsonValue | undefined {
  switch (attribute.type) {
    case 'string':
      return text;
    case 'number':
      return 1;
    case 'bool':
      return false;
    case 'list_string':
      return [text];
    case 'list_number':
      return [1];
    case 'map_string':
      return { key: text };
    case 'object': {
      const entries = attribute.attributes
        .filter((inner) => inner.required)
        .map((inner) => [inner.name, valueFor(inner, text) ?? null] as const);
      return Object.fromEntries(entries);
    }
  }
}

function textsIn(value: JsonValue | undefined): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap((item: JsonValue) => textsIn(item));
}
