// SessionStatus ↔ wire.
import type { SessionStatus } from '../domain/session.js';
import type { SessionStatus as WireSessionStatus } from '../gen/pluggableharness/session/v1/session_pb.js';
import { sessionStatuses } from './enums.js';

export function sessionStatusToWire(status: SessionStatus): WireSessionStatus {
  return sessionStatuses.toWire(status);
}

/** Undefined for the unspecified zero and for numbers that this version does not know. */
export function sessionStatusFromWire(wire: WireSessionStatus): SessionStatus | undefined {
  return sessionStatuses.fromWire(wire);
}
