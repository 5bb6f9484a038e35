// Throw-away working directories with the fixtures of a case file in them.
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Fixture } from './model.js';

/** Lies in the working directory when the case file names no fixtures: something for reads to find. */
export const DEFAULT_FIXTURES: readonly Fixture[] = [
  { path: 'conformance.txt', kind: 'file', content: Buffer.from('one\ntwo\nthree\n') },
];

export interface Workspaces {
  /** A new directory, with the fixtures laid into it. */
  fresh(): string;
  /** A new directory with nothing in it. */
  empty(): string;
  dispose(): void;
}

export function createWorkspaces(fixtures: readonly Fixture[]): Workspaces {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'tenon-conform-')));
  const locked: string[] = [];
  let count = 0;
  const empty = (): string => {
    count += 1;
    const path = join(root, `w${count}`);
    mkdirSync(path);
    return path;
  };
  return {
    empty,
    fresh: () => {
      const path = empty();
      for (const fixture of fixtures) lay(path, fixture, locked);
      return path;
    },
    dispose: () => {
      // Folders without permissions cannot be emptied.
      for (const path of locked) chmodSync(path, 0o700);
      rmSync(root, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function lay(root: string, fixture: Fixture, locked: string[]): void {
  const path = join(root, fixture.path);
  mkdirSync(dirname(path), { recursive: true });
  switch (fixture.kind) {
    case 'link':
      symlinkSync(fixture.to, path);
      return;
    case 'folder':
      mkdirSync(path, { recursive: true });
      if (fixture.mode !== undefined) {
        chmodSync(path, fixture.mode);
        locked.push(path);
      }
      return;
    case 'file':
      writeFileSync(path, fixture.content);
      if (fixture.mode !== undefined) chmodSync(path, fixture.mode);
  }
}
