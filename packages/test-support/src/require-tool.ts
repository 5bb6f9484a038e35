// Tests that need a program which a developer's machine may lack.
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The part of node:test's TestContext that is needed here. */
export interface SkippableTest {
  skip(reason?: string): void;
}

/** Absolute path of a program on PATH; undefined when there is none. */
export function toolPath(name: string): string | undefined {
  const extensions = process.platform === 'win32' ? ['.exe', '.cmd', ''] : [''];
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    for (const extension of extensions) {
      const path = join(folder, name + extension);
      try {
        accessSync(path, constants.X_OK);
        if (statSync(path).isFile()) return path;
      } catch {
        // Not there, or not executable: the next folder is tried.
      }
    }
  }
  return undefined;
}

/**
 * Whether a program is on PATH. If not, skips the test with a reason, so that the caller returns at once:
 * `if (!requireTool(t, 'go')) return;`. In CI (environment CI=true), where everything is installed, a
 * missing program throws instead: a skip there would be a hole that nobody sees.
 */
export function requireTool(t: SkippableTest, name: string): boolean {
  if (toolPath(name) !== undefined) return true;
  if (process.env['CI'] === 'true') {
    throw new Error(`${name} is not on PATH, and CI does not skip: install it in .ci/run`);
  }
  t.skip(`${name} is not on PATH`);
  return false;
}
