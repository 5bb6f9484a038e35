// Keeps the secrets of the configuration out of everything that leaves the provider (CFG-02): texts, JSON,
// pictures, and output that comes in pieces which may cut a secret in two.
import type { JsonObject, JsonValue, RenderTree } from '@tenon/protocol';

/** What stands where a secret was. */
export const MASK = '[redacted]';

/** A shorter secret is masked only where it is the whole text: "1" inside of others would eat everything. */
const MIN_LENGTH = 4;

export interface SecretMask {
  /** Adds secrets. Those of an earlier configuration stay masked. */
  add(secrets: readonly string[]): void;
  readonly isEmpty: boolean;
  text(text: string): string;
  /** Masks every text in a JSON value, keys too. The same value when there is nothing to mask. */
  json<T extends JsonValue | JsonObject>(value: T): T;
  tree(tree: RenderTree): RenderTree;
  /** Masks a stream of pieces; a piece that ends like a secret begins is held back until the next one. */
  stream(): ByteMask;
}

export interface ByteMask {
  push(piece: Uint8Array): Uint8Array;
  /** What was held back. */
  flush(): Uint8Array;
}

export function createSecretMask(): SecretMask {
  const whole = new Set<string>();
  // Longest first, so that a secret inside of another one does not leave its rest behind.
  let parts: string[] = [];
  let bytes: Buffer[] = [];

  const text = (value: string): string => {
    if (whole.size === 0) return value;
    if (whole.has(value)) return MASK;
    let masked = value;
    for (const secret of parts) {
      if (masked.includes(secret)) masked = masked.replaceAll(secret, MASK);
    }
    return masked;
  };

  const json = (value: JsonValue): JsonValue => {
    if (typeof value === 'string') return text(value);
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(json);
    return Object.fromEntries(
      Object.entries(value as JsonObject).map(([key, inner]) => [text(key), json(inner)]),
    );
  };

  return {
    add(secrets) {
      for (const secret of secrets) {
        if (secret === '') continue;
        whole.add(secret);
        if (secret.length < MIN_LENGTH) continue;
        // The forms in which texts are usually quoted inside of other texts.
        parts.push(secret, JSON.stringify(secret).slice(1, -1), encode(secret));
        parts.push(Buffer.from(secret).toString('base64'));
      }
      parts = [...new Set(parts)].sort((a, b) => b.length - a.length);
      bytes = parts.map((secret) => Buffer.from(secret));
    },
    get isEmpty() {
      return whole.size === 0;
    },
    text,
    json: (value) => (whole.size === 0 ? value : (json(value) as typeof value)),
    tree: (tree) =>
      whole.size === 0 ? tree : (json(tree as unknown as JsonObject) as unknown as RenderTree),
    stream: () => createByteMask(() => bytes),
  };
}

function encode(secret: string): string {
  try {
    return encodeURIComponent(secret);
  } catch {
    // A lone surrogate has no such form.
    return secret;
  }
}

const NOTHING = new Uint8Array(0);

function createByteMask(secrets: () => readonly Buffer[]): ByteMask {
  let held: Buffer = Buffer.alloc(0);
  return {
    push(piece) {
      const all = secrets();
      if (all.length === 0) return piece;
      const masked = maskBytes(Buffer.concat([held, piece]), all);
      const keep = beginningAtEnd(masked, all);
      held = Buffer.from(masked.subarray(masked.length - keep));
      return masked.subarray(0, masked.length - keep);
    },
    flush() {
      if (held.length === 0) return NOTHING;
      const rest = held;
      held = Buffer.alloc(0);
      return rest;
    },
  };
}

function maskBytes(data: Buffer, secrets: readonly Buffer[]): Buffer {
  let masked = data;
  for (const secret of secrets) {
    if (!masked.includes(secret)) continue;
    const pieces: Buffer[] = [];
    let from = 0;
    for (let at = masked.indexOf(secret); at !== -1; at = masked.indexOf(secret, from)) {
      pieces.push(masked.subarray(from, at), Buffer.from(MASK));
      from = at + secret.length;
    }
    pieces.push(masked.subarray(from));
    masked = Buffer.concat(pieces);
  }
  return masked;
}

/** The length of the longest end of `data` that is the beginning of a secret. */
function beginningAtEnd(data: Buffer, secrets: readonly Buffer[]): number {
  let longest = 0;
  for (const secret of secrets) {
    for (let n = Math.min(secret.length - 1, data.length); n > longest; n--) {
      if (data.subarray(data.length - n).equals(secret.subarray(0, n))) {
        longest = n;
        break;
      }
    }
  }
  return longest;
}
