// read_file: a range of the lines of a text file, with a cap that is always announced. Memory stays flat whatever
// the file is (F9).
import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { StringDecoder } from 'node:string_decoder';
import { dataSource, fail } from '@tenon/provider';
import * as z from 'zod';
import { seenFiles } from '../change/seen.js';
import { config } from '../config.js';
import { mustExist, resolveInside, rootsFor } from '../path/access.js';
import { openFile } from '../path/open.js';
import { detectEncoding, type EncodingName } from '../text/encoding.js';
import { createLineReader, type LineReader } from '../text/line-reader.js';
import { mediaType } from '../text/media-type.js';
import { numberedLine } from '../text/numbered.js';

const DEFAULT_LINES = 2_000;
const MAX_LINE_CHARS = 2_000;
const PIECE = 1 << 18;
/** Beyond, lines after the range are not counted and no hash is made. */
const MAX_COUNTED_BYTES = 64 << 20;

export const readFile = dataSource({
  config,
  description:
    'Reads a text file, or a range of its lines. Lines are numbered "  12: text" unless numbered is false; the numbers are not part of the file. Long files and long lines are cut, and notice says so and how to go on.',
  input: z.object({
    path: z.string().describe('The file; relative to the working directory, or absolute'),
    offset: z.number().optional().describe('The first line, from 1. Default: 1'),
    limit: z.number().optional().describe(`How many lines. Default: ${DEFAULT_LINES}`),
    numbered: z.boolean().optional().describe('Put line numbers in front. Default: true'),
  }),
  output: z.object({
    path: z.string().describe('The file that was read, absolute'),
    content: z.string().describe('The lines; empty for a binary file'),
    encoding: z.string().describe('utf-8, utf-8-bom, utf-16le, utf-16be, windows-1252 or binary'),
    line_ending: z.enum(['lf', 'crlf', 'mixed', 'none']).describe('Of the part that was looked at'),
    first_line: z.number().describe('Number of the first line in content; 0 when there is none'),
    last_line: z.number().describe('Number of the last line in content; 0 when there is none'),
    total_lines: z.number().optional().describe('Lines of the whole file, where they were counted'),
    size: z.number().describe('Bytes of the whole file'),
    hash: z
      .string()
      .optional()
      .describe(
        'SHA-256 of the whole file, for expected_hash of a later change; absent for a very large file',
      ),
    notice: z.string().optional().describe('What is missing in content, and how to get it'),
  }),
  concurrency: { safe: true },
  timeout: 30_000,
  async handler({ args, call, config: settings, signal }) {
    const first = wholeNumber('offset', args.offset ?? 1);
    const maxLines = wholeNumber('limit', args.limit ?? DEFAULT_LINES);
    const roots = rootsFor('read', settings, call.context);
    const path = await resolveInside(args.path, call.context, roots);
    mustExist(path);
    const handle = await openFile(path);
    try {
      const reader = createLineReader({
        first,
        maxLines,
        maxChars: settings.max_read_chars,
        maxLineChars: MAX_LINE_CHARS,
      });
      const scan = await scanFile(handle, reader, signal);
      if (scan.hash !== undefined) {
        seenFiles.remember(call.context.sessionId, path.real, scan.hash);
      }
      return { path: path.real, ...pictureOf(scan, reader, first, args.numbered ?? true) };
    } finally {
      await handle.close();
    }
  },
});

function wholeNumber(name: string, value: number): number {
  if (Number.isSafeInteger(value) && value >= 1) return value;
  throw fail.invalidArguments(`${name} must be a whole number from 1, not ${value}`, {
    pointer: `/${name}`,
  });
}

interface Scan {
  readonly encoding: EncodingName;
  readonly head: Buffer;
  readonly size: number;
  /** Absent when the scan ended before the file. */
  readonly hash?: string;
}

