// A provider's config block against what the provider itself says it wants (CFG-01): every problem, with the
// place in the operator's file; defaults filled in; and which values are secret (CFG-02).
import { type ConfigAttribute, type JsonObject, type JsonValue, nearest } from '@tenon/protocol';
import { ConfigError, type ConfigProblem } from './error.js';
import type { ProviderConfig } from './model.js';
import { pointerPart } from './value.js';

export interface DecodedSettings {
  /** What Configure is given. */
  readonly config: JsonObject;
  /** To be kept out of journal, logs, messages and screens. */
  readonly sensitiveValues: readonly string[];
}

/** Throws ConfigError with every problem. */
export function decodeSettings(
  attributes: readonly ConfigAttribute[],
  provider: ProviderConfig,
): DecodedSettings {
  const problems: ConfigProblem[] = [];
  const sensitiveValues: string[] = [];
  const config = decodeBlock(attributes, provider.settings, '', {
    provider,
    problems,
    sensitiveValues,
  });
  if (problems.length > 0) throw new ConfigError(problems);
  return { config, sensitiveValues };
}

interface Decoding {
  /** Inside of a sensitive block everything is. */
  readonly sensitive?: boolean;
  readonly provider: ProviderConfig;
  readonly problems: ConfigProblem[];
  readonly sensitiveValues: string[];
}

function decodeBlock(
  attributes: readonly ConfigAttribute[],
  given: JsonObject,
  pointer: string,
  decoding: Decoding,
): JsonObject {
  const known = attributes.map((attribute) => attribute.name);
  for (const key of Object.keys(given)) {
    if (known.includes(key)) continue;
    const guess = nearest(key, known);
    const list = known.length === 0 ? 'it takes none' : `known are ${known.join(', ')}`;
    const hint = guess === undefined ? list : `did you mean ${guess}?`;
    problem(
      decoding,
      `${pointer}/${pointerPart(key)}`,
      `${key} is no setting of this provider; ${hint}`,
    );
  }
  const entries = attributes.flatMap((attribute) => {
    const { name } = attribute;
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    const at = `${pointer}/${pointerPart(name)}`;
    if (value === undefined || value === null) {
      if (attribute.default !== undefined) return [[name, attribute.default] as const];
      if (attribute.required) {
        const what = attribute.description === '' ? '' : `: ${attribute.description}`;
        problem(decoding, pointer, `${name} is required and missing${what} (CFG-01)`);
      }
      return [];
    }
    const sensitive = attribute.sensitive || decoding.sensitive === true;
    if (sensitive) decoding.sensitiveValues.push(...textsOf(value));
    if (attribute.type === 'object') {
      if (isObject(value)) {
        const inside = { ...decoding, sensitive };
        return [[name, decodeBlock(attribute.attributes, value, at, inside)] as const];
      }
    } else if (fits(attribute.type, value)) {
      return [[name, value] as const];
    }
    const shown = sensitive ? 'its value does not' : `${JSON.stringify(value)} does not`;
    problem(decoding, at, `${name} must be ${WANTED[attribute.type]}; ${shown} fit`);
    return [];
  });
  return Object.fromEntries(entries);
}

const WANTED: Readonly<Record<ConfigAttribute['type'], string>> = {
  string: 'a text',
  number: 'a number',
  bool: 'true or false',
  list_string: 'a list of texts',
  list_number: 'a list of numbers',
  map_string: 'a map of texts',
  object: 'a block',
};

const isObject = (value: JsonValue): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function fits(type: Exclude<ConfigAttribute['type'], 'object'>, value: JsonValue): boolean {
  switch (type) {
    case 'string':
      return typeof value === 'string';
    case 'number':
      return typeof value === 'number';
    case 'bool':
      return typeof value === 'boolean';
    case 'list_string':
      return Array.isArray(value) && value.every((item) => typeof item === 'string');
    case 'list_number':
      return Array.isArray(value) && value.every((item) => typeof item === 'number');
    case 'map_string':
      return isObject(value) && Object.values(value).every((item) => typeof item === 'string');
  }
}

/** Every text inside of a secret, its numbers as they would be printed. */
function textsOf(value: JsonValue): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [String(value)];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap((item: JsonValue) => textsOf(item));
}

function problem({ provider, problems }: Decoding, pointer: string, message: string): void {
  const location = provider.locations.get(pointer) ?? provider.locations.get('');
  problems.push({
    message: `provider "${provider.name}": ${message}`,
    ...(location === undefined ? {} : { location }),
  });
}
