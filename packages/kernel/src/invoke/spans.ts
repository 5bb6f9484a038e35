// OpenTelemetry spans of a call and of its attempts, with the attributes of the GenAI conventions. No-op unless
// the embedding program has attached an SDK.
import { context, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { ToolCall, ToolErrorData } from '@tenon/protocol';
import type { CatalogEntry } from '../catalog/model.js';

const tracer = trace.getTracer('@tenon/kernel');

/** The span of a whole call. */
export function callSpan(entry: CatalogEntry, call: ToolCall): Span {
  return tracer.startSpan(`execute_tool ${entry.qualifiedName}`, {
    kind: SpanKind.INTERNAL,
    attributes: {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': entry.qualifiedName,
      'gen_ai.tool.call.id': call.id,
      'gen_ai.tool.type': 'function',
      'gen_ai.conversation.id': call.context.sessionId,
      'tenon.operation.kind': entry.operation.kind,
      'tenon.operation.risk': entry.operation.risk,
    },
  });
}

/** The span of one attempt, below that of its call. */
export function attemptSpan(entry: CatalogEntry, attempt: number, parent: Span): Span {
  return tracer.startSpan(
    `attempt ${entry.qualifiedName}`,
    { kind: SpanKind.CLIENT, attributes: { 'tenon.attempt': attempt } },
    trace.setSpan(context.active(), parent),
  );
}

/** Ends a span, with the category where it failed. */
export function endSpan(span: Span, error?: ToolErrorData): void {
  if (error !== undefined) {
    span.setAttribute('error.type', error.category);
    span.setStatus({ code: SpanStatusCode.ERROR, message: error.message });
  }
  span.end();
}
