// Cuts a stream of bytes only between characters: a UTF-8 sequence that is not complete yet waits for its
// rest. Bytes are never changed, and invalid ones are never held back.

export interface Boundary {
  /** What can be passed on now; may be empty. */
  push(data: Uint8Array): Uint8Array;
  /** What was still waiting. */
  flush(): Uint8Array;
}

export function createBoundary(): Boundary {
  let waiting = new Uint8Array(0);
  return {
    push(data) {
      const all = waiting.length === 0 ? data : Buffer.concat([waiting, data]);
      const end = all.length - incompleteTail(all);
      // A copy: what waits must not keep a whole read buffer alive.
      waiting = Uint8Array.from(all.subarray(end));
      return all.subarray(0, end);
    },
    flush() {
      const rest = waiting;
      waiting = new Uint8Array(0);
      return rest;
    },
  };
}

/** How many bytes at the end begin a character whose rest has not come: 0 to 3. */
export function incompleteTail(bytes: Uint8Array): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back += 1) {
    const byte = bytes[bytes.length - back] as number;
    if ((byte & 0b1100_0000) === 0b1000_0000) continue;
    const length = byte >= 0xf0 && byte <= 0xf4 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc2 ? 2 : 1;
    return byte <= 0xf4 && length > back ? back : 0;
  }
  return 0;
}