async function scanFile(
  handle: FileHandle,
  reader: LineReader,
  signal: AbortSignal,
): Promise<Scan> {
  const hash = createHash('sha256');
  const piece = Buffer.allocUnsafe(PIECE);
  const head = Buffer.from(await readPiece(handle, piece));
  let chunk: Buffer = head;
  // A full piece may end inside of a character.
  const encoding = detectEncoding(head, head.length < PIECE);
  const decode = decoderOf(encoding);
  let size = 0;
  while (chunk.length > 0) {
    signal.throwIfAborted();
    size += chunk.length;
    if (size <= MAX_COUNTED_BYTES) hash.update(chunk);
    if (decode !== undefined) reader.push(decode.write(chunk));
    if ((reader.full || decode === undefined) && size > MAX_COUNTED_BYTES) {
      const { size: whole } = await handle.stat();
      return { encoding, head, size: Math.max(whole, size) };
    }
    chunk = await readPiece(handle, piece);
  }
  if (decode !== undefined) {
    reader.push(decode.end());
    reader.end();
  }
  const hashed = size <= MAX_COUNTED_BYTES;
  return { encoding, head, size, ...(hashed ? { hash: hash.digest('hex') } : {}) };
}

async function readPiece(handle: FileHandle, piece: Buffer): Promise<Buffer> {
  const { bytesRead } = await handle.read(piece, 0, piece.length, null);
  return piece.subarray(0, bytesRead);
}

interface Decoder {
  write(bytes: Buffer): string;
  end(): string;
}

function decoderOf(encoding: EncodingName): Decoder | undefined {
  switch (encoding) {
    case 'binary':
      return undefined;
    case 'utf-8':
    case 'utf-8-bom':
      return withoutMark(new StringDecoder('utf8'));
    case 'utf-16le':
    case 'utf-16be':
    case 'windows-1252': {
      const decoder = new TextDecoder(encoding);
      return {
        write: (bytes) => decoder.decode(bytes, { stream: true }),
        end: () => decoder.decode(),
      };
    }
  }
}

function withoutMark(decoder: StringDecoder): Decoder {
  let first = true;
  return {
    write(bytes) {
      const text = decoder.write(bytes);
      if (!first || text === '') return text;
      first = false;
      return text.startsWith('\ufeff') ? text.slice(1) : text;
    },
    end: () => decoder.end(),
  };
}

function pictureOf(scan: Scan, reader: LineReader, first: number, numbered: boolean) {
  const { lines, endings } = reader;
  const total = scan.hash === undefined ? undefined : reader.seen;
  const last = lines.at(-1)?.number ?? 0;
  const width = Math.max(4, String(last).length);
  const binary = scan.encoding === 'binary';
  const content = lines.map((line) => {
    const text = line.cut === 0 ? line.text : `${line.text}… (${line.cut} more characters)`;
    return numbered ? numberedLine(line.number, text, width) : text;
  });
  const notice = binary ? binaryNotice(scan) : noticeOf(scan, reader, first, total);
  return {
    content: content.join('\n'),
    encoding: scan.encoding,
    line_ending: endingOf(endings),
    first_line: lines[0]?.number ?? 0,
    last_line: last,
    ...(total === undefined || binary ? {} : { total_lines: total }),
    size: scan.size,
    ...(scan.hash === undefined ? {} : { hash: scan.hash }),
    ...(notice === undefined ? {} : { notice }),
  };
}

function endingOf({ lf, crlf }: LineReader['endings']): 'lf' | 'crlf' | 'mixed' | 'none' {
  if (lf === 0 && crlf === 0) return 'none';
  if (lf > 0 && crlf > 0) return 'mixed';
  return crlf > 0 ? 'crlf' : 'lf';
}

function binaryNotice({ head, size }: Scan): string {
  return `This is a binary file (${mediaType(head)}, ${size} bytes); its content is not shown.`;
}

function noticeOf(
  scan: Scan,
  { lines, seen }: LineReader,
  first: number,
  total: number | undefined,
): string | undefined {
  if (scan.size === 0) return 'The file is empty.';
  const last = lines.at(-1)?.number;
  const notices: string[] = [];
  if (last === undefined) {
    const has = total === undefined ? `at least ${seen}` : String(total);
    notices.push(`The file has ${has} lines; line ${first} is beyond its end.`);
  } else if (total === undefined || last < total) {
    const of = total === undefined ? `a file of ${scan.size} bytes` : `${total}`;
    notices.push(`Lines ${first} to ${last} of ${of}; go on with offset ${last + 1}.`);
  }
  const cut = lines.filter((line) => line.cut > 0).length;
  if (cut > 0) notices.push(`${cut} of the lines are cut at ${MAX_LINE_CHARS} characters.`);
  if (scan.encoding === 'windows-1252') {
    notices.push(
      'The file is not UTF-8; it is shown as Windows-1252. Its bytes are kept by edits.',
    );
  }
  return notices.length === 0 ? undefined : notices.join(' ');
}
