// The calls of one model message, from the JSON of whoever sends it: a plain list, or the message of a model
// API as it is. Pure; lists every problem.
import { parseJsonExact } from '@tenon/protocol';
import type { RequestedCall } from '@tenon/kernel';
import type { JsonObject, JsonValue } from '@tenon/protocol';

export type ReadCalls =
  | { readonly ok: true; readonly calls: readonly RequestedCall[] }
  | { readonly ok: false; readonly problems: readonly string[] };

/**
 * Reads `[{ name, arguments, id? }, …]`, `{ calls: […] }`, an Anthropic message with tool_use blocks, an
 * OpenAI message with tool_calls, a Responses output with function_call items, or MCP tools/call requests.
 */
export function readCalls(value: JsonValue): ReadCalls {
  const list = listOf(value);
  if (list === undefined) {
    return { ok: false, problems: ['expected a list of calls, or a message that holds some'] };
  }
  const problems: string[] = [];
  const calls: RequestedCall[] = [];
  for (const [index, item] of list.items.entries()) {
    const call = readCall(item);
    if (call !== undefined) calls.push(call);
    // Among the blocks of a message, those that are no calls are text and the like.
    else if (!list.mixed) problems.push(`/${index}: expected { "name": …, "arguments": {…} }`);
  }
  if (problems.length > 0) return { ok: false, problems };
  if (calls.length === 0) return { ok: false, problems: ['there is no call in it'] };
  return { ok: true, calls };
}

function listOf(
  value: JsonValue,
): { readonly items: readonly JsonValue[]; readonly mixed: boolean } | undefined {
  if (isArray(value)) return { items: value, mixed: value.some(isBlock) };
  if (!isObject(value)) return undefined;
  for (const key of ['calls', 'tool_calls']) {
    const items = value[key];
    if (isArray(items)) return { items, mixed: false };
  }
  for (const key of ['content', 'output']) {
    const items = value[key];
    if (isArray(items)) return { items, mixed: true };
  }
  const choices = value['choices'];
  if (isArray(choices) && isObject(choices[0])) {
    const message = choices[0]['message'];
    if (isObject(message)) return listOf(message);
  }
  if (isObject(value['message'])) return listOf(value['message']);
  return readCall(value) === undefined ? undefined : { items: [value], mixed: false };
}

/** A block of a model API's message, as opposed to a plain call. */
function isBlock(value: JsonValue): boolean {
  return isObject(value) && typeof value['type'] === 'string' && value['name'] === undefined;
}

function readCall(value: JsonValue): RequestedCall | undefined {
  if (!isObject(value)) return undefined;
  const inner = value['function'] ?? value['params'];
  if (isObject(inner) && typeof inner['name'] === 'string') {
    return make(inner['name'], inner['arguments'], value['id']);
  }
  if (typeof value['name'] !== 'string') return undefined;
  return make(value['name'], value['arguments'] ?? value['input'], value['call_id'] ?? value['id']);
}

function make(name: string, args: JsonValue | undefined, id: JsonValue | undefined): RequestedCall {
  return {
    name,
    arguments: typeof args === 'string' ? parsed(args) : (args ?? {}),
    ...(typeof id === 'string' || typeof id === 'number' ? { id: String(id) } : {}),
  };
}

/** Some APIs give arguments as text. Text that is not JSON stays text: the kernel refuses it by itself. */
function parsed(text: string): JsonValue {
  if (text.trim() === '') return {};
  const read = parseJsonExact(text);
  return read.ok ? read.value : text;
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isArray(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}
