// Messages of a conversation, as far as hooks and turns carry them.
import type { JsonObject } from './json.js';

export type ContentBlock =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'tool_use';
      readonly id: string;
      readonly name: string;
      readonly arguments: JsonObject;
    }
  | {
      readonly type: 'tool_result';
      readonly toolUseId: string;
      readonly content: readonly ContentBlock[];
      readonly isError: boolean;
    }
  | { readonly type: 'image'; readonly data: Uint8Array; readonly mediaType: string }
  | { readonly type: 'thinking'; readonly text: string; readonly signature: Uint8Array }
  | { readonly type: 'redacted_thinking'; readonly data: Uint8Array }
  | {
      readonly type: 'document';
      readonly data: Uint8Array;
      readonly mediaType: string;
      readonly filename?: string;
    }
  /** A block of a newer peer; `raw` is its encoding, so that it can be passed on unchanged. */
  | { readonly type: 'unknown'; readonly raw: Uint8Array };

export interface Message {
  readonly role: 'user' | 'assistant';
  readonly content: readonly ContentBlock[];
  readonly id: string;
  readonly producedByModelId?: string;
  readonly producedByProvider?: string;
}
