// Times, durations and ids as people read them. Pure.

/** `850 ms`, `1.5 s`, `2 min`, `1 h`. */
export function durationText(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 120_000) return `${trim(ms / 1_000)} s`;
  return ms < 7_200_000 ? `${trim(ms / 60_000)} min` : `${trim(ms / 3_600_000)} h`;
}

/** Local date and time to the second, such as `2026-01-31 09:05:00`. */
export function timeText(ms: number): string {
  const date = new Date(ms);
  const two = (number: number): string => String(number).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

/** The end of a ULID, which is what tells two of them apart; commands accept it in place of the whole. */
export function shortId(id: string): string {
  return id.slice(-8);
}

function trim(number: number): string {
  return number.toFixed(1).replace(/\.0$/, '');
}
