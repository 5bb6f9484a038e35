import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { DescMessage, MessageShape } from '@bufbuild/protobuf';
import fc from 'fast-check';
import type { ToolEvent } from '../domain/event.js';
import type { ProviderSchema } from '../domain/operation.js';
import type { RenderNode } from '../domain/render.js';
import { ProducerRefSchema } from '../gen/pluggableharness/common/v1/common_pb.js';
import { ConfigSchemaSchema } from '../gen/pluggableharness/config/v1/config_pb.js';
import { ContentBlockSchema } from '../gen/pluggableharness/content/v1/content_pb.js';
import {
  DispatchHookRequestSchema,
  DispatchHookResponseSchema,
} from '../gen/pluggableharness/hook/v1/hook_pb.js';
import { LogRequestSchema } from '../gen/pluggableharness/kernel/v1/kernel_pb.js';
import { ApplyResultSchema, PlanSchema } from '../gen/pluggableharness/plan/v1/plan_pb.js';
import { RenderTreeSchema } from '../gen/pluggableharness/render/v1/render_pb.js';
import { SchemaSchema } from '../gen/pluggableharness/schema/v1/schema_pb.js';
import {
  GetSchemaResponseSchema,
  InvokeResponseSchema,
  RiskClass,
  ToolCallSchema,
  ToolErrorCategory,
  ToolEventSchema,
  ToolKind,
} from '../gen/pluggableharness/tool/v1/tool_pb.js';
import { GetExtensionsResponseSchema } from '../gen/tenon/extension/v1/extension_pb.js';
import { arbitraryMessage, jsonObject, objectSchema } from '../testing/arbitrary.js';
import { decodeMessage, encodeMessage } from '../wire/codec.js';
import { configSchemaFromWire, configSchemaToWire } from './config-schema.js';
import { contentBlockToWire, contentFromWire } from './content.js';
import {
  hookAnswerFromWire,
  hookAnswerToWire,
  hookDispatchFromWire,
  hookDispatchToWire,
} from './hook.js';
import { identityFromWire, identityToWire } from './identity.js';
import { logRequestFromWire, logRequestToWire } from './log-entry.js';
import { applyResultFromWire, applyResultToWire, planFromWire, planToWire } from './plan.js';
import {
  extensionsToWire,
  providerSchemaFromWire,
  providerSchemaToWire,
} from './provider-schema.js';
import { type Received, received } from './received.js';
import { MAX_RENDER_DEPTH, renderTreeFromWire, renderTreeToWire } from './render-tree.js';
import { schemaFromWire, schemaToWire } from './schema.js';
import { toolCallFromWire, toolCallToWire } from './tool-call.js';
import { toolEventFromBytes, toolEventFromWire, toolEventToWire } from './tool-event.js';

/** Whatever a peer sends: what can be read comes back the same after a trip over the wire. */
function roundTrips<D extends DescMessage, T>(
  desc: D,
  fromWire: (wire: MessageShape<D>) => Received<T>,
  toWire: (value: T) => MessageShape<D>,
): void {
  it(`${desc.typeName}: what can be read round-trips over bytes`, () => {
    let read = 0;
    fc.assert(
      fc.property(arbitraryMessage(desc), (message) => {
        const first = fromWire(message as MessageShape<D>);
        if (!first.ok) {
          assert.ok(first.violations.length > 0);
          return;
        }
        read++;
        const second = fromWire(decodeMessage(desc, encodeMessage(desc, toWire(first.value))));
        assert.deepEqual(second, first);
      }),
      { numRuns: 150, seed: 9 },
    );
    assert.ok(read > 5, `only ${read} of 150 messages could be read`);
  });
}

