import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type DescFile,
  type DescMessage,
  fromBinary,
  type Message,
  toBinary,
} from '@bufbuild/protobuf';
import fc from 'fast-check';
import { file_google_rpc_status } from '../gen/google/rpc/status_pb.js';
import { file_pluggableharness_common_v1_common } from '../gen/pluggableharness/common/v1/common_pb.js';
import { file_pluggableharness_config_v1_config } from '../gen/pluggableharness/config/v1/config_pb.js';
import { file_pluggableharness_content_v1_content } from '../gen/pluggableharness/content/v1/content_pb.js';
import { file_pluggableharness_hook_v1_hook } from '../gen/pluggableharness/hook/v1/hook_pb.js';
import { file_pluggableharness_kernel_v1_kernel } from '../gen/pluggableharness/kernel/v1/kernel_pb.js';
import { file_pluggableharness_log_v1_log } from '../gen/pluggableharness/log/v1/log_pb.js';
import { file_pluggableharness_plan_v1_plan } from '../gen/pluggableharness/plan/v1/plan_pb.js';
import { file_pluggableharness_render_v1_render } from '../gen/pluggableharness/render/v1/render_pb.js';
import {
  file_pluggableharness_schema_v1_schema,
  SchemaSchema,
} from '../gen/pluggableharness/schema/v1/schema_pb.js';
import { file_pluggableharness_session_v1_session } from '../gen/pluggableharness/session/v1/session_pb.js';
import {
  file_pluggableharness_tool_v1_tool,
  InvokeRequestSchema,
  InvokeResponseSchema,
  ToolCallSchema,
  ToolEventSchema,
  type ToolCall,
  ToolErrorSchema,
} from '../gen/pluggableharness/tool/v1/tool_pb.js';
import { file_tenon_extension_v1_extension } from '../gen/tenon/extension/v1/extension_pb.js';
import { MAX_JSON_DEPTH } from '../json/limits.js';
import { arbitraryMessage, jsonObject } from '../testing/arbitrary.js';
import { decodeMessage, encodeMessage, structFromWire, structToWire } from './codec.js';
import { WireDecodeError, WireEncodeError } from './errors.js';

const FILES: readonly DescFile[] = [
  file_google_rpc_status,
  file_pluggableharness_common_v1_common,
  file_pluggableharness_config_v1_config,
  file_pluggableharness_content_v1_content,
  file_pluggableharness_hook_v1_hook,
  file_pluggableharness_kernel_v1_kernel,
  file_pluggableharness_log_v1_log,
  file_pluggableharness_plan_v1_plan,
  file_pluggableharness_render_v1_render,
  file_pluggableharness_schema_v1_schema,
  file_pluggableharness_session_v1_session,
  file_pluggableharness_tool_v1_tool,
  file_tenon_extension_v1_extension,
];

function withNested(messages: readonly DescMessage[]): DescMessage[] {
  return messages.flatMap((message) => [message, ...withNested(message.nestedMessages)]);
}
const MESSAGES = FILES.flatMap((file) => withNested(file.messages)).filter(
  (desc) => desc.file.proto.options?.deprecated !== true && !desc.typeName.endsWith('Entry'),
);

function call(args: unknown): ToolCall {
  return {
    $typeName: 'pluggableharness.tool.v1.ToolCall',
    id: 'c1',
    toolName: 'read_file',
    arguments: args as ToolCall['arguments'],
    callContext: undefined,
  };
}

function nested(levels: number): unknown {
  let value: unknown = 1;
  for (let i = 0; i < levels; i++) value = i % 2 === 0 ? { a: value } : [value];
  return levels % 2 === 0 ? { root: value } : value;
}

describe('the codec agrees with protobuf-es', () => {
  for (const desc of MESSAGES) {
    it(`${desc.typeName} round-trips, and is read alike by protobuf-es`, () => {
      fc.assert(
        fc.property(arbitraryMessage(desc), (value) => {
          const message = value as unknown as Message;
          const bytes = encodeMessage(desc, message);
          assert.deepEqual(decodeMessage(desc, bytes), message);
          // protobuf-es loses keys named __proto__; its bytes are a fair comparison without them.
          if (
            JSON.stringify(message, (_, v: unknown) =>
              typeof v === 'bigint' ? `${v}` : v,
            ).includes('__proto__')
          )
            return;
          assert.deepEqual(new Uint8Array(bytes), toBinary(desc, message));
          assert.deepEqual(toBinary(desc, fromBinary(desc, bytes)), new Uint8Array(bytes));
        }),
        { numRuns: 60, seed: 7 },
      );
    });
  }
});

