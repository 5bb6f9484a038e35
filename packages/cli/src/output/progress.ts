// One line of progress: a bar where the fraction is known, the message alone where it is not. Pure.
import { sanitizeLine } from '../terminal/sanitize.js';
import type { Styler } from '../terminal/style.js';
import { truncate } from '../terminal/width.js';

const BAR = 24;

/** @param fraction 0..1 */
export function progressLine(
  message: string,
  fraction: number | undefined,
  width: number,
  style: Styler,
): string {
  // One column stays free: a terminal that wraps in the last one would not clear the line as a whole.
  const room = Math.max(10, width - 1);
  const text = sanitizeLine(message);
  if (fraction === undefined || !Number.isFinite(fraction)) {
    return style('dim', truncate(`… ${text}`, room));
  }
  const clamped = Math.min(1, Math.max(0, fraction));
  const cells = Math.round(clamped * BAR);
  const percent = `${String(Math.floor(clamped * 100)).padStart(3)}%`;
  const bar = style('cyan', '█'.repeat(cells)) + style('dim', '░'.repeat(BAR - cells));
  return `${bar} ${percent} ${truncate(text, Math.max(0, room - BAR - 6))}`;
}
