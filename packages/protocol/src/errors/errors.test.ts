import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { ErrorInfoSchema, StatusSchema } from '../gen/google/rpc/status_pb.js';
import { ToolErrorCategory as WireCategory } from '../gen/pluggableharness/tool/v1/tool_pb.js';
import { canonicalJson } from '../json/canonical.js';
import { jsonObject } from '../testing/arbitrary.js';
import { encodeMessage } from '../wire/codec.js';
import {
  CATEGORIES,
  categoryFromGrpcCode,
  categoryFromWireNumber,
  PROVIDER_CATEGORIES,
  type ToolErrorCategory,
} from './categories.js';
import { STATUS_DETAILS_KEY, toolErrorFromStatus, toolErrorToStatus } from './status.js';
import { ToolError, type ToolErrorData } from './tool-error.js';

const NAMES = Object.keys(CATEGORIES) as ToolErrorCategory[];

function overStatus(error: ToolErrorData): ToolErrorData {
  const { code, details, metadata } = toolErrorToStatus(error);
  return toolErrorFromStatus({ code, details, statusDetailsBin: metadata[STATUS_DETAILS_KEY] });
}

function bareStatus(code: number, reason: string, metadata: Record<string, string>): ToolErrorData {
  const info = encodeMessage(ErrorInfoSchema, {
    $typeName: 'google.rpc.ErrorInfo',
    reason,
    domain: 'tool.pluggableharness.dev',
    metadata,
  });
  const any = {
    $typeName: 'google.protobuf.Any',
    typeUrl: 'type.googleapis.com/google.rpc.ErrorInfo',
    value: info,
  } as const;
  const statusDetailsBin = encodeMessage(StatusSchema, {
    $typeName: 'google.rpc.Status',
    code,
    message: 'm',
    details: [any],
  });
  return toolErrorFromStatus({ code, details: 'm', statusDetailsBin });
}

describe('the category table', () => {
  it('ERR-01..13: has the numbers, names and codes of the wire', () => {
    const codes = Object.fromEntries(
      NAMES.map((name) => [name, [CATEGORIES[name].wireNumber, CATEGORIES[name].grpcName]]),
    );
    assert.deepEqual(codes, {
      invalid_arguments: [1, 'INVALID_ARGUMENT'],
      not_found: [2, 'NOT_FOUND'],
      permission_denied: [3, 'PERMISSION_DENIED'],
      execution_failed: [4, 'INTERNAL'],
      timeout: [5, 'DEADLINE_EXCEEDED'],
      concurrency_conflict: [6, 'ABORTED'],
      cancelled: [7, 'CANCELLED'],
      process_crashed: [8, 'UNAVAILABLE'],
      unknown: [9, 'INTERNAL'],
    });
    for (const name of NAMES) {
      const { wireNumber } = CATEGORIES[name];
      assert.equal(WireCategory[wireNumber], name.toUpperCase());
      assert.equal(categoryFromWireNumber(wireNumber), name);
      assert.equal(CATEGORIES[name].category, name);
    }
    assert.equal(categoryFromWireNumber(0), undefined);
    assert.equal(categoryFromWireNumber(10), undefined);
  });

  it('ERR-11: a provider may raise all but process_crashed', () => {
    assert.deepEqual(
      PROVIDER_CATEGORIES,
      NAMES.filter((name) => CATEGORIES[name].raisedBy !== 'kernel'),
    );
  });

  it('takes a bare status code to the nearest category', () => {
    for (const name of NAMES) {
      if (name !== 'execution_failed')
        assert.equal(categoryFromGrpcCode(CATEGORIES[name].grpcCode), name);
    }
    assert.deepEqual([2, 9, 12, 16, 99].map(categoryFromGrpcCode), [
      'unknown',
      'execution_failed',
      'unknown',
      'permission_denied',
      'unknown',
    ]);
  });
});

describe('ToolError and gRPC status', () => {
  it('ERR-13: round-trips category, message, retryable and details', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...NAMES),
        fc.string({ unit: 'grapheme', minLength: 1, maxLength: 50 }),
        fc.boolean(),
        jsonObject,
        (category, message, retryable, details) => {
          fc.pre(
            message.trim() !== '' &&
              Buffer.byteLength(JSON.stringify(details)) < 1_000 &&
              Object.keys(details).length > 0,
          );
          const back = overStatus({ category, message, retryable, details });
          assert.deepEqual(
            [back.category, back.message, back.retryable],
            [category, message, retryable],
          );
          assert.equal(canonicalJson(back.details ?? {}), canonicalJson(details));
        },
      ),
      { seed: 13 },
    );
  });

  it('keeps the trailers below what a server takes, however large the error is', () => {
    const error = {
      category: 'unknown',
      message: '\u{1F600}'.repeat(50_000),
      retryable: false,
      details: { big: 'x'.repeat(100_000), small: 1 },
    } as const;
    const { details, metadata } = toolErrorToStatus(error);
    assert.ok(
      Buffer.byteLength(encodeURIComponent(details)) +
        metadata[STATUS_DETAILS_KEY].byteLength * (4 / 3) <
        16_000,
    );
    assert.deepEqual(overStatus(error).details, { 'tenon.truncated': true, small: 1 });
  });

  it('tolerates the text that a Go peer prints instead of JSON', () => {
    const read = bareStatus(5, 'not_found', {
      path: '/x',
      map: 'map[a:1 b:[2 3]]',
      n: '3',
      ok: 'true',
      nil: '<nil>',
    });
    assert.deepEqual(read, {
      category: 'not_found',
      message: 'm',
      retryable: false,
      details: { path: '/x', map: 'map[a:1 b:[2 3]]', n: 3, ok: true, nil: '<nil>' },
    });
  });

  it('goes by the code when the details are of another domain, unknown, garbled or absent', () => {
    assert.equal(bareStatus(7, 'no_such_reason', {}).category, 'permission_denied');
    const garbled = toolErrorFromStatus({
      code: 4,
      details: 'late',
      statusDetailsBin: Buffer.from([0xff, 0xff]),
    });
    assert.deepEqual(garbled, {
      category: 'timeout',
      message: 'late',
      retryable: true,
      details: { grpc_code: 4 },
    });
    assert.equal(
      toolErrorFromStatus({ code: 2, details: '' }).message,
      'the peer answered with gRPC status 2 and no message',
    );
  });

  it('ERR-10: UNAVAILABLE of a process that lives is unknown', () => {
    assert.equal(toolErrorFromStatus({ code: 14, details: 'x' }).category, 'process_crashed');
    assert.equal(
      toolErrorFromStatus({ code: 14, details: 'x' }, { processGone: false }).category,
      'unknown',
    );
  });

  it('ERR-02: a ToolError never has an empty message', () => {
    assert.equal(
      new ToolError({ category: 'timeout', message: '', retryable: true }).message,
      'timeout (no message was given)',
    );
  });
});
