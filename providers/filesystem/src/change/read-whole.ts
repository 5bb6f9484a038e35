// Reads a file that is going to be changed or compared, whole, with a limit.
import { createHash } from 'node:crypto';
import type { Stats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { fail } from '@tenon/provider';
import { openFile } from '../path/open.js';
import type { ResolvedPath } from '../path/resolve.js';

export interface WholeFile {
  readonly bytes: Buffer;
  readonly hash: string;
  readonly stats: Stats;
}

/** SHA-256 of a file's bytes, in hex: what `hash` and `expected_hash` are. */
export function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Raises `execution_failed` when the file is larger than `maxBytes`. */
export async function readWhole(
  path: ResolvedPath,
  maxBytes: number,
  signal: AbortSignal,
): Promise<WholeFile> {
  const handle = await openFile(path);
  try {
    const stats = await handle.stat();
    const bytes = await readUpTo(handle, maxBytes, stats.size, signal);
    if (bytes === undefined) {
      throw fail.executionFailed(
        `"${path.given}" is larger than the ${maxBytes} bytes that this operation takes (max_edit_bytes)`,
        { path: path.given, size: stats.size, limit: maxBytes },
      );
    }
    return { bytes, hash: hashOf(bytes), stats };
  } finally {
    await handle.close();
  }
}

/** Undefined when there is more. The size of a file of /proc is 0, so it is only a hint. */
async function readUpTo(
  handle: FileHandle,
  maxBytes: number,
  size: number,
  signal: AbortSignal,
): Promise<Buffer | undefined> {
  if (size > maxBytes) return undefined;
  const pieces: Buffer[] = [];
  let total = 0;
  for (;;) {
    signal.throwIfAborted();
    const piece = Buffer.allocUnsafe(Math.min(Math.max(size - total + 1, 65_536), 4 << 20));
    const { bytesRead } = await handle.read(piece, 0, piece.length, null);
    if (bytesRead === 0) return Buffer.concat(pieces, total);
    total += bytesRead;
    if (total > maxBytes) return undefined;
    pieces.push(piece.subarray(0, bytesRead));
  }
}
