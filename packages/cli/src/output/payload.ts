// A result as a picture, for payloads that nobody else renders: short values first, then lists, tables and
// texts. Pure. Nothing is left out but what was shown while it streamed.
import type { JsonObject, JsonValue, RenderNode, RenderTree } from '@tenon/protocol';

const MAX_COLUMNS = 8;
const MAX_INLINE = 200;
const MAX_INLINE_LIST = 60;

/**
 * @param shown texts that stand on the screen already, such as streamed output; fields that repeat one of
 *   them say so instead
 */
export function payloadTree(payload: JsonObject, shown: readonly string[] = []): RenderTree {
  const entries = Object.entries(payload);
  const short = entries.filter(([, value]) => isShort(value));
  const long = entries.filter(([, value]) => !isShort(value));
  const children: RenderNode[] = [
    ...short.map(([key, value]) => textNode(`${key}: ${inline(value)}`)),
    ...long.flatMap(([key, value]) => [textNode(`${key}:`, 'bold'), block(value, shown)]),
  ];
  if (children.length === 0) children.push(textNode('(an empty result)', 'dim'));
  return { root: { type: 'group', children } };
}

function isShort(value: JsonValue): boolean {
  if (Array.isArray(value)) return value.length === 0 || inlineList(value) !== undefined;
  if (typeof value === 'string') return !value.includes('\n') && value.length <= MAX_INLINE;
  return typeof value !== 'object' || value === null || Object.keys(value).length === 0;
}

function inline(value: JsonValue): string {
  if (Array.isArray(value)) return inlineList(value) ?? JSON.stringify(value);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Numbers on one line; undefined for what is longer, or other than numbers. */
function inlineList(items: readonly JsonValue[]): string | undefined {
  if (items.length === 0 || !items.every((item) => typeof item === 'number')) return undefined;
  const text = items.join(', ');
  return text.length <= MAX_INLINE_LIST ? text : undefined;
}

function block(value: JsonValue, shown: readonly string[]): RenderNode {
  if (typeof value === 'string') {
    if (shown.includes(value)) return textNode('(shown above)', 'dim');
    return { type: 'code_block', content: value };
  }
  if (Array.isArray(value)) return listOf(value);
  return { type: 'code_block', content: JSON.stringify(value, undefined, 2) };
}

function listOf(items: readonly JsonValue[]): RenderNode {
  const objects = items.filter(isObject);
  const columns = [...new Set(objects.flatMap((item) => Object.keys(item)))];
  const flat = objects.every((item) => Object.values(item).every(isShort));
  if (objects.length === items.length && flat && columns.length <= MAX_COLUMNS) {
    const cell = (item: JsonObject, column: string): string =>
      Object.hasOwn(item, column) ? inline(item[column] ?? null) : '';
    return {
      type: 'table',
      headers: columns,
      rows: objects.map((item) => columns.map((column) => cell(item, column))),
    };
  }
  if (items.every(isShort)) {
    return { type: 'list', ordered: false, items: items.map((item) => textNode(inline(item))) };
  }
  return { type: 'code_block', content: JSON.stringify(items, undefined, 2) };
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textNode(content: string, style?: 'bold' | 'dim'): RenderNode {
  return style === undefined ? { type: 'text', content } : { type: 'text', content, style };
}
