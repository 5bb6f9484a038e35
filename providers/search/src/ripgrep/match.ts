// Reads ripgrep's JSON lines into matches with their context.
import * as z from 'zod';

const textOrBytes = z.union([z.object({ text: z.string() }), z.object({ bytes: z.string() })]);
const lineData = z.object({
  path: textOrBytes,
  lines: textOrBytes,
  line_number: z.number().nullable(),
  submatches: z.array(z.object({ start: z.number(), end: z.number() })),
});
const record = z.union([
  z.object({ type: z.enum(['match', 'context']), data: lineData }),
  z.object({ type: z.enum(['begin', 'end', 'summary']) }),
]);

export interface FoundLine {
  readonly kind: 'match' | 'context';
  readonly path: string;
  readonly line: number;
  /** Character of the line where the first match begins, from 1; 0 for context. */
  readonly column: number;
  /** Without its line end; bytes that are not UTF-8 show as U+FFFD. */
  readonly text: string;
}

/** A line of ripgrep's JSON output; undefined for those that frame the results. Throws on anything else. */
export function readRecord(json: Buffer): FoundLine | undefined {
  const parsed = record.parse(JSON.parse(json.toString('utf8')));
  if (parsed.type !== 'match' && parsed.type !== 'context') return undefined;
  const { data } = parsed;
  const bytes = bytesOf(data.lines);
  const start = data.submatches[0]?.start ?? 0;
  const text = bytes.toString('utf8').replace(/\r?\n$/, '');
  return {
    kind: parsed.type,
    path: bytesOf(data.path).toString('utf8'),
    line: data.line_number ?? 0,
    column: parsed.type === 'match' ? bytes.subarray(0, start).toString('utf8').length + 1 : 0,
    text,
  };
}

function bytesOf(value: z.infer<typeof textOrBytes>): Buffer {
  return 'text' in value ? Buffer.from(value.text, 'utf8') : Buffer.from(value.bytes, 'base64');
}

/** A long line cut to `limit` characters around the match, with marks where something is left out. */
export function clipped(text: string, column: number, limit: number): string {
  if (text.length <= limit) return text;
  const start = Math.max(0, Math.min(column - 1 - Math.floor(limit / 4), text.length - limit));
  const end = start + limit;
  return `${start > 0 ? '…' : ''}${text.slice(start, end)}${end < text.length ? '…' : ''}`;
}
