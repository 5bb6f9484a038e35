// Where ripgrep is: configured, shipped with the package, or on PATH.
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fail } from '@tenon/provider';

/** Absolute path. Throws `execution_failed` that says what was tried and what to do. */
export async function locateRipgrep(configured: string | undefined): Promise<string> {
  if (configured !== undefined) {
    if (isExecutable(configured)) return configured;
    throw fail.executionFailed(
      `the configured ripgrep ${configured} does not exist or is not executable; correct the setting "ripgrep", or leave it out`,
    );
  }
  const shipped = await shippedPath();
  if (shipped !== undefined) return shipped;
  const name = process.platform === 'win32' ? 'rg.exe' : 'rg';
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    if (folder !== '' && isExecutable(join(folder, name))) return join(folder, name);
  }
  throw fail.executionFailed(
    `ripgrep is missing: neither the package @vscode/ripgrep has a binary for ${process.platform}-${process.arch}, ` +
      'nor is rg on PATH; install ripgrep, or name it in the setting "ripgrep"',
  );
}

async function shippedPath(): Promise<string | undefined> {
  try {
    const { rgPath } = await import('@vscode/ripgrep');
    return isExecutable(rgPath) ? rgPath : undefined;
  } catch {
    // Installed without its platform package: PATH is tried next, and the final error names both.
    return undefined;
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    // Not there, or not for us to run: the caller says so.
    return false;
  }
}
