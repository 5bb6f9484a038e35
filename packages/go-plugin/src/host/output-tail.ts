// The last lines of a stream of bytes, in bounded memory.
import { StringDecoder } from 'node:string_decoder';

const MAX_LINES = 50;
const MAX_LINE = 4096;

/** Collects lines; a line longer than 4,096 characters is cut and marked with `…`. */
export interface OutputTail {
  write(data: Uint8Array): void;
  /** Oldest first, with the unfinished line at the end if there is one. */
  lines(): readonly string[];
}

/** An empty tail that keeps the last 50 lines. */
export function outputTail(): OutputTail {
  const decoder = new StringDecoder('utf8');
  const lines: string[] = [];
  let partial = '';
  const push = (line: string) => {
    lines.push(line);
    if (lines.length > MAX_LINES) lines.shift();
  };
  return {
    write(data) {
      const text = decoder.write(Buffer.from(data.buffer, data.byteOffset, data.byteLength));
      let from = 0;
      for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', from)) {
        push(cut(partial + text.slice(from, end)).replace(/\r$/, ''));
        partial = '';
        from = end + 1;
      }
      partial = cut(partial + text.slice(from, from + MAX_LINE + 1));
    },
    lines: () => (partial === '' ? [...lines] : [...lines.slice(1 - MAX_LINES), partial]),
  };
}

function cut(line: string): string {
  return line.length <= MAX_LINE ? line : `${line.slice(0, MAX_LINE - 1)}…`;
}