describe('S1: JSON on the wire is exact', () => {
  it('round-trips any JSON object, also keys named __proto__', () => {
    fc.assert(
      fc.property(jsonObject, (value) => {
        assert.deepEqual(structFromWire(structToWire(value)), value);
      }),
      { numRuns: 300, seed: 7 },
    );
  });

  it('keeps __proto__ as an own key and does not touch the prototype', () => {
    const value = JSON.parse('{"__proto__":{"polluted":true},"a":1}') as Record<string, number>;
    const back = structFromWire(structToWire(value));
    assert.ok(Object.hasOwn(back, '__proto__'));
    assert.equal(Object.getPrototypeOf(back), Object.prototype);
    assert.equal((back as { polluted?: boolean }).polluted, undefined);
  });

  it('keeps -0, 1e308 and 2^53', () => {
    const back = structFromWire(structToWire({ a: -0, b: 1e308, c: 2 ** 53 }));
    assert.ok(Object.is(back['a'], -0));
    assert.deepEqual([back['b'], back['c']], [1e308, 2 ** 53]);
  });

  for (const [name, value] of [
    ['NaN', { a: [1, Number.NaN] }],
    ['undefined', { a: [1, undefined] }],
    ['bigint', { a: [1, 1n] }],
    ['a function', { a: [1, () => 1] }],
    ['a Date', { a: [1, new Date(0)] }],
    ['a lone surrogate', { a: [1, '\uD800'] }],
  ] as const) {
    it(`refuses ${name} with its place`, () => {
      assert.throws(
        () => encodeMessage(ToolCallSchema, call(value)),
        (error: unknown) =>
          error instanceof WireEncodeError && error.violations[0]?.pointer === '/arguments/a/1',
      );
    });
  }

  it('refuses an integer that is none, with its place', () => {
    const event = {
      $typeName: 'pluggableharness.tool.v1.ToolEvent',
      event: {
        case: 'exitStatus',
        value: { $typeName: 'pluggableharness.tool.v1.ToolEvent.ExitStatus', exitCode: 1.5 },
      },
    } as const;
    assert.throws(() => encodeMessage(ToolEventSchema, event), /exit_code: expected an integer/);
  });
});

describe('depth', () => {
  it(`carries ${MAX_JSON_DEPTH} levels of JSON and refuses more on both sides`, () => {
    const deep = nested(MAX_JSON_DEPTH - 1);
    assert.deepEqual(
      decodeMessage(ToolCallSchema, encodeMessage(ToolCallSchema, call(deep))),
      call(deep),
    );
    assert.throws(
      () => encodeMessage(ToolCallSchema, call(nested(MAX_JSON_DEPTH + 1))),
      /nested deeper than 256/,
    );
  });

  it('refuses bytes nested far deeper without exhausting the stack', () => {
    let value = Buffer.from([0x08, 0x00]);
    for (let i = 0; i < 20_000; i++) {
      const list = Buffer.concat([Buffer.from([0x0a]), lengthOf(value), value]);
      value = Buffer.concat([Buffer.from([0x32]), lengthOf(list), list]);
    }
    const entry = Buffer.concat([Buffer.from([0x0a, 0x01, 0x61, 0x12]), lengthOf(value), value]);
    const struct = Buffer.concat([Buffer.from([0x0a]), lengthOf(entry), entry]);
    assert.throws(() => structFromWire(struct), /nested deeper than 256/);
  });

  it('refuses a message nested in itself far deeper', () => {
    let schema = Buffer.from([0x08, 0x05]);
    for (let i = 0; i < 5_000; i++) {
      schema = Buffer.concat([Buffer.from([0x08, 0x05, 0x2a]), lengthOf(schema), schema]);
    }
    assert.throws(() => decodeMessage(SchemaSchema, schema), /nested deeper than 1024/);
  });
});

