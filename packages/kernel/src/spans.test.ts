// What an OpenTelemetry SDK would see of a turn.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Span, type SpanOptions, trace, type Tracer } from '@opentelemetry/api';
import { ALLOW_ALL, openStudio } from './fixtures/studio.js';

test('a turn, its plan, its hooks and its calls are spans, and each is ended', async (t) => {
  const spans = new Map<string, { attributes: Record<string, unknown>; ended: boolean }>();
  const startSpan = (name: string, options: SpanOptions = {}): Span => {
    const span = { attributes: { ...options.attributes } as Record<string, unknown>, ended: false };
    spans.set(name, span);
    const self: Partial<Span> = {
      setAttribute: (key, value) => ((span.attributes[key] = value), self as Span),
      setAttributes: (more) => (Object.assign(span.attributes, more), self as Span),
      setStatus: () => self as Span,
      addEvent: () => self as Span,
      recordException: () => undefined,
      isRecording: () => !span.ended,
      end: () => void (span.ended = true),
    };
    return self as Span;
  };
  const tracer = { startSpan } as Partial<Tracer> as Tracer;
  trace.setGlobalTracerProvider({ getTracer: () => tracer });
  t.after(() => trace.disable());
  const studio = await openStudio(t, {
    policies: [ALLOW_ALL],
    kernel: {
      hooks: [{ name: 'see', point: 'plan_ready', mode: 'observe', handle: () => undefined }],
    },
  });
  const session = await studio.kernel.openSession();
  await session.runTurn([{ name: 'p.change', arguments: { key: 'a' } }]);
  const names = [...spans.keys()];
  for (const name of ['turn', 'plan', 'hook plan_ready']) assert.ok(names.includes(name), name);
  const call = names.find((name) => name.startsWith('execute_tool'));
  assert.ok(call !== undefined, names.join());
  assert.equal(spans.get(call)?.attributes['gen_ai.operation.name'], 'execute_tool');
  assert.equal(spans.get('turn')?.attributes['gen_ai.conversation.id'], session.id);
  for (const [name, { ended }] of spans) assert.ok(ended, `${name} is ended`);
});
