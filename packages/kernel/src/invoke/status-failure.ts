// What a failed gRPC status means to the kernel. The code alone does not say whether the process has died
// (ERR-10): grpc-js reports a broken connection as UNAVAILABLE, and a living provider may say UNAVAILABLE for
// reasons of its own. So the process is looked at.
import type { StatusObject } from '@grpc/grpc-js';
import {
  GRPC_CODE,
  STATUS_DETAILS_KEY,
  type JsonObject,
  type ToolErrorData,
  toolErrorFromStatus,
} from '@tenon/protocol';
import type { CrashReport } from '../catalog/model.js';

/** The error of a status that a living provider sent. */
export function errorOfStatus(status: StatusObject, requestBytes?: number): ToolErrorData {
  const tooLarge = requestBytes === undefined ? undefined : sizeError(status, requestBytes);
  if (tooLarge !== undefined) return tooLarge;
  const [bytes] = status.metadata.get(STATUS_DETAILS_KEY);
  return toolErrorFromStatus(
    {
      code: status.code,
      details: status.details,
      ...(bytes instanceof Uint8Array ? { statusDetailsBin: bytes } : {}),
    },
    { processGone: false },
  );
}

const MAYBE_BROKEN: ReadonlySet<number> = new Set([
  GRPC_CODE.UNAVAILABLE,
  GRPC_CODE.INTERNAL,
  GRPC_CODE.CANCELLED,
  2 /* UNKNOWN */,
]);

/** Whether a status can come from a broken connection, so that the process has to be looked at. */
export function mayBeBroken(status: StatusObject): boolean {
  if (status.metadata.get(STATUS_DETAILS_KEY).length > 0) return false;
  return MAYBE_BROKEN.has(status.code);
}

/** `process_crashed` as the kernel raises it, with everything that is known of the end. */
export function crashError(provider: string, crash: CrashReport): ToolErrorData {
  const lastLines = crash.stderrTail.slice(-20);
  const quoted = lastLines.slice(-3).join(' / ');
  const details: JsonObject = {
    reason: crash.reason,
    ...(crash.pid === undefined ? {} : { pid: crash.pid }),
    ...(crash.exitCode === undefined ? {} : { exit_code: crash.exitCode }),
    ...(crash.signal === undefined ? {} : { signal: crash.signal }),
    stderr: lastLines,
  };
  return {
    category: 'process_crashed',
    message:
      `Provider ${provider} died during the call: ${crash.reason}.` +
      (quoted === '' ? '' : ` Its last words: ${quoted}`),
    retryable: true,
    details,
  };
}

// "grpc: received message larger than max (5242880 vs. 4194304)", and grpc-js's own wording.
const SIZE_CODES: ReadonlySet<number> = new Set([GRPC_CODE.RESOURCE_EXHAUSTED]);
const SIZES = /larger than max\s*\(?(\d+)\s*(?:bytes)?\s*vs\.?\s*(\d+)/i;

function sizeError(status: StatusObject, requestBytes: number): ToolErrorData | undefined {
  if (!SIZE_CODES.has(status.code) || !/larger|size|exceed/i.test(status.details)) {
    return undefined;
  }
  const limit = Number(SIZES.exec(status.details)?.[2] ?? Number.NaN);
  const known = Number.isFinite(limit);
  return {
    category: 'execution_failed',
    retryable: false,
    message:
      `The call is ${requestBytes} bytes long, ` +
      (known ? `and this provider takes at most ${limit}` : 'more than this provider takes') +
      '; send less in one call.',
    details: {
      request_bytes: requestBytes,
      ...(known ? { limit_bytes: limit } : {}),
      grpc_status: status.details,
    },
  };
}
