// Whether a path argument lies where a glob says: as it is written and after links, "..", and in the case of the volume.
// A rule that allows needs all ways of reading the path to fit; one that denies or asks needs one.
import { lstatSync, readlinkSync, realpathSync, type Stats } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join, parse, relative, resolve, sep } from 'node:path';
import picomatch from 'picomatch';
import type { Fit, Side } from './fit.js';
import { fixedPrefix } from './specificity.js';

const MAX_LENGTH = 4_096;
const IGNORES_CASE = process.platform === 'darwin' || process.platform === 'win32';

type Matcher = (path: string) => boolean;

/** A glob compiled; most texts are told apart by its beginning alone. */
export function globMatcher(given: string, nocase = false): Matcher {
  const pattern = given.replace(/^(?:\.\/)+/, '');
  const matches = picomatch(pattern, { dot: true, nocase });
  // "src/**" matches "src" as well.
  const start = nocase ? '' : fixedPrefix(pattern).replace(/\/$/, '');
  return (text) => text.startsWith(start) && matches(text);
}

interface PathGlob {
  readonly absolute: boolean;
  readonly matches: Matcher;
  /** In the case of the volume. */
  readonly matchesAnyCase: Matcher;
}

const globs = new Map<string, PathGlob>();

function pathGlob(pattern: string): PathGlob {
  const known = globs.get(pattern);
  if (known !== undefined) return known;
  const whole = pattern.startsWith('~/') ? join(homedir(), pattern.slice(2)) : pattern;
  const made = {
    absolute: isAbsolute(whole),
    matches: globMatcher(slashes(whole)),
    matchesAnyCase: globMatcher(slashes(whole), IGNORES_CASE),
  };
  globs.set(pattern, made);
  return made;
}

/** Relative patterns are relative to the working directory and never reach outside of it. */
export function fitPath(pattern: string, path: string, ways: Readings, side: Side): Fit {
  if (ways === undefined) {
    const why = (): string => 'the path is none that can be judged';
    return side === 'certain' ? { fits: 'no', why } : { fits: 'maybe', why };
  }
  const glob = pathGlob(pattern);
  const matches = side === 'possible' ? glob.matchesAnyCase : glob.matches;
  const matchesWay = glob.absolute
    ? ({ target }: Reading) => matches(target)
    : ({ below }: Reading) => below !== undefined && matches(below);
  if (side === 'certain' ? ways.every(matchesWay) : ways.some(matchesWay)) return { fits: 'yes' };
  return { fits: 'no', why: () => `${path} does not match ${pattern}` };
}

const slashes = (path: string): string => (sep === '\\' ? path.replaceAll('\\', '/') : path);

/** One way of reading a path. */
interface Reading {
  readonly target: string;
  /** Seen from the working directory, read in the same way; undefined outside of it. */
  readonly below: string | undefined;
}

/** Undefined for a path that cannot be judged. */
export type Readings = readonly Reading[] | undefined;

/** As written; and as the file system has it, with ".." taken before links or after them. */
export function readPath(path: string, workingDirectory: string): Readings {
  if (path.length > MAX_LENGTH || path.includes('\0')) return undefined;
  const lexical = resolve(workingDirectory, path);
  const folder = realOf(workingDirectory);
  const asWritten = isAbsolute(path) ? path : `${workingDirectory}${sep}${path}`;
  const ways = [reading(lexical, resolve(workingDirectory)), reading(realOf(lexical), folder)];
  if (/(?:^|[\\/])\.\.(?:[\\/]|$)/.test(path)) ways.push(reading(physical(asWritten), folder));
  return ways;
}

function reading(target: string, folder: string): Reading {
  const below = relative(folder, target);
  const outside = below === '..' || below.startsWith(`..${sep}`) || isAbsolute(below);
  return {
    target: slashes(target),
    below: outside ? undefined : below === '' ? '.' : slashes(below),
  };
}

const MAX_LINKS = 40;

/** Without links, also those that lead to nothing yet; what does not exist is appended to the nearest folder that does. */
function realOf(path: string, links = 0): string {
  const missing: string[] = [];
  for (let existing = path; ; ) {
    const entry = entryOf(existing);
    if (entry !== undefined)
      return join(
        entry.isSymbolicLink() ? linkTarget(existing, links) : real(existing),
        ...missing,
      );
    const parent = dirname(existing);
    if (parent === existing) return path;
    missing.unshift(basename(existing));
    existing = parent;
  }
}

function entryOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    // It cannot be looked at, as a path through a file: what is above it can.
    return undefined;
  }
}

function real(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    // It has gone since.
    return path;
  }
}

/** Where a link leads; a loop of links leads nowhere. */
function linkTarget(link: string, links: number): string {
  try {
    return realpathSync.native(link);
  } catch {
    // Nothing is there yet; a call may be about to make it.
    if (links >= MAX_LINKS) return link;
    return realOf(resolve(realOf(dirname(link), links + 1), readlinkSync(link)), links + 1);
  }
}

/** Each ".." after the links before it. */
function physical(path: string): string {
  const { root } = parse(path);
  let at = root;
  for (const part of path.slice(root.length).split(/[\\/]+/)) {
    if (part === '' || part === '.') continue;
    at = part === '..' ? dirname(realOf(at)) : join(at, part);
  }
  return realOf(at);
}
