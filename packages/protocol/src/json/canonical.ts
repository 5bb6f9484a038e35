// One text per JSON value, whatever the order of its keys and the spelling of its numbers: for comparing calls
// (doom loop) and for lock keys. Not for the wire.
import type { JsonValue } from '../domain/json.js';
import { MAX_JSON_DEPTH } from './limits.js';

/**
 * The canonical text of a value: keys in code-unit order, numbers as JavaScript prints them, -0 as 0, no
 * spaces. Two values have the same text exactly if they are equal as JSON.
 *
 * @throws RangeError when nested deeper than MAX_JSON_DEPTH; TypeError for what is not JSON.
 */
export function canonicalJson(value: JsonValue): string {
  return write(value, 0);
}

function write(value: JsonValue, depth: number): string {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value);
    case 'number':
      if (!Number.isFinite(value)) throw new TypeError(`${value} is not JSON`);
      return value === 0 ? '0' : String(value);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'object':
      break;
    default:
      throw new TypeError(`a value of type ${typeof value} is not JSON`);
  }
  if (value === null) return 'null';
  if (depth >= MAX_JSON_DEPTH) {
    throw new RangeError(`nested deeper than ${MAX_JSON_DEPTH} levels`);
  }
  if (isArray(value)) return `[${value.map((item) => write(item, depth + 1)).join(',')}]`;
  const parts: string[] = [];
  for (const key of Object.keys(value).sort()) {
    parts.push(`${JSON.stringify(key)}:${write(value[key] as JsonValue, depth + 1)}`);
  }
  return `{${parts.join(',')}}`;
}

function isArray(value: object): value is readonly JsonValue[] {
  return Array.isArray(value);
}