describe('converters', () => {
  roundTrips(ToolCallSchema, (wire) => received(toolCallFromWire(wire)), toolCallToWire);
  roundTrips(
    ToolEventSchema,
    (wire): Received<ToolEvent> => {
      const read = toolEventFromWire(wire);
      return read.ok ? received(read.event) : read;
    },
    toolEventToWire,
  );
  roundTrips(RenderTreeSchema, (wire) => received(renderTreeFromWire(wire)), renderTreeToWire);
  roundTrips(ConfigSchemaSchema, (wire) => configSchemaFromWire(wire), configSchemaToWire);
  roundTrips(PlanSchema, (wire) => planFromWire(wire), planToWire);
  roundTrips(ApplyResultSchema, (wire) => applyResultFromWire(wire), applyResultToWire);
  roundTrips(DispatchHookRequestSchema, hookDispatchFromWire, hookDispatchToWire);
  roundTrips(DispatchHookResponseSchema, hookAnswerFromWire, hookAnswerToWire);
  roundTrips(ProducerRefSchema, (wire) => received(identityFromWire(wire)), identityToWire);
  roundTrips(
    ContentBlockSchema,
    (wire) => {
      const read = contentFromWire([wire]);
      const block = read.ok ? read.value[0] : undefined;
      if (read.ok && block !== undefined) return received(block);
      return read.ok ? { ok: false, violations: [] } : read;
    },
    contentBlockToWire,
  );
  roundTrips(
    LogRequestSchema,
    (wire) => {
      const { entries, sessionId } = logRequestFromWire(wire);
      const entry = entries[0];
      if (entry === undefined) return received(undefined);
      return received({
        entry: { ...entry, time: Math.min(8e12, Math.max(0, Math.trunc(entry.time ?? 0))) },
        sessionId,
      });
    },
    (value) =>
      value === undefined
        ? decodeMessage(LogRequestSchema, new Uint8Array())
        : logRequestToWire(value.entry, value.sessionId),
  );
});

describe('schemas', () => {
  it('round-trip over bytes', () => {
    fc.assert(
      fc.property(objectSchema, (schema) => {
        const bytes = encodeMessage(SchemaSchema, schemaToWire(schema));
        assert.deepEqual(schemaFromWire(decodeMessage(SchemaSchema, bytes)), {
          ok: true,
          value: schema,
        });
      }),
      { seed: 9 },
    );
  });

  it('SCH-01, SCH-03: say what is not of the subset, and never throw', () => {
    fc.assert(
      fc.property(arbitraryMessage(SchemaSchema), (message) => {
        const read = schemaFromWire(message as MessageShape<typeof SchemaSchema>);
        if (!read.ok)
          assert.ok(read.violations.every(({ requirement }) => /^SCH-0[13]$/.test(requirement)));
      }),
      { numRuns: 150, seed: 9 },
    );
  });
});

const providerSchema: ProviderSchema = {
  operations: [
    {
      name: 'edit',
      kind: 'resource',
      risk: 'moderate',
      description: 'Edits.',
      input: {
        type: 'object',
        properties: JSON.parse(
          '{"path":{"type":"string","description":"Where."},"__proto__":{"type":"string","enum":["é",""]}}',
        ) as Record<string, never>,
        required: ['path', '__proto__'],
      },
      output: { type: 'object', properties: {}, required: [] },
      streaming: true,
      concurrency: { safe: true, keyFields: ['path'] },
      defaultTimeoutMs: 1500,
      idempotent: true,
      terminatesTurn: false,
      derivedKeys: [{ field: 'path', derivation: 'path', keySpace: 'files' }],
    },
    {
      name: 'ask',
      kind: 'interactive',
      risk: 'read_only',
      description: 'Asks.',
      input: { type: 'object', properties: {}, required: [] },
      output: { type: 'object', properties: {}, required: [] },
      streaming: false,
      idempotent: false,
      terminatesTurn: false,
      derivedKeys: [],
    },
  ],
  slashCommands: [{ name: 'fix', description: 'Fixes.', template: 'Fix {{args}}' }],
  config: [
    {
      name: 'roots',
      type: 'list_string',
      required: true,
      sensitive: false,
      description: '',
      attributes: [],
      default: ['.'],
    },
  ],
  supportedHookPoints: ['plan_ready'],
};

