// LogEntry ↔ wire (the kernel callback Log).
import type { LogEntry } from '../domain/log.js';
import type { LogRequest } from '../gen/pluggableharness/kernel/v1/kernel_pb.js';
import type { LogEntry as WireLogEntry } from '../gen/pluggableharness/log/v1/log_pb.js';
import { checkJson } from '../json/check.js';
import { timestampFromWire, timestampToWire } from './duration.js';
import { logLevels } from './enums.js';
import { jsonToWire } from './json.js';

export function logEntryToWire(entry: LogEntry): WireLogEntry {
  return {
    $typeName: 'pluggableharness.log.v1.LogEntry',
    level: logLevels.toWire(entry.level),
    logger: entry.logger,
    message: entry.message,
    fields: jsonToWire(entry.fields),
    time: entry.time === undefined ? undefined : timestampToWire(entry.time),
  };
}

/**
 * A log line is never refused: an unspecified level is info, and fields that are not JSON are left out, with a
 * field that says so.
 */
export function logEntryFromWire(wire: WireLogEntry): LogEntry {
  const fields = checkJson(wire.fields ?? {});
  return {
    level: logLevels.fromWire(wire.level) ?? 'info',
    logger: wire.logger,
    message: wire.message,
    fields: fields.ok
      ? fields.value
      : { unreadable_fields: fields.violations.map((violation) => violation.message) },
    ...(wire.time === undefined ? {} : { time: timestampFromWire(wire.time) }),
  };
}

/** One entry per request, in both fields: older kernels read `entry`, newer ones `entries`. */
export function logRequestToWire(entry: LogEntry, sessionId?: string): LogRequest {
  const wire = logEntryToWire(entry);
  return {
    $typeName: 'pluggableharness.kernel.v1.LogRequest',
    sessionId,
    entry: wire,
    entries: [wire],
  };
}

/** The entries of a request; the same entry in both fields, as our own SDK sends it, is one. */
export function logRequestFromWire(wire: LogRequest): {
  readonly entries: readonly LogEntry[];
  readonly sessionId?: string;
} {
  const entries =
    wire.entries.length > 0 ? wire.entries : wire.entry === undefined ? [] : [wire.entry];
  const { sessionId } = wire;
  return {
    entries: entries.map(logEntryFromWire),
    ...(sessionId === undefined ? {} : { sessionId }),
  };
}
