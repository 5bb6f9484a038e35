// Journal entries as JSON text and back: bytes as base64 under a reserved key, everything else as it is. JSON
// text never holds U+0000 itself, which SQLite would cut at.
const BYTES = '$bytes';
const PLAIN = '$plain';

/** JSON text of a value that may hold Uint8Arrays at any depth. */
export function encodeBody(value: unknown): string {
  return JSON.stringify(toPlain(value));
}

/** The value of a text that encodeBody made. Throws SyntaxError for anything else. */
export function decodeBody(text: string): unknown {
  return fromPlain(JSON.parse(text));
}

function toPlain(value: unknown): unknown {
  if (value instanceof Uint8Array) return { [BYTES]: Buffer.from(value).toString('base64') };
  if (Array.isArray(value)) return value.map(toPlain);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, item]) => [key, toPlain(item)] as const);
  const object = fromEntries(entries);
  // An object of a model that happens to use a reserved key.
  const reserved = entries.length === 1 && (entries[0]?.[0] === BYTES || entries[0]?.[0] === PLAIN);
  return reserved ? { [PLAIN]: object } : object;
}

function fromPlain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(fromPlain);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  const [first] = entries;
  if (entries.length === 1 && first !== undefined) {
    const [key, item] = first;
    if (key === BYTES && typeof item === 'string') {
      return Uint8Array.from(Buffer.from(item, 'base64'));
    }
    if (key === PLAIN && typeof item === 'object' && item !== null) {
      return fromEntries(Object.entries(item).map(([name, one]) => [name, fromPlain(one)]));
    }
  }
  return fromEntries(entries.map(([key, item]) => [key, fromPlain(item)]));
}

/** Like Object.fromEntries, which defines own properties also for "__proto__". */
const fromEntries = (entries: readonly (readonly [string, unknown])[]): Record<string, unknown> =>
  Object.fromEntries(entries);
