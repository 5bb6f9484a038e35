// ToolEvent ↔ wire. On the hot path. What a peer sends is checked event by event here (EVT-06, ERR-02, ERR-11);
// the order of the events of a stream is the kernel's to check.
import type { ReceivedEvent, ToolEvent, Violation } from '../domain/event.js';
import type { JsonObject } from '../domain/json.js';
import {
  InvokeResponseSchema,
  type ToolEvent as WireToolEvent,
} from '../gen/pluggableharness/tool/v1/tool_pb.js';
import { checkJson } from '../json/check.js';
import { decodeMessage } from '../wire/codec.js';
import { WireDecodeError } from '../wire/errors.js';
import { outputStreams } from './enums.js';
import { jsonToWire } from './json.js';
import { toolErrorFromWire, toolErrorToWire } from './tool-error.js';

export function toolEventToWire(event: ToolEvent): WireToolEvent {
  return { $typeName: 'pluggableharness.tool.v1.ToolEvent', event: bodyToWire(event) };
}

function bodyToWire(event: ToolEvent): WireToolEvent['event'] {
  switch (event.type) {
    case 'output_chunk':
      return {
        case: 'outputChunk',
        value: {
          $typeName: 'pluggableharness.tool.v1.ToolEvent.OutputChunk',
          stream: outputStreams.toWire(event.stream),
          data: event.data,
        },
      };
    case 'progress':
      return {
        case: 'progress',
        value: {
          $typeName: 'pluggableharness.tool.v1.ToolEvent.Progress',
          message: event.message,
          fractionComplete: event.fraction,
        },
      };
    case 'partial_result':
      return {
        case: 'partialResult',
        value: {
          $typeName: 'pluggableharness.tool.v1.ToolEvent.PartialResult',
          payload: jsonToWire(event.payload),
        },
      };
    case 'exit_status':
      return {
        case: 'exitStatus',
        value: {
          $typeName: 'pluggableharness.tool.v1.ToolEvent.ExitStatus',
          exitCode: event.exitCode,
          signal: event.signal,
        },
      };
    case 'result':
      return {
        case: 'result',
        value: {
          $typeName: 'pluggableharness.tool.v1.ToolResult',
          payload: jsonToWire(event.payload),
        },
      };
    case 'error':
      return { case: 'error', value: toolErrorToWire(event.error) };
  }
}

/** Reads an event of a provider. An absent payload is `{}`, as peers send an empty map as unset. */
export function toolEventFromWire(wire: WireToolEvent | undefined): ReceivedEvent {
  const body = wire?.event;
  switch (body?.case) {
    case 'outputChunk': {
      const stream = outputStreams.fromWire(body.value.stream);
      if (stream === undefined) {
        return broken(
          '/output_chunk/stream',
          `stream ${body.value.stream} is neither stdout (1) nor stderr (2)`,
        );
      }
      return { ok: true, event: { type: 'output_chunk', stream, data: body.value.data } };
    }
    case 'progress': {
      const { message, fractionComplete: fraction } = body.value;
      if (fraction === undefined) return { ok: true, event: { type: 'progress', message } };
      if (!(fraction >= 0 && fraction <= 1)) {
        return broken(
          '/progress/fraction_complete',
          `fraction_complete is ${fraction}; it must be from 0 to 1, or absent`,
        );
      }
      return { ok: true, event: { type: 'progress', message, fraction } };
    }
    case 'partialResult':
      return payloadEvent('partial_result', body.value.payload);
    case 'result':
      return payloadEvent('result', body.value.payload);
    case 'exitStatus': {
      const { exitCode, signal } = body.value;
      return {
        ok: true,
        event:
          signal === undefined
            ? { type: 'exit_status', exitCode }
            : { type: 'exit_status', exitCode, signal },
      };
    }
    case 'error': {
      const read = toolErrorFromWire(body.value, '/error');
      if (!read.ok) return read;
      if (read.value.category === 'process_crashed') {
        return {
          ok: false,
          violations: [
            {
              requirement: 'ERR-11',
              pointer: '/error/category',
              message:
                'a provider sent process_crashed, which is for the kernel alone; its message was: ' +
                read.value.message.slice(0, 500),
            },
          ],
        };
      }
      return { ok: true, event: { type: 'error', error: read.value } };
    }
    default:
      return broken('', 'the event is of no known kind: its oneof is not set');
  }
}

function payloadEvent(
  type: 'partial_result' | 'result',
  payload: JsonObject | undefined,
): ReceivedEvent {
  if (payload === undefined) return { ok: true, event: { type, payload: {} } };
  const checked = checkJson(payload, 'EVT-06');
  if (checked.ok) return { ok: true, event: { type, payload } };
  return { ok: false, violations: checked.violations.map((violation) => below(type, violation)) };
}

function below(type: string, violation: Violation): Violation {
  return { ...violation, pointer: `/${type}/payload${violation.pointer}` };
}

function broken(pointer: string, message: string): ReceivedEvent {
  return { ok: false, violations: [{ requirement: 'EVT-06', pointer, message }] };
}

/**
 * Reads the bytes of an InvokeResponse. Never throws: bytes that are no such message are a violation of EVT-06
 * like any other, so that they end the call as the kernel says and not as gRPC does. Fit to be the
 * deserializer of a stream.
 */
export function toolEventFromBytes(bytes: Uint8Array): ReceivedEvent {
  try {
    return toolEventFromWire(decodeMessage(InvokeResponseSchema, bytes).event);
  } catch (error) {
    if (!(error instanceof WireDecodeError)) throw error;
    return broken(error.pointer, `the bytes are not an InvokeResponse: ${error.problem}`);
  }
}
