// Which of the paths that ripgrep offers are wanted. Its own --glob would bring back ignored and hidden files
// that happen to match, so the pattern is applied here, to what is left after the ignore rules; ripgrep only
// gets the last part of the pattern, as a file type, so that it opens fewer files.
import { relative } from 'node:path';
import { fail } from '@tenon/provider';
import picomatch from 'picomatch';

export interface PathFilter {
  /** Options for ripgrep that leave out files which `accepts` would refuse anyway. */
  readonly options: readonly string[];
  /** `path` as ripgrep prints it. */
  accepts(path: string): boolean;
}

export interface PathFilterOptions {
  /** A glob on the path below `base`; without a slash, on names at any depth. "!" before it excludes. */
  readonly pattern: string | undefined;
  readonly hidden: boolean;
  /** What ripgrep searches, as it was given to it. */
  readonly base: string;
}

const TYPE = 'tenonwanted';

/** Throws `invalid_arguments` for a pattern that is no glob. */
export function createPathFilter(options: PathFilterOptions): PathFilter {
  const { pattern, hidden, base } = options;
  const matches = pattern === undefined ? () => true : compile(pattern);
  const name = pattern === undefined ? undefined : lastPart(pattern);
  return {
    options: name === undefined ? [] : ['--type-add', `${TYPE}:${name}`, '--type', TYPE],
    accepts(path) {
      // A single file that was named itself is wanted whatever its name.
      const below = relative(base, path).replaceAll('\\', '/');
      if (below === '') return true;
      if (!hidden && below.split('/').some((part) => part.startsWith('.'))) return false;
      return matches(below);
    },
  };
}

function compile(pattern: string): (path: string) => boolean {
  const clean = pattern.replace(/^(!?)(?:\.?\/)+/, '$1');
  if (clean === '' || clean === '!' || pattern.includes('\0')) {
    throw fail.invalidArguments(
      `"${pattern}" is not a glob: name what is wanted, such as "**/*.ts"`,
    );
  }
  try {
    return picomatch(clean, {
      dot: true,
      basename: !clean.includes('/'),
      strictBrackets: true,
    });
  } catch (error) {
    throw fail.invalidArguments(
      `"${pattern}" is not a glob: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

/** The part of a glob that every matching file's name matches; undefined where there is no simple one. */
function lastPart(pattern: string): string | undefined {
  const last = pattern.split('/').at(-1) ?? '';
  const simple = /^[\w.*?-]+$/.test(last) && !last.includes('**');
  return simple && !pattern.startsWith('!') && !pattern.includes('{') ? last : undefined;
}