function lengthOf(bytes: Uint8Array): Buffer {
  const out: number[] = [];
  let rest = bytes.byteLength;
  while (rest > 0x7f) {
    out.push((rest & 0x7f) | 0x80);
    rest >>>= 7;
  }
  return Buffer.from([...out, rest]);
}

describe('bytes of a peer', () => {
  it('refuses a known field of another wire type, with its place', () => {
    // ToolError.retryable (3) as bytes instead of varint, inside of InvokeResponse.event.error.
    const error = Buffer.from([0x08, 0x02, 0x12, 0x01, 0x78, 0x1a, 0x01, 0x01]);
    const event = Buffer.concat([Buffer.from([0x32, error.length]), error]);
    const response = Buffer.concat([Buffer.from([0x0a, event.length]), event]);
    assert.throws(
      () => decodeMessage(InvokeResponseSchema, response),
      (thrown: unknown) =>
        thrown instanceof WireDecodeError &&
        thrown.pointer === '/event/error/retryable' &&
        /wire type 2 .*length-delimited.* field has 0/.test(thrown.message),
    );
  });

  it('refuses a length that runs beyond its message', () => {
    // The event says 2 bytes; the error inside of it says 9, and 9 bytes do follow.
    const bytes = Buffer.from([0x0a, 0x02, 0x32, 0x09, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    assert.throws(() => decodeMessage(InvokeResponseSchema, bytes), WireDecodeError);
  });

  it('refuses text that is not UTF-8, and keeps U+FFFD that is', () => {
    assert.throws(
      () => decodeMessage(ToolErrorSchema, Buffer.from([0x12, 0x01, 0xe9])),
      /not UTF-8/,
    );
    const kept = decodeMessage(ToolErrorSchema, Buffer.from([0x12, 0x03, 0xef, 0xbf, 0xbd]));
    assert.equal(kept.message, '\uFFFD');
  });

  it('keeps unknown fields and sends them on', () => {
    const bytes = Buffer.from([0x12, 0x01, 0x78, 0xfa, 0x01, 0x02, 0x01, 0x02]);
    assert.deepEqual(encodeMessage(ToolErrorSchema, decodeMessage(ToolErrorSchema, bytes)), bytes);
  });

  it('merges a field that comes twice, and takes the last of a oneof', () => {
    const bytes = Buffer.from([0x0a, 0x03, 0x0a, 0x01, 0x61, 0x0a, 0x03, 0x12, 0x01, 0x62]);
    const { call: merged } = decodeMessage(InvokeRequestSchema, bytes);
    assert.deepEqual([merged?.id, merged?.toolName], ['a', 'b']);
  });

  it('copies bytes out of the frame', () => {
    const frame = Buffer.from([0x0a, 0x07, 0x0a, 0x05, 0x08, 0x01, 0x12, 0x01, 0x41]);
    const decoded = decodeMessage(InvokeResponseSchema, frame);
    frame.fill(0);
    assert.ok(decoded.event?.event.case === 'outputChunk');
    assert.deepEqual(decoded.event.event.value.data, Uint8Array.of(0x41));
  });

  it('answers any truncated or changed bytes with a message or a WireDecodeError', () => {
    const whole = arbitraryMessage(InvokeResponseSchema).map((value) =>
      encodeMessage(InvokeResponseSchema, value as never),
    );
    const change = fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 }));
    fc.assert(
      fc.property(whole, fc.nat(), fc.array(change, { maxLength: 4 }), (bytes, cut, changes) => {
        const broken = Buffer.from(bytes.subarray(0, bytes.length - (cut % (bytes.length + 1))));
        for (const [at, value] of changes)
          if (broken.length > 0) broken[at % broken.length] = value;
        readable(broken);
      }),
      { numRuns: 3_000, seed: 11 },
    );
    fc.assert(fc.property(fc.uint8Array({ maxLength: 64 }), readable), {
      numRuns: 3_000,
      seed: 12,
    });
  });
});

function readable(bytes: Uint8Array): void {
  try {
    decodeMessage(InvokeResponseSchema, bytes);
  } catch (error) {
    assert.ok(error instanceof WireDecodeError, String(error));
  }
}