describe('providerSchemaFromWire', () => {
  it('round-trips a good schema, its extensions included', () => {
    const response = decodeMessage(
      GetSchemaResponseSchema,
      encodeMessage(GetSchemaResponseSchema, providerSchemaToWire(providerSchema)),
    );
    const extensions = decodeMessage(
      GetExtensionsResponseSchema,
      encodeMessage(GetExtensionsResponseSchema, extensionsToWire(providerSchema)),
    );
    assert.deepEqual(providerSchemaFromWire(response, extensions), {
      schema: providerSchema,
      refused: [],
      violations: [],
    });
  });

  it('KND-03: refuses a broken operation by itself, with every requirement and place', () => {
    const wire = providerSchemaToWire(providerSchema);
    const [edit, ask] = wire.tools;
    assert.ok(edit !== undefined && ask !== undefined);
    wire.tools = [
      {
        ...edit,
        kind: ToolKind.UNSPECIFIED,
        risk: RiskClass.UNSPECIFIED,
        inputSchema: {
          ...schemaToWire({ type: 'string' }),
          items: schemaToWire({ type: 'number' }),
        },
      },
      ask,
      { ...edit, name: 'twin' },
      { ...edit, name: 'twin' },
      { ...edit, name: 'bare', concurrency: undefined, defaultTimeout: undefined },
    ];
    const read = providerSchemaFromWire(wire);
    assert.deepEqual(
      read.schema.operations.map(({ name }) => name),
      ['ask', 'bare'],
    );
    assert.deepEqual(
      read.refused.map(({ operation, violations }) => [
        operation,
        violations.map((v) => `${v.requirement} ${v.pointer}`),
      ]),
      [
        ['edit', ['SCH-01 /input_schema/items', 'KND-01 /kind', 'KND-02 /risk']],
        ['twin', ['SCH-02 /name']],
        ['twin', ['SCH-02 /name']],
      ],
    );
    assert.ok(
      read.violations.some(
        ({ requirement, pointer }) =>
          requirement === 'CON-01' && pointer === '/tools/4/concurrency',
      ),
    );
  });

  it('CON-03: ignores a ConcurrencySpec of an interactive operation, and says so', () => {
    const wire = providerSchemaToWire(providerSchema);
    const ask = wire.tools[1];
    assert.ok(ask !== undefined);
    ask.concurrency = {
      $typeName: 'pluggableharness.tool.v1.ConcurrencySpec',
      safe: true,
      keyFields: [],
    };
    const read = providerSchemaFromWire(wire);
    assert.equal(read.schema.operations[1]?.concurrency, undefined);
    assert.deepEqual(
      read.violations.map(({ requirement }) => requirement),
      ['CON-03'],
    );
  });

  it('never throws, whatever a peer sends', () => {
    fc.assert(
      fc.property(arbitraryMessage(GetSchemaResponseSchema), (message) => {
        const wire = message as MessageShape<typeof GetSchemaResponseSchema>;
        const { schema, refused } = providerSchemaFromWire(wire);
        assert.equal(schema.operations.length + refused.length, wire.tools.length);
        assert.ok(refused.every(({ violations }) => violations.length > 0));
      }),
      { numRuns: 150, seed: 9 },
    );
  });
});

