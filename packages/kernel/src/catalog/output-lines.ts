// What a provider prints, cut into lines for the observer. A line without end is passed on in pieces.
import { StringDecoder } from 'node:string_decoder';

const MAX_LINE = 8_192;

export interface OutputLines {
  write(stream: 'stdout' | 'stderr', data: Uint8Array): void;
  /** Passes on what has no line end yet. */
  flush(): void;
}

export function outputLines(
  onLine: (stream: 'stdout' | 'stderr', text: string) => void,
): OutputLines {
  const streams = {
    stdout: { decoder: new StringDecoder('utf8'), rest: '' },
    stderr: { decoder: new StringDecoder('utf8'), rest: '' },
  };
  return {
    write(stream, data) {
      const state = streams[stream];
      const lines = (state.rest + state.decoder.write(Buffer.from(data))).split('\n');
      let rest = lines.pop() ?? '';
      for (const line of lines) onLine(stream, line.endsWith('\r') ? line.slice(0, -1) : line);
      while (rest.length > MAX_LINE) {
        onLine(stream, rest.slice(0, MAX_LINE));
        rest = rest.slice(MAX_LINE);
      }
      state.rest = rest;
    },
    flush() {
      for (const stream of ['stdout', 'stderr'] as const) {
        const { rest } = streams[stream];
        streams[stream].rest = '';
        if (rest !== '') onLine(stream, rest);
      }
    },
  };
}
