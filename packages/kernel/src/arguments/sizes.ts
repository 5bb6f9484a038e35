// How much one call may carry. A model that sends megabytes has made a mistake, and many a peer (every Go
// server as it is delivered) takes 4 MiB per message at the most.
import { escapeToken, type JsonObject, type JsonValue, type Violation } from '@tenon/protocol';

/** Of one text, in UTF-8. */
export const MAX_TEXT_BYTES = 4 * 1024 * 1024;
/** Of all texts of the arguments together, in UTF-8. */
export const MAX_TOTAL_BYTES = 16 * 1024 * 1024;

/** Every text that is too long, and the whole where it is. */
export function checkSizes(args: JsonObject): readonly Violation[] {
  const violations: Violation[] = [];
  const total = measure(args, '', violations);
  if (total > MAX_TOTAL_BYTES) {
    violations.push(
      tooLong('', `the arguments hold ${total} bytes of text; at most ${MAX_TOTAL_BYTES}`),
    );
  }
  return violations;
}

function measure(value: JsonValue, pointer: string, violations: Violation[]): number {
  if (typeof value === 'string') {
    // A UTF-16 unit is three bytes of UTF-8 at the most: short texts need no counting.
    if (value.length * 3 <= MAX_TEXT_BYTES) return value.length;
    const bytes = Buffer.byteLength(value);
    if (bytes > MAX_TEXT_BYTES) {
      violations.push(
        tooLong(
          pointer,
          `the text is ${bytes} bytes long; at most ${MAX_TEXT_BYTES}; send less, or in parts`,
        ),
      );
    }
    return bytes;
  }
  if (typeof value !== 'object' || value === null) return 0;
  let total = 0;
  if (Array.isArray(value)) {
    for (const [index, item] of (value as JsonValue[]).entries()) {
      total += measure(item, pointer === '' ? `/${index}` : `${pointer}/${index}`, violations);
    }
    return total;
  }
  for (const key of Object.keys(value)) {
    const inner = (value as JsonObject)[key] ?? null;
    // The pointer is only built where something may be wrong.
    const at = needsPlace(inner) ? `${pointer}/${escapeToken(key)}` : pointer;
    total += key.length + measure(inner, at, violations);
  }
  return total;
}

function needsPlace(value: JsonValue): boolean {
  return typeof value === 'string' ? value.length * 3 > MAX_TEXT_BYTES : value !== null;
}

function tooLong(pointer: string, message: string): Violation {
  return { requirement: 'ERR-03', pointer, message };
}
