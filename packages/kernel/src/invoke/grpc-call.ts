// One gRPC call with a single request and a stream of answers, read one message at a time: nothing is asked of
// the peer before the reader wants it, so that a slow reader slows the peer down (EVT-07). Built on grpc-js's
// channel instead of its client, which would add a Readable stream and a chain of interceptors to each call.
import { type Channel, Metadata, status as grpcStatus, type StatusObject } from '@grpc/grpc-js';

/** What the reader gets next: a message, or the end of the call with its status. */
export type Received =
  | { readonly type: 'message'; readonly bytes: Buffer }
  | { readonly type: 'end'; readonly status: StatusObject };

/** A call that has been started. One reader at a time. */
export interface GrpcCall {
  next(): Promise<Received>;
  /** Closes the stream (CAN-01). What was not read is dropped; `next` gives the end. */
  cancel(): void;
  /** Ends it on this side with a status of ours, as when the process behind it is given up. */
  fail(status: StatusObject): void;
}

const NO_METADATA = new Metadata();
const NEVER = Number.POSITIVE_INFINITY;

/** Starts a call. `path` is "/package.Service/Method". */
export function startCall(channel: Channel, path: string, request: Buffer): GrpcCall {
  const messages: Buffer[] = [];
  let end: StatusObject | undefined;
  let wake: ((received: Received) => void) | undefined;
  let reading = true;

  const finish = (status: StatusObject): void => {
    if (end !== undefined) return;
    end = status;
    wake?.({ type: 'end', status });
    wake = undefined;
  };

  const call = channel.createCall(path, NEVER, undefined, null, undefined);
  call.start(NO_METADATA.clone(), {
    onReceiveMetadata() {
      // Headers of an answer say nothing that is of use here.
    },
    onReceiveMessage(bytes: Buffer) {
      reading = false;
      if (end !== undefined) return;
      if (wake === undefined) messages.push(bytes);
      else {
        const resolve = wake;
        wake = undefined;
        resolve({ type: 'message', bytes });
      }
    },
    onReceiveStatus: finish,
  });
  call.startRead();
  call.sendMessageWithContext({}, request);
  call.halfClose();

  return {
    next() {
      const bytes = messages.shift();
      if (bytes !== undefined) return Promise.resolve({ type: 'message', bytes });
      if (end !== undefined) return Promise.resolve({ type: 'end', status: end });
      return new Promise((resolve) => {
        wake = resolve;
        if (!reading) {
          reading = true;
          call.startRead();
        }
      });
    },
    cancel() {
      call.cancelWithStatus(grpcStatus.CANCELLED, 'cancelled by the kernel');
    },
    fail(status) {
      finish(status);
      call.cancelWithStatus(grpcStatus.CANCELLED, status.details);
    },
  };
}

/** Runs a call that has one answer. Rejects with the status, as a StatusError, when that is not OK. */
export async function callOnce(
  channel: Channel,
  path: string,
  request: Buffer,
  options: { readonly signal?: AbortSignal; readonly onStart?: (call: GrpcCall) => void } = {},
): Promise<Buffer> {
  const call = startCall(channel, path, request);
  options.onStart?.(call);
  const abort = (): void => call.cancel();
  options.signal?.addEventListener('abort', abort, { once: true });
  if (options.signal?.aborted === true) abort();
  try {
    let answer: Buffer | undefined;
    for (;;) {
      const received = await call.next();
      if (received.type === 'message') answer ??= received.bytes;
      else if (received.status.code !== grpcStatus.OK) throw new StatusError(received.status);
      else if (answer !== undefined) return answer;
      else {
        throw new StatusError({
          code: grpcStatus.INTERNAL,
          details: 'the peer ended the call without an answer',
          metadata: new Metadata(),
        });
      }
    }
  } finally {
    options.signal?.removeEventListener('abort', abort);
  }
}

/** A gRPC status other than OK, thrown. */
export class StatusError extends Error {
  readonly status: StatusObject;
  constructor(status: StatusObject) {
    super(`gRPC status ${status.code}: ${status.details}`);
    this.name = 'StatusError';
    this.status = status;
  }
}
