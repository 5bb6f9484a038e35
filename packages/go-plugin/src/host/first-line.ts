// Takes the first line off a plugin's stdout and lets everything after it pass.

// Room for any handshake: a P-521 certificate in base64 has about 800 characters.
const MAX_BYTES = 64 * 1024;

/** What stdout began with. */
export type FirstLine =
  | { readonly kind: 'line'; readonly text: string }
  /** More than 64 KiB and no line end yet; `text` is the beginning. */
  | { readonly kind: 'endless'; readonly text: string }
  /** stdout was closed before a line end; `text` is what had come. */
  | { readonly kind: 'closed'; readonly text: string };

/** Reads one line, whatever the pieces in which it arrives. */
export interface FirstLineReader {
  readonly result: Promise<FirstLine>;
  write(data: Buffer): void;
  end(): void;
}

/** `rest` receives what follows the line, as it comes. */
export function firstLineReader(rest: (data: Buffer) => void): FirstLineReader {
  let settle: (line: FirstLine) => void = () => {};
  const result = new Promise<FirstLine>((resolve) => {
    settle = resolve;
  });
  let done = false;
  let size = 0;
  let pieces: Buffer[] = [];
  const finish = (line: FirstLine) => {
    done = true;
    pieces = [];
    settle(line);
  };
  return {
    result,
    write(data) {
      if (done) return rest(data);
      const end = data.indexOf(0x0a);
      pieces.push(end === -1 ? data : data.subarray(0, end));
      size += data.length;
      if (end !== -1) {
        finish({ kind: 'line', text: Buffer.concat(pieces).toString('utf8') });
        if (end + 1 < data.length) rest(data.subarray(end + 1));
      } else if (size > MAX_BYTES) {
        const text = Buffer.concat(pieces).toString('utf8', 0, 256);
        finish({ kind: 'endless', text });
      }
    },
    end() {
      if (!done) finish({ kind: 'closed', text: Buffer.concat(pieces).toString('utf8', 0, 256) });
    },
  };
}
