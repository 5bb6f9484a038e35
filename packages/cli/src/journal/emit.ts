// The fallback picture of an emitted payload (RND-02): JSON as it is, indented; text as it is; other bytes by
// their number.
import type { StoredEntry } from '@tenon/kernel';
import { parseJsonExact } from '@tenon/protocol';
import type { RenderNode } from '@tenon/protocol';

export function fallbackEmit(entry: StoredEntry & { type: 'emit' }): RenderNode {
  const label = `${entry.provider} ${entry.providerVersion}: ${entry.kind}, schema ${entry.schemaVersion}`;
  return {
    type: 'group',
    children: [
      { type: 'text', content: label, style: 'dim' },
      { type: 'code_block', content: contentOf(entry.payload) },
    ],
  };
}

function contentOf(payload: Uint8Array): string {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(payload);
  } catch {
    // Not text at all: its size is all that can be shown.
    return `(${payload.byteLength} bytes)`;
  }
  const read = parseJsonExact(text);
  return read.ok ? JSON.stringify(read.value, undefined, 2) : text;
}
