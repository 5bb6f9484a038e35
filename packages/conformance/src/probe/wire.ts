// Protobuf by hand, for what has no generated message here (go-plugin's own services, reflection, health) and for
// bytes that are wrong on purpose.

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 0x7f) {
    bytes.push((rest & 0x7f) | 0x80);
    rest = Math.floor(rest / 128);
  }
  bytes.push(rest);
  return Buffer.from(bytes);
}

/** A field of wire type 0. */
export function varintField(number: number, value: number): Buffer {
  return Buffer.concat([varint(number << 3), varint(value)]);
}

/** A field of wire type 2. */
export function bytesField(number: number, value: Uint8Array | string): Buffer {
  const bytes = Buffer.from(value as Uint8Array);
  return Buffer.concat([varint((number << 3) | 2), varint(bytes.length), bytes]);
}

/** The last value of a varint field at the top level of a message; undefined when it is not there. */
export function readVarintField(bytes: Uint8Array, wanted: number): number | undefined {
  let at = 0;
  let found: number | undefined;
  const read = (): number => {
    let value = 0;
    for (let shift = 1; at < bytes.length; shift *= 128) {
      const byte = bytes[at++] ?? 0;
      value += (byte & 0x7f) * shift;
      if (byte < 0x80) break;
    }
    return value;
  };
  while (at < bytes.length) {
    const tag = read();
    const type = tag % 8;
    if (type === 0) {
      const value = read();
      if (Math.floor(tag / 8) === wanted) found = value;
    } else if (type === 2) at += read();
    else if (type === 1) at += 8;
    else if (type === 5) at += 4;
    else return found;
  }
  return found;
}

/** Requests that no parser should accept, each with what is wrong with it. */
export const MALFORMED: readonly { readonly what: string; readonly bytes: Buffer }[] = [
  { what: 'a length that runs beyond the message', bytes: Buffer.from([0x0a, 0x7f, 0x01]) },
  { what: 'a varint that never ends', bytes: Buffer.alloc(12, 0xff) },
  { what: 'wire type 7', bytes: Buffer.from([0x0f, 0x00]) },
  { what: 'random bytes', bytes: Buffer.from('c3287f00ffdeadbeef0a0a0a', 'hex') },
];
