// Whole arguments from JSON text, a file or standard input, and their union with what the flags said.
import { readFile } from 'node:fs/promises';
import { text as readAll } from 'node:stream/consumers';
import { parseJsonExact } from '@tenon/protocol';
import type { JsonObject, JsonValue } from '@tenon/protocol';
import { UsageError } from '../errors.js';

/**
 * Reads one source: JSON text, `@FILE`, or `-` for standard input. Numbers that would be rounded and keys
 * that stand twice are refused. Throws UsageError with every problem.
 */
export async function readJson(source: string, stdin: NodeJS.ReadableStream): Promise<JsonValue> {
  const { content, from } = await load(source, stdin);
  const read = parseJsonExact(content);
  if (read.ok) return read.value;
  throw new UsageError(
    read.violations.map(
      ({ pointer, message }) => `${from}${pointer === '' ? '' : ` at ${pointer}`}: ${message}`,
    ),
  );
}

/** All sources and flags as one object; what comes later wins, and flags win over sources. */
export async function mergeArguments(
  sources: readonly string[],
  flags: JsonObject,
  stdin: NodeJS.ReadableStream,
): Promise<JsonObject> {
  const parts: JsonObject[] = [];
  for (const source of sources) {
    const value = await readJson(source, stdin);
    if (!isObject(value)) {
      throw new UsageError([
        `arguments are a JSON object, not ${kindOf(value)}: ${shorten(source)}`,
      ]);
    }
    parts.push(value);
  }
  const merged: Record<string, JsonValue> = {};
  for (const part of [...parts, flags]) {
    for (const [key, value] of Object.entries(part)) {
      // Assignment to __proto__ would set the prototype instead of a key.
      Object.defineProperty(merged, key, {
        value,
        enumerable: true,
        configurable: true,
        writable: true,
      });
    }
  }
  return merged;
}

async function load(
  source: string,
  stdin: NodeJS.ReadableStream,
): Promise<{ readonly content: string; readonly from: string }> {
  if (source === '-') return { content: await readAll(stdin), from: 'standard input' };
  if (!source.startsWith('@')) return { content: source, from: 'the JSON given' };
  const path = source.slice(1);
  try {
    return { content: await readFile(path, 'utf8'), from: path };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new UsageError([`${source}: ${why}`], { cause: error });
  }
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function kindOf(value: JsonValue): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}

function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
