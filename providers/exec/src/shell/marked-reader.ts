// Finds the end of one command's output in a pipe that many commands share: the session's shell prints a
// random mark when a command is over. Bytes before the mark are the command's; a possible beginning of the
// mark waits until it is clear what it is.

export interface MarkedReader {
  /** `output` can be passed on; `done` says that the mark was found, `rest` is what came after it. */
  push(data: Uint8Array): { output: Buffer; done: boolean; rest: Buffer };
}

export function createMarkedReader(mark: string): MarkedReader {
  const wanted = Buffer.from(mark, 'latin1');
  let waiting: Buffer = Buffer.alloc(0);
  return {
    push(data) {
      const all = Buffer.concat([waiting, data]);
      const at = all.indexOf(wanted);
      if (at >= 0) {
        waiting = Buffer.alloc(0);
        return {
          output: all.subarray(0, at),
          done: true,
          rest: Buffer.from(all.subarray(at + wanted.length)),
        };
      }
      const keep = overlap(all, wanted);
      waiting = Buffer.from(all.subarray(all.length - keep));
      return { output: all.subarray(0, all.length - keep), done: false, rest: Buffer.alloc(0) };
    },
  };
}

/** Length of the longest end of `bytes` that `wanted` begins with. */
function overlap(bytes: Buffer, wanted: Buffer): number {
  for (let length = Math.min(bytes.length, wanted.length - 1); length > 0; length -= 1) {
    if (bytes.subarray(bytes.length - length).equals(wanted.subarray(0, length))) return length;
  }
  return 0;
}
