// The result of reading something that a peer sent: the value, or every rule that it breaks.
import type { Violation } from '../domain/event.js';

export type Received<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly violations: readonly Violation[] };

export function received<T>(value: T): Received<T> {
  return { ok: true, value };
}

export function refused(requirement: string, pointer: string, message: string): Received<never> {
  return { ok: false, violations: [{ requirement, pointer, message }] };
}
