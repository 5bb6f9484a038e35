// Bytes ↔ text of files, so that what is not edited keeps its bytes (F2, F3). Every codec here gives back the same
// bytes for the text that it read.
import { isUtf8 } from 'node:buffer';

export type EncodingName =
  | 'utf-8'
  | 'utf-8-bom'
  | 'utf-16le'
  | 'utf-16be'
  | 'windows-1252'
  | 'binary';

export interface DecodedText {
  readonly encoding: Exclude<EncodingName, 'binary'>;
  /** Without the byte order mark. */
  readonly text: string;
  /** Bytes of a text, without a mark. Undefined when the encoding has no bytes for one of its characters. */
  encode(text: string): Buffer | undefined;
  /** What stands before the text. */
  readonly mark: Buffer;
  /** What stands behind it: half a character of a cut UTF-16 file. */
  readonly tail: Buffer;
}

const MARKS = {
  'utf-8-bom': Buffer.from([0xef, 0xbb, 0xbf]),
  'utf-16le': Buffer.from([0xff, 0xfe]),
  'utf-16be': Buffer.from([0xfe, 0xff]),
} as const;

/**
 * Tells the encoding from the beginning of a file. `complete` says that there is no more of it, so that a character
 * at the end is whole. A NUL makes it binary, unless a mark says UTF-16; what is no UTF-8 is taken as Windows-1252,
 * in which every byte is a character.
 */
export function detectEncoding(head: Buffer, complete: boolean): EncodingName {
  for (const [name, mark] of Object.entries(MARKS)) {
    if (head.subarray(0, mark.length).equals(mark)) return name as keyof typeof MARKS;
  }
  if (head.includes(0)) return 'binary';
  return isUtf8(complete ? head : wholeCharacters(head)) ? 'utf-8' : 'windows-1252';
}

/** Leaves away the bytes of a character that is cut off at the end. */
function wholeCharacters(bytes: Buffer): Buffer {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return bytes;
    if (byte >= 0xc0) {
      const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return length > back ? bytes.subarray(0, bytes.length - back) : bytes;
    }
  }
  return bytes;
}

/** Decodes a whole file; undefined when it is binary. */
export function decodeFile(bytes: Buffer): DecodedText | undefined {
  const encoding = detectEncoding(bytes, true);
  switch (encoding) {
    case 'binary':
      return undefined;
    case 'utf-16le':
    case 'utf-16be': {
      const even = bytes.length - (bytes.length % 2);
      const body = bytes.subarray(2, even);
      return {
        encoding,
        text: (encoding === 'utf-16be' ? swapped(body) : body).toString('utf16le'),
        encode: (text) => {
          const encoded = Buffer.from(text, 'utf16le');
          return encoding === 'utf-16be' ? encoded.swap16() : encoded;
        },
        mark: MARKS[encoding],
        tail: bytes.subarray(even),
      };
    }
    case 'windows-1252':
      return {
        encoding,
        text: fromWindows1252(bytes),
        encode: toWindows1252,
        mark: NONE,
        tail: NONE,
      };
    case 'utf-8':
    case 'utf-8-bom': {
      const mark = encoding === 'utf-8-bom' ? MARKS['utf-8-bom'] : NONE;
      // A mark does not promise that the rest is UTF-8; replacement characters must not be written back.
      const body = bytes.subarray(mark.length);
      if (!isUtf8(body)) {
        return {
          encoding: 'windows-1252',
          text: fromWindows1252(bytes),
          encode: toWindows1252,
          mark: NONE,
          tail: NONE,
        };
      }
      return {
        encoding,
        text: body.toString('utf8'),
        encode: (text) => Buffer.from(text),
        mark,
        tail: NONE,
      };
    }
  }
}

/** The bytes of a decoded file whose text is replaced. Undefined as for `encode`. */
export function encodeFile(decoded: DecodedText, text: string): Buffer | undefined {
  const body = decoded.encode(text);
  return body && Buffer.concat([decoded.mark, body, decoded.tail]);
}

const NONE = Buffer.alloc(0);

function swapped(bytes: Buffer): Buffer {
  return Buffer.from(bytes).swap16();
}

// The web's Windows-1252: all 256 bytes are characters, each its own.
const CHARACTERS = Array.from(
  new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 256 }, (_, i) => i)),
);
const BYTES = new Map(CHARACTERS.map((character, byte) => [character, byte]));

function fromWindows1252(bytes: Buffer): string {
  return new TextDecoder('windows-1252').decode(bytes);
}

function toWindows1252(text: string): Buffer | undefined {
  const bytes = Buffer.alloc(text.length);
  for (let i = 0; i < text.length; i++) {
    const byte = BYTES.get(text.charAt(i));
    if (byte === undefined) return undefined;
    bytes[i] = byte;
  }
  return bytes;
}
