// Directories whose unix socket paths fit into the kernel's 108 bytes (104 on macOS).
import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The longest socket path that works on every unix, in bytes. */
export const MAX_SOCKET_PATH = 103;

// Go names its sockets "plugin" and up to ten digits; ours are shorter.
const LONGEST_NAME = '/plugin0123456789'.length;

/** Whether sockets inside `dir` can be bound and reached. */
export function fitsSockets(dir: string): boolean {
  return Buffer.byteLength(dir) + LONGEST_NAME <= MAX_SOCKET_PATH;
}

/**
 * Makes a fresh directory for sockets that only this user can enter. Prefers the temporary
 * directory, and falls back to a shorter one where its path is too long. Raises an Error that lists
 * what was tried.
 */
export function makeSocketDir(env: NodeJS.ProcessEnv = process.env): string {
  const tried: string[] = [];
  for (const base of new Set([tmpdir(), env.XDG_RUNTIME_DIR ?? '', '/tmp', '/var/tmp'])) {
    if (base === '') continue;
    const prefix = join(base, 'plugin-');
    if (!fitsSockets(`${prefix}XXXXXX`)) {
      tried.push(`${base} (too long)`);
      continue;
    }
    try {
      const dir = mkdtempSync(prefix);
      chmodSync(dir, 0o700);
      return dir;
    } catch (error) {
      tried.push(`${base} (${error instanceof Error ? error.message : String(error)})`);
    }
  }
  throw new Error(
    `no directory for unix sockets: a socket path may have ${MAX_SOCKET_PATH} bytes at the most; ` +
      `tried ${tried.join(', ')}. Set TMPDIR to a short, writable directory.`,
  );
}
