// A folder as a value: what is in it, so that two moments can be compared, and a watcher for what happens
// between them.
import { createHash } from 'node:crypto';
import { type FSWatcher, lstatSync, readdirSync, readFileSync, readlinkSync, watch } from 'node:fs';
import { join } from 'node:path';

/** One line per entry: its path, kind, mode, and a hash of its content. */
export type Tree = ReadonlyMap<string, string>;

export function readTree(root: string): Tree {
  const tree = new Map<string, string>();
  walk(root, '', tree);
  return tree;
}

function walk(root: string, below: string, tree: Map<string, string>): void {
  for (const name of readdirSync(join(root, below)).sort()) {
    const path = below === '' ? name : `${below}/${name}`;
    const full = join(root, path);
    const stat = lstatSync(full);
    const mode = (stat.mode & 0o7777).toString(8);
    if (stat.isSymbolicLink()) tree.set(path, `link to ${readlinkSync(full)}`);
    else if (stat.isDirectory()) {
      tree.set(path, `folder ${mode}`);
      if ((stat.mode & 0o500) === 0o500 || process.getuid?.() === 0) walk(root, path, tree);
    } else if (stat.isFile()) {
      const readable = (stat.mode & 0o400) !== 0 || process.getuid?.() === 0;
      const hash = readable ? createHash('sha256').update(readFileSync(full)).digest('hex') : '?';
      tree.set(path, `file ${mode} ${stat.size} bytes ${hash.slice(0, 16)}`);
    } else tree.set(path, 'special file');
  }
}

/** What differs, one sentence per entry. */
export function treeChanges(before: Tree, after: Tree): string[] {
  const changes: string[] = [];
  for (const [path, was] of before) {
    const is = after.get(path);
    if (is === undefined) changes.push(`${path} is gone`);
    else if (is !== was) changes.push(`${path} was ${was}, is ${is}`);
  }
  for (const [path, is] of after) if (!before.has(path)) changes.push(`${path} is new: ${is}`);
  return changes;
}

export interface TreeWatch {
  /** Paths that something happened to, also where it was undone. */
  readonly touched: ReadonlySet<string>;
  close(): void;
}

/** Watches a folder and those in it now. Where the system cannot, nothing is ever touched. */
export function watchTree(root: string): TreeWatch {
  const touched = new Set<string>();
  const watchers: FSWatcher[] = [];
  const folders = [
    '',
    ...[...readTree(root)].filter(([, is]) => is.startsWith('folder')).map(([path]) => path),
  ];
  for (const folder of folders) {
    try {
      const watcher = watch(join(root, folder), { persistent: false }, (_kind, name) => {
        touched.add(join(folder, name ?? '?'));
      });
      watcher.on('error', () => watcher.close());
      watchers.push(watcher);
    } catch {
      // Out of watches, or none on this system: the comparison of the trees still holds.
    }
  }
  return {
    touched,
    close: () => {
      for (const watcher of watchers) watcher.close();
    },
  };
}