describe('toolEventFromWire', () => {
  const event = (body: unknown) =>
    ({ $typeName: 'pluggableharness.tool.v1.ToolEvent', event: body }) as never;
  const error = (category: number, message: string, details?: object) =>
    event({ case: 'error', value: { category, message, retryable: false, details } });
  const cases: [string, never, string][] = [
    ['an unset oneof', event({ case: undefined }), 'EVT-06 '],
    [
      'an unspecified stream',
      event({ case: 'outputChunk', value: { stream: 0, data: new Uint8Array() } }),
      'EVT-06 /output_chunk/stream',
    ],
    [
      'a fraction above 1',
      event({ case: 'progress', value: { message: '', fractionComplete: 1.01 } }),
      'EVT-06 /progress/fraction_complete',
    ],
    [
      'a negative fraction',
      event({ case: 'progress', value: { message: '', fractionComplete: -0.1 } }),
      'EVT-06 /progress/fraction_complete',
    ],
    [
      'a fraction of NaN',
      event({ case: 'progress', value: { message: '', fractionComplete: Number.NaN } }),
      'EVT-06 /progress/fraction_complete',
    ],
    [
      'NaN in a result',
      event({ case: 'result', value: { payload: { a: [Number.NaN] } } }),
      'EVT-06 /result/payload/a/0',
    ],
    [
      'NaN in a partial result',
      event({ case: 'partialResult', value: { payload: { a: Number.NaN } } }),
      'EVT-06 /partial_result/payload/a',
    ],
    ['process_crashed', error(ToolErrorCategory.PROCESS_CRASHED, 'x'), 'ERR-11 /error/category'],
    ['an unspecified category', error(0, 'x'), 'ERR-11 /error/category'],
    ['a category of the future', error(42, 'x'), 'ERR-11 /error/category'],
    ['an empty message', error(ToolErrorCategory.TIMEOUT, ' '), 'ERR-02 /error/message'],
    [
      'NaN in details',
      error(ToolErrorCategory.TIMEOUT, 'x', { n: Number.NaN }),
      'ERR-02 /error/details/n',
    ],
  ];
  for (const [name, wire, expected] of cases) {
    it(`${expected}: ${name} is a violation`, () => {
      const read = toolEventFromWire(wire);
      assert.ok(!read.ok);
      assert.deepEqual(
        read.violations.map((v) => `${v.requirement} ${v.pointer}`),
        [expected],
      );
    });
  }

  it('takes an absent payload for an empty one, and fractions of 0 and 1', () => {
    assert.deepEqual(toolEventFromWire(event({ case: 'result', value: {} })), {
      ok: true,
      event: { type: 'result', payload: {} },
    });
    for (const fraction of [0, -0, 1]) {
      const read = toolEventFromWire(
        event({ case: 'progress', value: { message: 'm', fractionComplete: fraction } }),
      );
      assert.deepEqual(read, { ok: true, event: { type: 'progress', message: 'm', fraction } });
    }
  });

  it('EVT-06: makes a violation of any bytes that are no event', () => {
    assert.deepEqual(toolEventFromBytes(Buffer.from([0x0a, 0x05, 0x01])), {
      ok: false,
      violations: [
        {
          requirement: 'EVT-06',
          pointer: '/event',
          message:
            'the bytes are not an InvokeResponse: a length of 5 bytes at byte 1, where 1 are left',
        },
      ],
    });
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => void toolEventFromBytes(bytes)),
      { numRuns: 2_000, seed: 9 },
    );
  });

  it('reads what toolEventToWire wrote, for any payload', () => {
    fc.assert(
      fc.property(jsonObject, (payload) => {
        const sent: ToolEvent = { type: 'result', payload };
        const bytes = encodeMessage(InvokeResponseSchema, {
          $typeName: 'pluggableharness.tool.v1.InvokeResponse',
          event: toolEventToWire(sent),
        });
        assert.deepEqual(toolEventFromBytes(bytes), { ok: true, event: sent });
      }),
      { seed: 9 },
    );
  });
});

describe('renderTreeFromWire', () => {
  it('keeps a node of a newer peer as unknown, and cuts what is nested too deep', () => {
    let root: RenderNode = { type: 'text', content: 'bottom' };
    for (let i = 0; i < 1_000; i++) root = { type: 'group', children: [root, { type: 'unknown' }] };
    const wire = decodeMessage(
      RenderTreeSchema,
      encodeMessage(RenderTreeSchema, renderTreeToWire({ root })),
    );
    let node = renderTreeFromWire(wire).root;
    let depth = 1;
    while (node.type === 'group') {
      assert.deepEqual(node.children[1], { type: 'unknown' });
      node = node.children[0] as RenderNode;
      depth++;
    }
    assert.deepEqual([node.type, depth], ['unknown', MAX_RENDER_DEPTH + 1]);
  });
});
