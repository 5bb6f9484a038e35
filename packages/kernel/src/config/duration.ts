// Durations as people write them. Pure.

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };
/** Timers cannot wait longer: 2^31 - 1 milliseconds, almost 25 days. */
const MAX_MS = 2_147_483_647;

/** Milliseconds of "500ms", "1.5s", "2m", "1h30m", or of a number of milliseconds; undefined for anything else. */
export function durationMs(value: unknown): number | undefined {
  if (typeof value === 'number') return inRange(value);
  if (typeof value !== 'string' || !/^(?:\d+(?:\.\d+)?(?:ms|s|m|h))+$/.test(value))
    return undefined;
  const parts = value.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g);
  return inRange(
    [...parts].reduce((sum, [, n, unit]) => sum + Number(n) * (UNITS[unit ?? ''] ?? 0), 0),
  );
}

function inRange(ms: number): number | undefined {
  return ms >= 0 && ms <= MAX_MS ? Math.round(ms) : undefined;
}
