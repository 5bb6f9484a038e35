// Keeps what a command printed within bounds: the first bytes, the last bytes, and, once it is more than
// both, everything in a file. stdout and stderr share one keeper, in the order in which they came.
import { existsSync } from 'node:fs';
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { incompleteTail } from './utf8-boundary.js';

export interface KeeperOptions {
  /** Bytes kept in memory; half of them from the start, half from the end. */
  readonly limitBytes: number;
  /** Folder for the file; made when it is needed. */
  readonly folder: string;
  /** Name of the file. */
  readonly name: string;
}

export interface KeptOutput {
  /** Everything, or head, a notice and tail. Invalid UTF-8 shows as U+FFFD. */
  readonly text: string;
  readonly bytes: number;
  readonly truncated: boolean;
  /** Where the whole output is, if it was truncated. */
  readonly file?: string;
}

export interface Keeper {
  /** One at a time. Resolves when the file has taken it; where it cannot, head and tail alone are kept. */
  add(data: Uint8Array): Promise<void>;
  /** Closes the file. The keeper takes nothing afterwards. */
  finish(): Promise<KeptOutput>;
}

export function createKeeper(options: KeeperOptions): Keeper {
  const headLimit = Math.ceil(options.limitBytes / 2);
  const tailLimit = options.limitBytes - headLimit;
  const head: Buffer[] = [];
  let headBytes = 0;
  let tail: Buffer[] = [];
  let tailBytes = 0;
  let total = 0;
  let file: { readonly path: string; readonly handle: FileHandle } | undefined;
  let fileProblem: string | undefined;

  async function openFile(): Promise<void> {
    await makeFolder(options.folder);
    const path = join(options.folder, options.name);
    file = { path, handle: await open(path, 'wx', 0o600) };
    await file.handle.appendFile(Buffer.concat([...head, ...tail]));
  }

  async function giveUpFile(error: unknown): Promise<void> {
    fileProblem = error instanceof Error ? error.message : String(error);
    const gone = file;
    file = undefined;
    if (gone === undefined) return;
    await gone.handle.close();
    await rm(gone.path, { force: true });
  }

  function remember(data: Buffer): void {
    const first = data.subarray(0, headLimit - headBytes);
    if (first.length > 0) {
      head.push(first);
      headBytes += first.length;
    }
    const rest = data.subarray(first.length);
    if (rest.length === 0) return;
    tail.push(rest.length > tailLimit ? rest.subarray(rest.length - tailLimit) : rest);
    tailBytes += Math.min(rest.length, tailLimit);
    // Compacted when twice as much as needed has gathered: each byte is copied once.
    if (tailBytes > 2 * tailLimit || tail.length > 1_000) {
      const all = Buffer.concat(tail);
      tail = [Buffer.from(all.subarray(Math.max(0, all.length - tailLimit)))];
      tailBytes = tail[0]?.length ?? 0;
    }
  }

  return {
    async add(data) {
      const copy = Buffer.from(data);
      const overflows = total + copy.length > options.limitBytes;
      try {
        // Before the tail forgets anything.
        if (overflows && file === undefined && fileProblem === undefined) await openFile();
        await file?.handle.appendFile(copy);
      } catch (error) {
        await giveUpFile(error);
      }
      total += copy.length;
      remember(copy);
    },
    async finish() {
      await file?.handle.close();
      const first = Buffer.concat(head);
      const all = Buffer.concat(tail);
      const last = all.subarray(Math.max(0, all.length - tailLimit));
      if (total <= options.limitBytes) {
        return { text: decode(Buffer.concat([first, last])), bytes: total, truncated: false };
      }
      const left = total - first.length - last.length;
      const where =
        file === undefined
          ? `not kept: ${fileProblem ?? 'no file'}`
          : `all of it is in ${file.path}`;
      const notice = `\n… ${left} of ${total} bytes are left out here; ${where} …\n`;
      return {
        text: `${decode(trimEnd(first))}${notice}${decode(trimStart(last))}`,
        bytes: total,
        truncated: true,
        ...(file === undefined ? {} : { file: file.path }),
      };
    },
  };
}

/** Step by step, as Node's own `recursive` never ends where a file system has no place for a folder, such as /proc. */
async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, 0o700);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return;
    const parent = dirname(path);
    if (code !== 'ENOENT' || parent === path || existsSync(parent)) throw error;
    await makeFolder(parent);
    await makeFolder(path);
  }
}

const decode = (bytes: Uint8Array): string =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);

/** Without a character that is cut at the end. */
const trimEnd = (bytes: Buffer): Buffer => bytes.subarray(0, bytes.length - incompleteTail(bytes));

/** Without the rest of a character whose start is missing. */
function trimStart(bytes: Buffer): Buffer {
  let start = 0;
  while (start < 3 && start < bytes.length && ((bytes[start] as number) & 0xc0) === 0x80)
    start += 1;
  return bytes.subarray(start);
}
