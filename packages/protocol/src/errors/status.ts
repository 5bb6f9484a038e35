// ToolError ↔ gRPC status, for the unary RPCs: Configure, GetSchema, Render, Preview. (Invoke's own failures
// travel in its stream.) The details of a status hold a google.rpc.ErrorInfo with the category.
import type { JsonObject, JsonValue } from '../domain/json.js';
import { ErrorInfoSchema, StatusSchema } from '../gen/google/rpc/status_pb.js';
import { isWellFormed } from '../json/well-formed.js';
import { parseJsonExact } from '../json/parse.js';
import { decodeMessage, encodeMessage } from '../wire/codec.js';
import {
  CATEGORIES,
  categoryFromGrpcCode,
  categoryFromName,
  GRPC_CODE,
  type ToolErrorCategory,
} from './categories.js';
import type { ToolErrorData } from './tool-error.js';

/** The domain of our ErrorInfo. */
export const ERROR_DOMAIN = 'tool.pluggableharness.dev';
/** Name of the trailer that carries google.rpc.Status. */
export const STATUS_DETAILS_KEY = 'grpc-status-details-bin';

const ERROR_INFO_URL = 'type.googleapis.com/google.rpc.ErrorInfo';
const RETRYABLE_KEY = 'tenon.retryable';
// gRPC servers and proxies refuse headers over 8 KiB; the trailer is base64 on the wire, and shares the limit
// with the message, which is percent-encoded there and once more inside of the status.
const MAX_DETAILS_BYTES = 2_500;
const MAX_MESSAGE_CHARS = 1_000;

export interface GrpcStatus {
  readonly code: number;
  /** The human-readable message: what grpc-js calls `details`. */
  readonly details: string;
  /** Entries for the trailing metadata. */
  readonly metadata: { readonly [STATUS_DETAILS_KEY]: Uint8Array };
}

/**
 * The status of a unary RPC that fails with this error: the category's code, the message (cut to what a
 * trailer can carry), and an ErrorInfo whose metadata holds the details, one JSON text per key.
 */
export function toolErrorToStatus(error: ToolErrorData): GrpcStatus {
  const facts = CATEGORIES[error.category];
  const message = cut(error.message, MAX_MESSAGE_CHARS);
  const info = encodeMessage(ErrorInfoSchema, {
    $typeName: 'google.rpc.ErrorInfo',
    reason: error.category,
    domain: ERROR_DOMAIN,
    metadata: metadataOf(error),
  });
  const status = encodeMessage(StatusSchema, {
    $typeName: 'google.rpc.Status',
    code: facts.grpcCode,
    message,
    details: [{ $typeName: 'google.protobuf.Any', typeUrl: ERROR_INFO_URL, value: info }],
  });
  return {
    code: facts.grpcCode,
    details: message,
    metadata: { [STATUS_DETAILS_KEY]: status },
  };
}

function metadataOf(error: ToolErrorData): Record<string, string> {
  const metadata: Record<string, string> = Object.create(null) as Record<string, string>;
  if (error.retryable !== CATEGORIES[error.category].defaultRetryable) {
    metadata[RETRYABLE_KEY] = String(error.retryable);
  }
  let room = MAX_DETAILS_BYTES;
  for (const [key, value] of Object.entries(error.details ?? {})) {
    const text = JSON.stringify(value);
    const size = Buffer.byteLength(key) + Buffer.byteLength(text) + 8;
    if (size > room) {
      metadata['tenon.truncated'] = 'true';
      continue;
    }
    room -= size;
    metadata[key] = text;
  }
  return metadata;
}

function cut(text: string, limit: number): string {
  const whole = isWellFormed(text) ? text : text.replaceAll(/\p{Surrogate}/gu, '\uFFFD');
  if (whole.length <= limit) return whole;
  return `${whole.slice(0, limit).replace(/\p{Surrogate}$/u, '')}…`;
}

/** A status as a client sees it. */
export interface ReceivedStatus {
  readonly code: number;
  readonly details: string;
  /** First value of the trailer grpc-status-details-bin, if there was one. */
  readonly statusDetailsBin?: Uint8Array;
}

/**
 * The error behind a failed unary RPC. The category comes from an ErrorInfo of our domain; without one, or
 * with one that cannot be read, it is the nearest of the code. UNAVAILABLE is `process_crashed` only when
 * `processGone` says that the process has in fact gone (ERR-10): grpc-js also reports a broken connection so,
 * and the caller knows; default true. Values of the metadata that are JSON are read as JSON, others, as a Go
 * peer prints them, are kept as text.
 */
export function toolErrorFromStatus(
  status: ReceivedStatus,
  options: { readonly processGone?: boolean } = {},
): ToolErrorData {
  const info =
    status.statusDetailsBin === undefined ? undefined : readInfo(status.statusDetailsBin);
  const category = allowed(info?.category ?? categoryFromGrpcCode(status.code), options);
  const message = status.details.trim() === '' ? info?.message.trim() || undefined : status.details;
  const details = { ...info?.details, ...(info === undefined ? { grpc_code: status.code } : {}) };
  return {
    category,
    message: message ?? `the peer answered with gRPC status ${status.code} and no message`,
    retryable: info?.retryable ?? CATEGORIES[category].defaultRetryable,
    ...(Object.keys(details).length === 0 ? {} : { details }),
  };
}

function allowed(
  category: ToolErrorCategory,
  options: { readonly processGone?: boolean },
): ToolErrorCategory {
  return category === 'process_crashed' && options.processGone === false ? 'unknown' : category;
}

interface Info {
  readonly category: ToolErrorCategory;
  readonly message: string;
  readonly retryable: boolean | undefined;
  readonly details: JsonObject;
}

function readInfo(bytes: Uint8Array): Info | undefined {
  try {
    const status = decodeMessage(StatusSchema, bytes);
    for (const any of status.details) {
      if (!any.typeUrl.endsWith('/google.rpc.ErrorInfo')) continue;
      const info = decodeMessage(ErrorInfoSchema, any.value);
      const category = categoryFromName(info.reason.toLowerCase());
      if (info.domain !== ERROR_DOMAIN || category === undefined) continue;
      const retryable = info.metadata[RETRYABLE_KEY];
      return {
        category,
        message: status.message,
        retryable: retryable === undefined ? undefined : retryable === 'true',
        details: readMetadata(info.metadata),
      };
    }
  } catch {
    // Details are an addition: when they cannot be read, the code and the message of the status still stand.
  }
  return undefined;
}

function readMetadata(metadata: Readonly<Record<string, string>>): JsonObject {
  const entries = Object.entries(metadata).filter(([key]) => key !== RETRYABLE_KEY);
  return Object.fromEntries(entries.map(([key, text]) => [key, readValue(text)]));
}

function readValue(text: string): JsonValue {
  const parsed = parseJsonExact(text);
  return parsed.ok ? parsed.value : text;
}

/** Whether a status says that the peer does not serve this method (RPC-07). */
export function isUnimplemented(status: { readonly code: number }): boolean {
  return status.code === GRPC_CODE.UNIMPLEMENTED;
}
