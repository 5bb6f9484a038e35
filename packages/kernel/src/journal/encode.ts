// Journal entries as JSON text and back: bytes as base64 under a reserved key, everything else as it is. JSON
// text never holds U+0000 itself, which SQLite would cut at.
const BYTES = '$bytes';
const PLAIN = '$plain';

/** JSON text of a value that may hold Uint8Arrays at any depth. Throws TypeError for what JSON has no form for. */
export function encodeBody(value: unknown): string {
  return JSON.stringify(toPlain(value));
}

/** The value of a text that encodeBody made. Throws SyntaxError for anything else. */
export function decodeBody(text: string): unknown {
  return fromPlain(JSON.parse(text));
}

/** The value itself where nothing in it needs another form, which is nearly always. */
function toPlain(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Uint8Array) {
    const { buffer, byteOffset, byteLength } = value;
    return { [BYTES]: Buffer.from(buffer, byteOffset, byteLength).toString('base64') };
  }
  if (Array.isArray(value)) {
    const changed = value.map(toPlain);
    return changed.some((item, index) => item !== value[index]) ? changed : value;
  }
  const record = value as Record<string, unknown>;
  const keys = Object.keys(record);
  let copy: Record<string, unknown> | undefined;
  for (const key of keys) {
    const item = record[key];
    const plain = toPlain(item);
    if (plain === item) continue;
    copy ??= fromEntries(Object.entries(record));
    define(copy, key, plain);
  }
  const result = copy ?? record;
  // An object of a model that happens to use a reserved key.
  const reserved = keys.length === 1 && (keys[0] === BYTES || keys[0] === PLAIN);
  return reserved ? { [PLAIN]: result } : result;
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

/** An own property, also for "__proto__". */
function define(target: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(target, key, {
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  });
}
