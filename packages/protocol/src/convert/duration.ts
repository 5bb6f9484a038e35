// Milliseconds ↔ google.protobuf.Duration and Timestamp.
import type { Duration, Timestamp } from '@bufbuild/protobuf/wkt';

interface SecondsAndNanos {
  readonly seconds: bigint;
  readonly nanos: number;
}

function split(ms: number): SecondsAndNanos {
  const whole = Math.trunc(ms / 1000);
  return { seconds: BigInt(whole), nanos: Math.round((ms - whole * 1000) * 1e6) };
}

function join({ seconds, nanos }: SecondsAndNanos): number {
  return Number(seconds) * 1000 + nanos / 1e6;
}

/** @throws RangeError when `ms` is not finite. */
export function durationToWire(ms: number): Duration {
  return { $typeName: 'google.protobuf.Duration', ...split(ms) };
}

/** Milliseconds, with a fraction where the duration has one. */
export function durationFromWire(wire: Duration): number {
  return join(wire);
}

/** @throws RangeError when `ms` is not finite. */
export function timestampToWire(ms: number): Timestamp {
  // Nanos of a timestamp count forward, also before 1970.
  const whole = Math.floor(ms / 1000);
  return {
    $typeName: 'google.protobuf.Timestamp',
    seconds: BigInt(whole),
    nanos: Math.round((ms - whole * 1000) * 1e6),
  };
}

/** Milliseconds since the epoch. */
export function timestampFromWire(wire: Timestamp): number {
  return join(wire);
}
