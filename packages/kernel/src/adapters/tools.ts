// What a model is offered, in the shapes of the APIs that take it. Pure. Give it `session.operations()`, which leaves
// resource operations out in plan mode (GATE-09).
import type { JsonObject } from '@tenon/protocol';
import type { OperationListing } from '../api.js';
import { toJsonSchema } from './json-schema.js';

export interface AnthropicTool {
  readonly name: string;
  readonly description: string;
  readonly input_schema: JsonObject;
}

/** The `tools` of Anthropic's Messages API. */
export function toAnthropicTools(operations: readonly OperationListing[]): AnthropicTool[] {
  return operations.map(({ modelName, operation }) => ({
    name: modelName,
    description: operation.description,
    input_schema: toJsonSchema(operation.input),
  }));
}

export interface OpenAITool {
  readonly type: 'function';
  readonly function: {
    readonly name: string;
    readonly description: string;
    readonly parameters: JsonObject;
  };
}

/** The `tools` of OpenAI's Chat Completions API. */
export function toOpenAITools(operations: readonly OperationListing[]): OpenAITool[] {
  return operations.map(({ modelName, operation }) => ({
    type: 'function',
    function: {
      name: modelName,
      description: operation.description,
      parameters: toJsonSchema(operation.input),
    },
  }));
}

export interface McpTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly outputSchema: JsonObject;
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint?: boolean;
    readonly idempotentHint?: boolean;
  };
}

/** The tools of an MCP server. What a hint promises is what the operation declares; risk `low` is not destructive. */
export function toMcpTools(operations: readonly OperationListing[]): McpTool[] {
  return operations.map(({ modelName, operation }) => ({
    name: modelName,
    description: operation.description,
    inputSchema: toJsonSchema(operation.input),
    outputSchema: toJsonSchema(operation.output),
    annotations:
      operation.kind === 'resource'
        ? {
            readOnlyHint: false,
            destructiveHint: operation.risk !== 'low',
            idempotentHint: operation.idempotent,
          }
        : { readOnlyHint: true },
  }));
}
