// What file a path argument means, so that two spellings of one file are one key (OPEN-02): relative to the
// working directory, through "..", through symbolic links, in the case of the volume, for files that do not
// exist yet, and for hard links.
//
// Where it cannot know, it errs towards fewer keys in common: a link that is retargeted while a call waits,
// or a volume that hides its case rules, leaves two spellings two keys.
import type { Stats } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, parse, resolve, sep } from 'node:path';

/** What is asked of the file system; a seam for volumes that the machine of a test does not have. */
export interface PathFacts {
  /** The path without links, in the volume's own spelling. Rejects when it does not exist. */
  realpath(path: string): Promise<string>;
  stat(path: string): Promise<Pick<Stats, 'dev' | 'ino' | 'nlink'> & { isFile(): boolean }>;
  /** What is assumed of a volume that cannot be asked. */
  readonly caseInsensitiveByDefault: boolean;
}

export const systemPaths: PathFacts = {
  realpath: (path) => realpath(path),
  stat: (path) => stat(path),
  caseInsensitiveByDefault: process.platform === 'darwin' || process.platform === 'win32',
};

export interface PathIdentity {
  /** `inode` for a file that has more than one name. */
  readonly type: 'path' | 'inode';
  readonly text: string;
}

/** All identities of a path; two calls that share one mean the same file. Never rejects, never empty. */
export async function pathIdentities(
  path: string,
  workingDirectory: string,
  facts: PathFacts = systemPaths,
): Promise<readonly PathIdentity[]> {
  const lexical = resolve(workingDirectory, path);
  const asWritten = isAbsolute(path) ? path : joinAsWritten(workingDirectory, path);
  const found = [await locate(lexical, facts)];
  // "link/.." is the parent of the link's target for the system, and of the link for path.resolve. Which of
  // them the provider uses is not known here: both are locked.
  if (/(?:^|[\\/])\.\.(?:[\\/]|$)/.test(path)) found.push(await locatePhysically(asWritten, facts));
  const identities = new Map<string, PathIdentity>();
  for (const { text, inode } of found) {
    identities.set(text, { type: 'path', text });
    if (inode !== undefined) identities.set(inode, { type: 'inode', text: inode });
  }
  return [...identities.values()];
}

/** Joined without taking ".." away. */
function joinAsWritten(directory: string, path: string): string {
  return directory.endsWith(sep) ? directory + path : directory + sep + path;
}

interface Located {
  readonly text: string;
  readonly inode: string | undefined;
}

/** An absolute path without "..". What does not exist is appended to the nearest folder that does. */
async function locate(path: string, facts: PathFacts): Promise<Located> {
  const missing: string[] = [];
  let existing = path;
  for (;;) {
    const real = await realOrUndefined(existing, facts);
    if (real !== undefined) return identify(real, missing, facts);
    const parent = dirname(existing);
    if (parent === existing) return { text: path, inode: undefined };
    missing.unshift(basename(existing));
    existing = parent;
  }
}

/** An absolute path in which each ".." is taken after the links before it. */
async function locatePhysically(path: string, facts: PathFacts): Promise<Located> {
  const { root } = parse(path);
  let at = root;
  const parts = path
    .slice(root.length)
    .split(/[\\/]+/)
    .filter((part) => part !== '' && part !== '.');
  for (const part of parts) {
    if (part === '..') at = dirname((await realOrUndefined(at, facts)) ?? at);
    else at = join(at, part);
  }
  return locate(at, facts);
}

async function identify(
  real: string,
  missing: readonly string[],
  facts: PathFacts,
): Promise<Located> {
  const stats = await orUndefined(facts.stat(real));
  const whole = missing.length === 0 ? real : join(real, ...missing);
  const text = (await ignoresCase(real, stats, facts)) ? fold(whole) : whole;
  const linked = missing.length === 0 && stats !== undefined && stats.nlink > 1 && stats.isFile();
  return { text, inode: linked ? `${stats.dev}:${stats.ino}` : undefined };
}

/** Whether the volume takes names of another case for the same: it is asked for this one in the other case. */
async function ignoresCase(
  existing: string,
  stats: Awaited<ReturnType<PathFacts['stat']>> | undefined,
  facts: PathFacts,
): Promise<boolean> {
  const name = basename(existing);
  const swapped = name.toLowerCase() === name ? name.toUpperCase() : name.toLowerCase();
  if (stats === undefined || swapped === name) return facts.caseInsensitiveByDefault;
  const other = await orUndefined(facts.stat(join(dirname(existing), swapped)));
  return other !== undefined && other.ino === stats.ino && other.dev === stats.dev;
}

/** Volumes that ignore case ignore how an accent is composed as well. */
function fold(path: string): string {
  return path.normalize('NFC').toLowerCase();
}

function realOrUndefined(path: string, facts: PathFacts): Promise<string | undefined> {
  return orUndefined(facts.realpath(path));
}

/** What cannot be looked at (missing, forbidden, a loop of links, a NUL in its name) counts as not there. */
async function orUndefined<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch {
    // Nothing is lost: the path is taken as it is written from here on.
    return undefined;
  }
}
