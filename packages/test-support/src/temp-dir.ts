// A folder for one test.
import { chmodSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

/** Makes a folder below the system's one for temporary files, removed when the test ends. Its real path. */
export function tempDir(t: Pick<TestContext, 'after'>, prefix = 'tenon-test-'): string {
  const path = realpathSync(mkdtempSync(join(tmpdir(), prefix)));
  t.after(() => {
    chmodSync(path, 0o700);
    rmSync(path, { recursive: true, force: true, maxRetries: 5 });
  });
  return path;
}
