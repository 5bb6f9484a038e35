// Reads protobuf's primitive types from bytes that may be anything. Never reads beyond the message at hand.
import { BytesProblem } from './errors.js';

/** Wire types; 3 and 4 delimit the groups of old. */
export const VARINT = 0;
export const BIT64 = 1;
export const LENGTH = 2;
const START_GROUP = 3;
const END_GROUP = 4;
export const BIT32 = 5;

const MAX_GROUP_DEPTH = 100;
const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export class ByteReader {
  readonly #bytes: Buffer;
  at = 0;
  /** Where the message at hand ends. */
  end: number;
  /** Levels of messages that are open. */
  depth = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.isBuffer(bytes)
      ? bytes
      : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.end = bytes.byteLength;
  }

  /** A varint's low 32 bits, unsigned; what is beyond is dropped as protobuf says. */
  varint(): number {
    const bytes = this.#bytes;
    let value = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      if (this.at >= this.end) throw truncated();
      const byte = bytes[this.at++] as number;
      if (shift < 32) value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value >>> 0;
    }
    throw new BytesProblem('a varint is longer than ten bytes');
  }

  varint64(): bigint {
    const bytes = this.#bytes;
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      if (this.at >= this.end) throw truncated();
      const byte = bytes[this.at++] as number;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asUintN(64, value);
    }
    throw new BytesProblem('a varint is longer than ten bytes');
  }

  bool(): boolean {
    const byte = this.at < this.end ? (this.#bytes[this.at] as number) : 0x80;
    if (byte < 0x80) {
      this.at++;
      return byte !== 0;
    }
    return this.varint64() !== 0n;
  }

  double(): number {
    if (this.end - this.at < 8) throw truncated();
    const value = this.#bytes.readDoubleLE(this.at);
    this.at += 8;
    return value;
  }

  /** The length in front of bytes, text and messages, checked against what is there. */
  length(): number {
    const start = this.at;
    const length = this.varint();
    if (length > this.end - this.at) {
      throw new BytesProblem(
        `a length of ${length} bytes at byte ${start}, where ${this.end - this.at} are left`,
      );
    }
    return length;
  }

  /** A copy, so that the frame it came in can be freed. */
  bytes(): Uint8Array {
    const length = this.length();
    const copy = new Uint8Array(length);
    copy.set(this.#bytes.subarray(this.at, this.at + length));
    this.at += length;
    return copy;
  }

  text(): string {
    const length = this.length();
    const start = this.at;
    this.at += length;
    if (length === 0) return '';
    const value = this.#bytes.toString('utf8', start, this.at);
    // U+FFFD is either in the text or stands for bytes that are not UTF-8.
    if (value.includes('\uFFFD')) this.#checkUtf8(start);
    return value;
  }

  #checkUtf8(start: number): void {
    try {
      strictUtf8.decode(this.#bytes.subarray(start, this.at));
    } catch {
      throw new BytesProblem('a text is not UTF-8');
    }
  }

  /** Skips a field of this wire type and gives a copy of its bytes. */
  skip(number: number, wireType: number, depth = 0): Uint8Array {
    const start = this.at;
    switch (wireType) {
      case VARINT:
        this.varint();
        break;
      case BIT64:
        this.#advance(8);
        break;
      case LENGTH:
        // Two steps: `this.at += this.length()` would take `this.at` as it was before the length.
        this.#advance(this.length());
        break;
      case START_GROUP:
        this.#skipGroup(number, depth);
        break;
      case BIT32:
        this.#advance(4);
        break;
      default:
        throw new BytesProblem(`wire type ${wireType} at byte ${start} has no meaning here`);
    }
    return Uint8Array.from(this.#bytes.subarray(start, this.at));
  }

  #advance(count: number): void {
    if (this.end - this.at < count) throw truncated();
    this.at += count;
  }

  #skipGroup(number: number, depth: number): void {
    if (depth >= MAX_GROUP_DEPTH) {
      throw new BytesProblem(`groups are nested deeper than ${MAX_GROUP_DEPTH} levels`);
    }
    for (;;) {
      const tag = this.tag();
      if ((tag & 7) === END_GROUP) {
        if (tag >>> 3 !== number) throw new BytesProblem('a group ends that did not begin');
        return;
      }
      this.skip(tag >>> 3, tag & 7, depth + 1);
    }
  }

  /** A tag: field number << 3 | wire type. */
  tag(): number {
    const start = this.at;
    const tag = this.varint();
    if (tag >>> 3 === 0) throw new BytesProblem(`a field has the number 0 at byte ${start}`);
    return tag;
  }
}

function truncated(): BytesProblem {
  return new BytesProblem('the bytes end in the middle of a field');
}
