// Takes secrets out of everything that is written (CFG-02): configured values, wherever they appear in a text
// or in bytes, also inside longer ones.

/** Shorter values would take harmless text apart, and protect nothing. */
const MIN_LENGTH = 4;
const MASK = '[redacted]';

export interface Redactor {
  add(values: readonly string[]): void;
  text(text: string): string;
  bytes(data: Uint8Array): Uint8Array;
  /** A copy with every string and byte array redacted, property names included. */
  deep<T>(value: T): T;
  /** Bytes of the longest secret: how much a stream must hold back to catch one that is cut. */
  readonly longest: number;
}

export function createRedactor(): Redactor {
  let secrets: { readonly text: string; readonly bytes: Buffer }[] = [];

  const text = (value: string): string => {
    let result = value;
    for (const secret of secrets) {
      if (result.includes(secret.text)) result = result.replaceAll(secret.text, MASK);
    }
    return result;
  };
  const bytes = (data: Uint8Array): Uint8Array => {
    let result = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
    for (const secret of secrets) {
      if (!result.includes(secret.bytes)) continue;
      // latin1 keeps each byte as one character, so nothing else changes.
      const replaced = result.toString('latin1').replaceAll(secret.bytes.toString('latin1'), MASK);
      result = Buffer.from(replaced, 'latin1');
    }
    return result;
  };
  const deep = (value: unknown): unknown => {
    if (typeof value === 'string') return text(value);
    if (value instanceof Uint8Array) return bytes(value);
    if (Array.isArray(value)) return value.map(deep);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [text(key), deep(item)]));
  };

  return {
    add(values) {
      const known = new Set(secrets.map((secret) => secret.text));
      for (const value of values) {
        if (value.length < MIN_LENGTH || known.has(value)) continue;
        known.add(value);
        for (const form of formsOf(value)) {
          secrets.push({ text: form, bytes: Buffer.from(form, 'utf8') });
        }
      }
      // Longest first: one secret may contain another.
      secrets = secrets.sort((a, b) => b.text.length - a.text.length);
    },
    text,
    bytes,
    deep: <T>(value: T): T => (secrets.length === 0 ? value : (deep(value) as T)),
    get longest() {
      return secrets.reduce((most, secret) => Math.max(most, secret.bytes.length), 0);
    },
  };
}

/** As it is, and as it looks inside of JSON text, a URL, or an Authorization header. */
function formsOf(value: string): Set<string> {
  const forms = [value, JSON.stringify(value).slice(1, -1)];
  // A lone surrogate has no form in a URL.
  if (!/\p{Cs}/u.test(value)) forms.push(encodeURIComponent(value));
  if (value.length >= 2 * MIN_LENGTH) {
    for (const encoding of ['base64', 'base64url'] as const) {
      forms.push(Buffer.from(value, 'utf8').toString(encoding));
    }
  }
  return new Set(forms);
}
