// The events of one call over gRPC: one Invoke stream, and, after its cancellation, what the operation still
// reports.
//
// Cancelling is closing the stream (CAN-01), and a closed stream carries nothing back. So a provider that serves
// our extension is followed by a second stream, which is opened just before the first is closed: it brings the
// report of what was done (CAN-03), and its end says that the operation has ended. Of another provider it is
// only known that it still answers.
import { status as grpcStatus } from '@grpc/grpc-js';
import {
  decodeMessage,
  encodeMessage,
  extensionV1,
  type ReceivedEvent,
  type ToolCall,
  toolCallToWire,
  ToolError,
  toolEventFromBytes,
  toolEventFromWire,
  toolV1,
} from '@tenon/protocol';
import { type GrpcCall, startCall } from './grpc-call.js';
import type { ProcessLink } from './process-link.js';
import { crashError } from './status-failure.js';

const INVOKE = '/pluggableharness.tool.v1.ToolService/Invoke';
const FOLLOW = '/tenon.extension.v1.ToolExtensionService/FollowCall';

/**
 * Starts the call at the first `next`. Ends after the last event, cancelled calls too; throws ToolError when the
 * stream failed. An iterator by hand: a generator would cost each event two more turns of the microtask queue.
 */
export function invocation(
  link: ProcessLink,
  toolCall: ToolCall,
  signal: AbortSignal,
  followable: boolean,
): AsyncIterator<ReceivedEvent> {
  const request = encodeMessage(toolV1.InvokeRequestSchema, {
    $typeName: 'pluggableharness.tool.v1.InvokeRequest',
    call: toolCallToWire(toolCall),
  });
  const stream = startCall(link.channel, INVOKE, request);
  link.track(stream);
  let follower: GrpcCall | undefined;
  let done = false;

  const cancel = (): void => {
    if (followable) {
      follower = startCall(link.channel, FOLLOW, followRequest(toolCall.id));
      link.track(follower);
    }
    stream.cancel();
  };
  if (signal.aborted) cancel();
  else signal.addEventListener('abort', cancel, { once: true });

  function finish(): IteratorResult<ReceivedEvent> {
    done = true;
    signal.removeEventListener('abort', cancel);
    link.release(stream);
    if (follower !== undefined) link.release(follower);
    return { done: true, value: undefined };
  }

  async function afterCancel(): Promise<IteratorResult<ReceivedEvent>> {
    if (follower !== undefined) {
      const received = await follower.next();
      if (received.type === 'message') {
        link.heard();
        return { done: false, value: lateEvent(received.bytes) };
      }
      if (received.status.code === grpcStatus.OK) return finish();
      if (received.status.code !== grpcStatus.UNIMPLEMENTED) {
        const failure = await link.failureOf(received.status);
        finish();
        throw new ToolError(failure);
      }
    }
    if (await link.answers()) return finish();
    // It hangs: whoever cancelled it waits for a while, then ends it.
    const crash = await link.closed;
    finish();
    throw new ToolError(crashError(link.provider, crash));
  }

  return {
    async next() {
      if (done) return { done: true, value: undefined };
      const received = await stream.next();
      // It was left while this waited.
      if (done) return { done: true, value: undefined };
      if (received.type === 'message') {
        link.heard();
        return { done: false, value: toolEventFromBytes(received.bytes) };
      }
      if (signal.aborted && !link.killed()) return afterCancel();
      if (received.status.code === grpcStatus.OK) return finish();
      const failure = await link.failureOf(received.status, request.length);
      finish();
      throw new ToolError(failure);
    },
    async return() {
      if (done) return { done: true, value: undefined };
      const ended = finish();
      stream.cancel();
      follower?.cancel();
      return ended;
    },
  };
}

function followRequest(callId: string): Buffer {
  return encodeMessage(extensionV1.FollowCallRequestSchema, {
    $typeName: 'tenon.extension.v1.FollowCallRequest',
    callId,
  });
}

function lateEvent(bytes: Buffer): ReceivedEvent {
  try {
    return toolEventFromWire(decodeMessage(extensionV1.FollowCallResponseSchema, bytes).event);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { ok: false, violations: [{ requirement: 'EVT-06', pointer: '', message }] };
  }
}
