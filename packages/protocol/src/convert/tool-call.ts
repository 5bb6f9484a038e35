// ToolCall ↔ wire. On the hot path: no copy of the arguments is made.
import type { ToolCall } from '../domain/call.js';
import type { ToolCall as WireToolCall } from '../gen/pluggableharness/tool/v1/tool_pb.js';
import { jsonToWire } from './json.js';

/** The arguments are taken as they are; encodeMessage refuses what is not JSON. */
export function toolCallToWire(call: ToolCall): WireToolCall {
  const { context } = call;
  return {
    $typeName: 'pluggableharness.tool.v1.ToolCall',
    id: call.id,
    toolName: call.toolName,
    arguments: jsonToWire(call.arguments),
    callContext: {
      $typeName: 'pluggableharness.common.v1.CallContext',
      sessionId: context.sessionId,
      turnId: context.turnId,
      workingDirectory: context.workingDirectory,
    },
  };
}

/**
 * Absent arguments are `{}`, as peers send an empty map as unset. An absent context is one of empty texts;
 * kernels set it always (RPC-05).
 */
export function toolCallFromWire(wire: WireToolCall): ToolCall {
  const context = wire.callContext;
  return {
    id: wire.id,
    toolName: wire.toolName,
    arguments: wire.arguments ?? {},
    context: {
      sessionId: context?.sessionId ?? '',
      turnId: context?.turnId ?? '',
      workingDirectory: context?.workingDirectory ?? '',
    },
  };
}
