// Reads what Configure brought against the declared attributes: every problem at once, and never a value of
// the block in a message, as it may be a secret (CFG-01, CFG-02).
import {
  checkJson,
  type ConfigAttribute,
  describeValue,
  type JsonObject,
  type JsonValue,
  pointerOf,
  ToolError,
  type Violation,
} from '@tenon/protocol';
import { hasType } from './attr.js';

export interface ReadConfig {
  /** The block with its defaults filled in. */
  readonly values: JsonObject;
  /** Every sensitive text and number in it. */
  readonly secrets: readonly string[];
}

/** Raises `invalid_arguments` with all problems in `details.problems`. */
export function readConfig(attributes: readonly ConfigAttribute[], block: JsonObject): ReadConfig {
  const json = checkJson(block, 'CFG-01');
  if (!json.ok) throw configError(json.violations);
  const reading: Reading = { problems: [], secrets: [] };
  const values = readBlock(attributes, block, [], false, reading);
  if (reading.problems.length > 0) throw configError(reading.problems);
  return { values, secrets: reading.secrets };
}

/** Whether Configure has to come before the first call: something is required. */
export function mustBeConfigured(attributes: readonly ConfigAttribute[]): boolean {
  return attributes.some((attribute) => attribute.required);
}

interface Reading {
  readonly problems: Violation[];
  readonly secrets: string[];
}

function readBlock(
  attributes: readonly ConfigAttribute[],
  block: JsonObject,
  path: readonly string[],
  sensitive: boolean,
  reading: Reading,
): JsonObject {
  const values: Record<string, JsonValue> = Object.create(null) as Record<string, JsonValue>;
  for (const attribute of attributes) {
    const at = [...path, attribute.name];
    const given = Object.hasOwn(block, attribute.name) ? block[attribute.name] : undefined;
    // A null says "not set" in HCL and in JSON alike.
    const value = given ?? attribute.default;
    if (value === undefined) {
      if (attribute.required) report(reading, at, `is required: ${attribute.description}`);
      continue;
    }
    if (!hasType(attribute.type, value)) {
      report(reading, at, `must be ${TYPE_NAMES[attribute.type]}, not ${describeValue(value)}`);
      continue;
    }
    const secret = sensitive || attribute.sensitive;
    if (attribute.type === 'object') {
      values[attribute.name] = readBlock(
        attribute.attributes,
        value as JsonObject,
        at,
        secret,
        reading,
      );
    } else {
      values[attribute.name] = value;
      if (secret) collectSecrets(value, reading.secrets);
    }
  }
  const known = attributes.map((attribute) => attribute.name);
  for (const name of Object.keys(block)) {
    if (known.includes(name)) continue;
    const list = known.length === 0 ? 'it has none' : `it has ${known.join(', ')}`;
    report(reading, [...path, name], `is not an attribute of this provider; ${list}`);
  }
  return values;
}

function collectSecrets(value: JsonValue, into: string[]): void {
  if (typeof value === 'string') into.push(value);
  else if (typeof value === 'number') into.push(String(value));
  else if (typeof value === 'object' && value !== null) {
    for (const inner of Object.values(value)) collectSecrets(inner, into);
  }
}

const TYPE_NAMES = {
  string: 'a string',
  number: 'a number',
  bool: 'true or false',
  list_string: 'a list of strings',
  list_number: 'a list of numbers',
  map_string: 'a map of strings',
  object: 'an object',
} as const;

function report(reading: Reading, path: readonly string[], message: string): void {
  reading.problems.push({ requirement: 'CFG-01', pointer: pointerOf(path), message });
}

function configError(problems: readonly Violation[]): ToolError {
  const lines = problems.map((problem) => `${problem.pointer || '/'} ${problem.message}`);
  return new ToolError({
    category: 'invalid_arguments',
    message: `the configuration of the provider was refused: ${lines.join('; ')}`,
    retryable: false,
    details: { problems: problems.map((problem) => ({ ...problem })) },
  });
}
