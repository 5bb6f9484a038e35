// A model's arguments, from whatever it sent to an object that fits the operation (ERR-03, RCT-01). Everything
// that is wrong is listed, each problem with its place.
import {
  checkJson,
  describeValue,
  type JsonObject,
  parseJsonExact,
  type ToolErrorData,
  type Violation,
} from '@tenon/protocol';
import type { CatalogEntry } from '../catalog/model.js';
import { checkSizes } from './sizes.js';

export type ReadArguments =
  | { readonly ok: true; readonly args: JsonObject }
  | { readonly ok: false; readonly error: ToolErrorData };

/**
 * Reads arguments given as an object, as JSON text (which is parsed without rounding), or not at all, which
 * means `{}`.
 */
export function readArguments(entry: CatalogEntry, given: unknown): ReadArguments {
  const json = typeof given === 'string' ? readText(given) : checkJson(given ?? {});
  if (!json.ok) return refuse(entry, json.violations);
  const problems = [...checkSizes(json.value), ...entry.validateInput(json.value)];
  return problems.length === 0 ? { ok: true, args: json.value } : refuse(entry, problems);
}

function readText(text: string): ReturnType<typeof checkJson> {
  if (text.trim() === '') return { ok: true, value: {} };
  const parsed = parseJsonExact(text);
  if (!parsed.ok) return parsed;
  const { value } = parsed;
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return { ok: true, value: value as JsonObject };
  }
  const message = `expected a JSON object, got ${describeValue(value)}`;
  return { ok: false, violations: [{ requirement: 'ERR-03', pointer: '', message }] };
}

function refuse(entry: CatalogEntry, violations: readonly Violation[]): ReadArguments {
  const list = violations
    .slice(0, 10)
    .map(({ pointer, message }) => `${pointer === '' ? '(arguments)' : pointer}: ${message}`);
  const more = violations.length > 10 ? `; and ${violations.length - 10} more` : '';
  return {
    ok: false,
    error: {
      category: 'invalid_arguments',
      retryable: false,
      message: `The arguments of ${entry.qualifiedName} do not fit. ${list.join('; ')}${more}. Correct them and call again.`,
      details: { problems: violations.map((violation) => ({ ...violation })) },
    },
  };
}
