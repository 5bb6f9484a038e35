// A growing buffer that protobuf's primitive types are written to.
import { isWellFormed } from '../json/well-formed.js';

const INITIAL = 64 * 1024;
const KEEP_AT_MOST = 1024 * 1024;

export class ByteWriter {
  #bytes = Buffer.allocUnsafeSlow(INITIAL);
  #at = 0;

  /** A copy of what was written; the writer starts anew. */
  finish(): Buffer {
    const result = Buffer.allocUnsafeSlow(this.#at);
    this.#bytes.copy(result, 0, 0, this.#at);
    this.reset();
    return result;
  }

  /** Forgets what was written, and gives a buffer back that one large message had made grow. */
  reset(): void {
    this.#at = 0;
    if (this.#bytes.length > KEEP_AT_MOST) this.#bytes = Buffer.allocUnsafeSlow(INITIAL);
  }

  #reserve(count: number): void {
    const needed = this.#at + count;
    if (needed <= this.#bytes.length) return;
    const grown = Buffer.allocUnsafeSlow(Math.max(needed, this.#bytes.length * 2));
    this.#bytes.copy(grown, 0, 0, this.#at);
    this.#bytes = grown;
  }

  /** One byte; tags of fields up to 15 are one. */
  byte(value: number): void {
    this.#reserve(1);
    this.#bytes[this.#at++] = value;
  }

  /** An unsigned varint of up to 32 bits. */
  varint(value: number): void {
    this.#reserve(5);
    let rest = value >>> 0;
    while (rest > 0x7f) {
      this.#bytes[this.#at++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    this.#bytes[this.#at++] = rest;
  }

  /** An int32 or enum number: negative ones take ten bytes, as they are sign-extended to 64 bits. */
  int32(value: number): void {
    if (value >= 0) this.varint(value);
    else this.varint64(BigInt(value));
  }

  varint64(value: bigint): void {
    this.#reserve(10);
    let rest = BigInt.asUintN(64, value);
    while (rest > 0x7fn) {
      this.#bytes[this.#at++] = Number(rest & 0x7fn) | 0x80;
      rest >>= 7n;
    }
    this.#bytes[this.#at++] = Number(rest);
  }

  double(value: number): void {
    this.#reserve(8);
    this.#at = this.#bytes.writeDoubleLE(value, this.#at);
  }

  /** Length and bytes. */
  bytes(value: Uint8Array): void {
    this.varint(value.byteLength);
    this.raw(value);
  }

  raw(value: Uint8Array): void {
    this.#reserve(value.byteLength);
    this.#bytes.set(value, this.#at);
    this.#at += value.byteLength;
  }

  /** Length and UTF-8. Lone surrogates become U+FFFD; callers that must not lose them use exactText. */
  text(value: string): void {
    const length = value.length;
    if (length < 40 && this.#ascii(value, length)) return;
    const size = Buffer.byteLength(value);
    this.varint(size);
    this.#reserve(size);
    this.#at += this.#bytes.write(value, this.#at, size, 'utf8');
  }

  /** Like text, but false, with nothing written, for a text that UTF-8 cannot carry. */
  exactText(value: string): boolean {
    const length = value.length;
    if (length < 40 && this.#ascii(value, length)) return true;
    if (!isWellFormed(value)) return false;
    this.text(value);
    return true;
  }

  #ascii(value: string, length: number): boolean {
    this.#reserve(length + 1);
    const bytes = this.#bytes;
    const start = this.#at;
    bytes[start] = length;
    for (let i = 0; i < length; i++) {
      const unit = value.charCodeAt(i);
      if (unit > 0x7f) return false;
      bytes[start + 1 + i] = unit;
    }
    this.#at = start + 1 + length;
    return true;
  }

  /** Begins something with a length in front; `end` takes what this gave. */
  begin(): number {
    this.#reserve(1);
    return this.#at++;
  }

  /** Writes the length of what came since `begin`, moving it when the length takes more than a byte. */
  end(start: number): void {
    const length = this.#at - start - 1;
    if (length < 0x80) {
      this.#bytes[start] = length;
      return;
    }
    const extra = length < 0x4000 ? 1 : length < 0x200000 ? 2 : length < 0x10000000 ? 3 : 4;
    this.#reserve(extra);
    this.#bytes.copyWithin(start + 1 + extra, start + 1, this.#at);
    this.#at = start;
    this.varint(length);
    this.#at += length;
  }
}
