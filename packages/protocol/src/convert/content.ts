// Messages and content blocks ↔ wire.
import type { ContentBlock, Message } from '../domain/content.js';
import type { Violation } from '../domain/event.js';
import {
  type ContentBlock as WireContentBlock,
  ContentBlockSchema,
  type Message as WireMessage,
  Role,
} from '../gen/pluggableharness/content/v1/content_pb.js';
import { checkJson } from '../json/check.js';
import { decodeMessage, encodeMessage } from '../wire/codec.js';
import { jsonToWire } from './json.js';
import { type Received, refused } from './received.js';

// Tool results hold blocks, and so on; nothing real nests more than twice.
const MAX_DEPTH = 32;

export function messageToWire(message: Message): WireMessage {
  return {
    $typeName: 'pluggableharness.content.v1.Message',
    role: message.role === 'user' ? Role.USER : Role.ASSISTANT,
    content: message.content.map(contentBlockToWire),
    id: message.id,
    producedByModelId: message.producedByModelId,
    producedByProvider: message.producedByProvider,
  };
}

/** Refused when the role is unspecified, or a block cannot be read. */
export function messageFromWire(wire: WireMessage, pointer = ''): Received<Message> {
  const role =
    wire.role === Role.USER ? 'user' : wire.role === Role.ASSISTANT ? 'assistant' : undefined;
  if (role === undefined) {
    return refused('HKP-01', `${pointer}/role`, `role number ${wire.role} is not known here`);
  }
  const content = contentFromWire(wire.content, `${pointer}/content`);
  if (!content.ok) return content;
  const { producedByModelId, producedByProvider } = wire;
  return {
    ok: true,
    value: {
      role,
      content: content.value,
      id: wire.id,
      ...(producedByModelId === undefined ? {} : { producedByModelId }),
      ...(producedByProvider === undefined ? {} : { producedByProvider }),
    },
  };
}

export function contentBlockToWire(block: ContentBlock): WireContentBlock {
  if (block.type === 'unknown') return decodeMessage(ContentBlockSchema, block.raw);
  return { $typeName: 'pluggableharness.content.v1.ContentBlock', block: bodyToWire(block) };
}

function bodyToWire(block: Exclude<ContentBlock, { type: 'unknown' }>): WireContentBlock['block'] {
  switch (block.type) {
    case 'text':
      return {
        case: 'text',
        value: { $typeName: 'pluggableharness.content.v1.TextBlock', text: block.text },
      };
    case 'tool_use':
      return {
        case: 'toolUse',
        value: {
          $typeName: 'pluggableharness.content.v1.ToolUseBlock',
          id: block.id,
          name: block.name,
          arguments: jsonToWire(block.arguments),
        },
      };
    case 'tool_result':
      return {
        case: 'toolResult',
        value: {
          $typeName: 'pluggableharness.content.v1.ToolResultBlock',
          toolUseId: block.toolUseId,
          content: block.content.map(contentBlockToWire),
          isError: block.isError,
        },
      };
    case 'image':
      return {
        case: 'image',
        value: {
          $typeName: 'pluggableharness.content.v1.ImageBlock',
          data: block.data,
          mediaType: block.mediaType,
        },
      };
    case 'thinking':
      return {
        case: 'thinking',
        value: {
          $typeName: 'pluggableharness.content.v1.ThinkingBlock',
          text: block.text,
          signature: block.signature,
        },
      };
    case 'redacted_thinking':
      return {
        case: 'redactedThinking',
        value: {
          $typeName: 'pluggableharness.content.v1.RedactedThinkingBlock',
          data: block.data,
        },
      };
    case 'document':
      return {
        case: 'document',
        value: {
          $typeName: 'pluggableharness.content.v1.DocumentBlock',
          data: block.data,
          mediaType: block.mediaType,
          filename: block.filename,
        },
      };
  }
}

/** Blocks of a newer peer are kept as 'unknown'. Refused are arguments that are not JSON. */
export function contentFromWire(
  wire: readonly WireContentBlock[],
  pointer = '',
): Received<ContentBlock[]> {
  const violations: Violation[] = [];
  const value = wire.map((block, index) => read(block, `${pointer}/${index}`, 1, violations));
  return violations.length === 0 ? { ok: true, value } : { ok: false, violations };
}

function read(
  wire: WireContentBlock,
  pointer: string,
  level: number,
  violations: Violation[],
): ContentBlock {
  const { block } = wire;
  switch (block.case) {
    case 'text':
      return { type: 'text', text: block.value.text };
    case 'toolUse': {
      const input = checkJson(block.value.arguments ?? {}, 'ERR-03');
      if (!input.ok) {
        for (const found of input.violations) {
          violations.push({ ...found, pointer: `${pointer}/tool_use/arguments${found.pointer}` });
        }
      }
      const { id, name, arguments: args = {} } = block.value;
      return { type: 'tool_use', id, name, arguments: args };
    }
    case 'toolResult': {
      const { toolUseId, isError } = block.value;
      if (level >= MAX_DEPTH) {
        const message = `tool results are nested deeper than ${MAX_DEPTH} levels`;
        violations.push({ requirement: 'HKP-01', pointer, message });
        return { type: 'tool_result', toolUseId, content: [], isError };
      }
      const content = block.value.content.map((inner, index) =>
        read(inner, `${pointer}/tool_result/content/${index}`, level + 1, violations),
      );
      return { type: 'tool_result', toolUseId, content, isError };
    }
    case 'image':
      return { type: 'image', data: block.value.data, mediaType: block.value.mediaType };
    case 'thinking':
      return { type: 'thinking', text: block.value.text, signature: block.value.signature };
    case 'redactedThinking':
      return { type: 'redacted_thinking', data: block.value.data };
    case 'document': {
      const { data, mediaType, filename } = block.value;
      return { type: 'document', data, mediaType, ...(filename === undefined ? {} : { filename }) };
    }
    default:
      return { type: 'unknown', raw: encodeMessage(ContentBlockSchema, wire) };
  }
}
