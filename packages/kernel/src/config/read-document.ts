// A configuration file as a tree of values with places, whichever of the two languages it is in.
import { parseJsonExact } from '@tenon/protocol';
import { ConfigError, type ConfigProblem } from './error.js';
import { evaluateDocument } from './hcl/evaluate.js';
import { parseText } from './hcl/parse.js';
import type { ConfigTable } from './value.js';

/** A file larger than this is no configuration. */
const MAX_CHARACTERS = 4_000_000;

/**
 * `.json` files are JSON, all others HCL. Throws ConfigError with every problem of syntax, unknown variable or
 * function.
 */
export async function readDocument(
  text: string,
  file: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<ConfigTable> {
  const start = { file, line: 1, column: 1 };
  if (text.length > MAX_CHARACTERS) {
    const message = `the file has ${text.length} characters; a configuration has ${MAX_CHARACTERS} at the most`;
    throw new ConfigError([{ message, location: start }]);
  }
  if (text.includes('\0')) {
    throw new ConfigError([
      { message: 'the file holds a NUL character, so it is no text', location: start },
    ]);
  }
  const language = file.endsWith('.json') ? 'json' : 'hcl';
  if (language === 'json') checkJsonText(text, file);
  // JSON is the same grammar but for its texts; their places are kept, and their content is read from the source.
  const parsed = language === 'json' ? withPlainTexts(text) : text;
  const { root, problems } = await parseText(parsed, file);
  if (problems.length > 0) throw new ConfigError(problems);
  const found: ConfigProblem[] = [];
  const table = evaluateDocument(root, { file, text, language, env, problems: found });
  if (found.length > 0) throw new ConfigError(withExcerpts(found, text));
  return table;
}

/** The same problems, each with its line of the text. */
function withExcerpts(problems: readonly ConfigProblem[], text: string): ConfigProblem[] {
  const lines = text.split('\n');
  return problems.map((problem) => {
    const excerpt = problem.location && lines[problem.location.line - 1];
    return excerpt === undefined ? problem : { ...problem, excerpt };
  });
}

/**
 * Every character of a JSON text that HCL would take for more than itself is replaced, and numbers that this grammar
 * does not know ("1e3"); nothing moves.
 */
function withPlainTexts(text: string): string {
  return text.replaceAll(/"(?:[^"\\]|\\.)*"|\d+[eE][+-]?\d+/gs, (whole) => {
    if (!whole.startsWith('"')) return '0'.repeat(whole.length);
    const inner = whole.slice(1, -1).replaceAll(/\\./gs, '__').replaceAll(/[$%]/g, '_');
    return `"${inner}"`;
  });
}

function checkJsonText(text: string, file: string): void {
  const read = parseJsonExact(text);
  const location = { file, line: 1, column: 1 };
  if (read.ok) {
    if (typeof read.value === 'object' && read.value !== null && !Array.isArray(read.value)) return;
    throw new ConfigError([{ message: 'a configuration is a JSON object', location }]);
  }
  throw new ConfigError(
    withExcerpts(
      read.violations.map(({ pointer, message }) => {
        const place = /line (\d+),? column (\d+)/.exec(message);
        const at =
          place === null ? location : { file, line: Number(place[1]), column: Number(place[2]) };
        const where = pointer.length > 200 ? `${pointer.slice(0, 200)}…` : pointer;
        return { message: `${where} ${message}`.trim(), location: at };
      }),
      text,
    ),
  );
}
