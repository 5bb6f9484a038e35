// Cuts a stream of bytes at a separator, without ever keeping more than a limit of one piece.

export interface Splitter {
  /** The pieces that are complete now, without separators. */
  push(data: Buffer): Buffer[];
  /** The last piece, if it had no separator. */
  flush(): Buffer[];
  /** Pieces that were longer than the limit and were dropped. */
  readonly dropped: number;
}

export function createSplitter(separator: number, limitBytes: number): Splitter {
  let parts: Buffer[] = [];
  let bytes = 0;
  let dropping = false;
  let dropped = 0;

  const take = (piece: Buffer): void => {
    if (dropping) return;
    bytes += piece.length;
    if (bytes > limitBytes) {
      dropping = true;
      dropped += 1;
      parts = [];
    } else if (piece.length > 0) parts.push(piece);
  };
  const end = (): Buffer[] => {
    const whole = dropping ? [] : [Buffer.concat(parts)];
    parts = [];
    bytes = 0;
    dropping = false;
    return whole;
  };

  return {
    push(data) {
      const complete: Buffer[] = [];
      let from = 0;
      for (let at = data.indexOf(separator); at >= 0; at = data.indexOf(separator, from)) {
        take(data.subarray(from, at));
        complete.push(...end());
        from = at + 1;
      }
      take(data.subarray(from));
      return complete;
    },
    flush() {
      return bytes === 0 && !dropping ? [] : end();
    },
    get dropped() {
      return dropped;
    },
  };
}
