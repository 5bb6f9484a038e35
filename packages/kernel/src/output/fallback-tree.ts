// The picture of a payload that nobody else can picture: JSON, pretty-printed; else its text; else its size
// and first bytes (RND-02).
import type { RenderTree } from '@tenon/protocol';

const SHOWN_BYTES = 256;

export function fallbackTree(payload: Uint8Array): RenderTree {
  const text = utf8(payload);
  if (text === undefined) {
    const start = Buffer.from(payload.subarray(0, SHOWN_BYTES)).toString('hex');
    const more = payload.length > SHOWN_BYTES ? ' …' : '';
    const content = `${payload.length} bytes: ${start}${more}`;
    return { root: { type: 'code_block', content } };
  }
  try {
    const content = JSON.stringify(JSON.parse(text), undefined, 2);
    return { root: { type: 'code_block', language: 'json', content } };
  } catch {
    // Not JSON: the text is what there is to show.
    return { root: { type: 'code_block', content: text } };
  }
}

function utf8(payload: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(payload);
  } catch {
    // Not text.
    return undefined;
  }
}
