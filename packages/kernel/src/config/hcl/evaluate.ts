// From the syntax tree to values: literals, lists, objects, templates, env(), path.*. Nothing else is a
// language feature here, and what is not known is a problem with its place.
import { homedir } from 'node:os';
import { dirname } from 'node:path';
import { parseJsonExact } from '@tenon/protocol';
import type { ConfigProblem } from '../error.js';
import type { SourceLocation } from '../model.js';
import type { ConfigEntry, ConfigTable, ConfigValue } from '../value.js';
import { locationOf, type Node } from './parse.js';

export interface EvaluateOptions {
  readonly file: string;
  readonly text: string;
  /** Texts of JSON are literal; those of HCL are templates. */
  readonly language: 'hcl' | 'json';
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly problems: ConfigProblem[];
}

/** The document as one table; a block becomes a table under its type and labels. */
export function evaluateDocument(root: Node, options: EvaluateOptions): ConfigTable {
  const top = root.namedChildren.find(
    (child) => child?.type === 'body' || child?.type === 'object',
  );
  const location = locationOf(root, options.file);
  if (top === undefined || top === null) return { type: 'table', entries: new Map(), location };
  return top.type === 'body' ? body(top, options, location) : object(top, options);
}

function problem(node: Node, message: string, options: EvaluateOptions): void {
  const location = locationOf(node, options.file);
  options.problems.push({ message, location });
}

const named = (node: Node): Node[] => node.namedChildren.filter((child) => child !== null);

interface Building {
  readonly entries: Map<string, ConfigEntry>;
  readonly location: SourceLocation;
}

function body(node: Node, options: EvaluateOptions, location: SourceLocation): ConfigTable {
  const building: Building = { entries: new Map(), location };
  for (const child of named(node)) {
    if (child.type === 'attribute') attribute(child, building.entries, options);
    else if (child.type === 'block') block(child, building, options);
  }
  return { type: 'table', ...building };
}

function attribute(node: Node, entries: Map<string, ConfigEntry>, options: EvaluateOptions): void {
  const [name, value] = named(node);
  if (name === undefined || value === undefined) return;
  set(name, name.text, evaluate(value, options), entries, options);
}

function set(
  at: Node,
  key: string,
  value: ConfigValue,
  entries: Map<string, ConfigEntry>,
  options: EvaluateOptions,
): void {
  const first = entries.get(key);
  if (first !== undefined) {
    problem(at, `${key} is set twice; first on line ${first.location.line}`, options);
    return;
  }
  entries.set(key, { location: locationOf(at, options.file), value });
}

/** provider "name" { … } adds the table "name" to the table "provider". */
function block(node: Node, building: Building, options: EvaluateOptions): void {
  const parts = named(node);
  const labels = parts.filter((part) => part.type === 'identifier' || part.type === 'string_lit');
  const inner = parts.find((part) => part.type === 'body');
  const location = locationOf(node, options.file);
  const table: ConfigTable =
    inner === undefined
      ? { type: 'table', entries: new Map(), location }
      : body(inner, options, location);
  let entries = building.entries;
  for (const [index, label] of labels.entries()) {
    const key = label.type === 'identifier' ? label.text : textOf(label, options);
    if (index === labels.length - 1) {
      set(label, key, table, entries, options);
      return;
    }
    const above = entries.get(key);
    if (above === undefined) {
      const made: ConfigTable = { type: 'table', entries: new Map(), location };
      entries.set(key, { location, value: made });
      entries = made.entries as Map<string, ConfigEntry>;
    } else if (above.value.type === 'table') {
      entries = above.value.entries as Map<string, ConfigEntry>;
    } else {
      problem(label, `${key} is a value on line ${above.location.line}, and a block here`, options);
      return;
    }
  }
}

function evaluate(node: Node, options: EvaluateOptions): ConfigValue {
  const location = locationOf(node, options.file);
  const scalar = (value: string | number | boolean | null): ConfigValue => ({
    type: 'scalar',
    value,
    location,
  });
  switch (node.type) {
    case 'expression':
      return expression(node, options);
    case 'literal_value':
    case 'template_expr':
    case 'collection_value': {
      const [only] = named(node);
      return only === undefined ? scalar(null) : evaluate(only, options);
    }
    case 'string_lit':
    case 'quoted_template':
      return scalar(textOf(node, options));
    case 'heredoc_template':
      return scalar(heredoc(node, options));
    case 'numeric_lit':
      return scalar(numberOf(node, sourceOf(node, options), options));
    case 'bool_lit':
      return scalar(node.text === 'true');
    case 'null_lit':
      return scalar(null);
    case 'tuple':
      return {
        type: 'list',
        items: named(node)
          .filter((child) => child.type === 'expression')
          .map((child) => evaluate(child, options)),
        location,
      };
    case 'object':
      return object(node, options);
    case 'function_call':
      return scalar(callOf(node, options));
    case 'operation':
      return scalar(operation(node, options));
    default:
      problem(node, `"${node.text.slice(0, 40)}" is not understood here: write a value`, options);
      return scalar(null);
  }
}

/** An expression is one node, or a variable with its attributes. */
function expression(node: Node, options: EvaluateOptions): ConfigValue {
  const parts = named(node);
  const [first] = parts;
  const location = locationOf(node, options.file);
  if (first === undefined) return { type: 'scalar', value: null, location };
  if (first.type === 'variable_expr') {
    return { type: 'scalar', value: variable(node, options), location };
  }
  if (parts.length > 1) {
    problem(node, `"${node.text.slice(0, 40)}" is not understood: only plain values are`, options);
  }
  return evaluate(first, options);
}

function variable(node: Node, options: EvaluateOptions): string | null {
  switch (node.text) {
    case 'path.module':
      return dirname(options.file);
    case 'path.cwd':
      return process.cwd();
    case 'path.home':
      return homedir();
    default:
      problem(
        node,
        `${node.text.slice(0, 40)} is not known; put a text in quotes, or use path.module, path.cwd, path.home or env("NAME")`,
        options,
      );
      return null;
  }
}

function callOf(node: Node, options: EvaluateOptions): string | null {
  const [name, list] = named(node);
  const args = (list === undefined ? [] : named(list)).map((one) => evaluate(one, options));
  if (name?.text !== 'env') {
    problem(node, `${name?.text ?? 'it'}() is not known; env("NAME", "default") is`, options);
    return null;
  }
  const texts = args.map((one) => (one.type === 'scalar' ? one.value : undefined));
  const [variableName, fallback] = texts;
  if (
    typeof variableName !== 'string' ||
    texts.length > 2 ||
    (texts.length === 2 && typeof fallback !== 'string')
  ) {
    problem(node, 'env takes a name and, if wanted, a default: env("NAME", "default")', options);
    return null;
  }
  const value = options.env[variableName] ?? (typeof fallback === 'string' ? fallback : undefined);
  if (value === undefined) {
    problem(
      node,
      `the environment has no ${variableName}; set it, or give a default: env("${variableName}", "…")`,
      options,
    );
    return null;
  }
  return value;
}

function operation(node: Node, options: EvaluateOptions): number | null {
  const match = /^-\s*([\d.eE+-]+)$/.exec(sourceOf(node, options));
  if (match?.[1] !== undefined) return numberOf(node, `-${match[1]}`, options);
  problem(
    node,
    `"${node.text.slice(0, 40)}": nothing is calculated here; write the value`,
    options,
  );
  return null;
}

/** As it is written; in JSON the tree holds a stand-in of the same length. */
const sourceOf = (node: Node, { text }: EvaluateOptions): string =>
  text.slice(node.startIndex, node.endIndex);

function numberOf(node: Node, text: string, options: EvaluateOptions): number | null {
  const read = parseJsonExact(text);
  if (read.ok && typeof read.value === 'number') return read.value;
  const why = read.ok ? 'it is no number' : read.violations[0]?.message;
  problem(node, `${text}: ${why}`, options);
  return null;
}

function object(node: Node, options: EvaluateOptions): ConfigTable {
  const entries = new Map<string, ConfigEntry>();
  for (const element of named(node)) {
    if (element.type !== 'object_elem') continue;
    const [key, value] = named(element);
    if (key === undefined || value === undefined) continue;
    const name = keyOf(key, options);
    set(key, name, evaluate(value, options), entries, options);
  }
  return { type: 'table', entries, location: locationOf(node, options.file) };
}

function keyOf(node: Node, options: EvaluateOptions): string {
  // A bare word is a name here, not a variable.
  if (/^[\w-]+$/.test(node.text)) return node.text;
  const value = evaluate(node, options);
  return value.type === 'scalar' ? String(value.value) : node.text;
}

/** The text of a quoted string; in HCL its escapes and templates are resolved. */
function textOf(node: Node, options: EvaluateOptions): string {
  if (options.language === 'json') {
    return JSON.parse(options.text.slice(node.startIndex, node.endIndex)) as string;
  }
  const start = node.startIndex + 1;
  return template(node, start, node.endIndex - 1, options, (raw, at) => {
    if (raw.includes('\n')) {
      problem(
        at,
        'this text goes on in the next line: is its closing quote missing? Several lines are written <<EOT … EOT',
        options,
      );
    }
    return unescape(raw, at, options);
  });
}

/** Between `start` and `end`: literal text, taken from the source itself, and what stands in ${…}. */
function template(
  node: Node,
  start: number,
  end: number,
  options: EvaluateOptions,
  literal: (raw: string, at: Node) => string,
): string {
  let result = '';
  let from = start;
  for (const part of named(node)) {
    if (part.type === 'template_directive') {
      problem(part, '%{…} is not understood here', options);
      continue;
    }
    if (part.type !== 'template_interpolation') continue;
    result += literal(options.text.slice(from, part.startIndex), node);
    from = part.endIndex;
    const inner = named(part).find((child) => child.type === 'expression');
    const problemsBefore = options.problems.length;
    const value = inner === undefined ? undefined : evaluate(inner, options);
    if (value?.type === 'scalar' && value.value !== null) result += String(value.value);
    else if (options.problems.length === problemsBefore) {
      problem(part, 'a text can only hold texts, numbers, true and false', options);
    }
  }
  return result + literal(options.text.slice(from, end), node);
}

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  '"': '"',
  '\\': '\\',
};

function unescape(raw: string, at: Node, options: EvaluateOptions): string {
  return raw.replaceAll(
    /\$\$\{|%%\{|\\(u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|.)/gs,
    (whole, code: string | undefined) => {
      if (code === undefined) return whole.slice(1);
      if (code.length > 1) {
        const point = Number.parseInt(code.slice(1), 16);
        if (point <= 0x10ffff) return String.fromCodePoint(point);
        problem(at, `\\${code} is no character: the last one is \\U0010FFFF`, options);
        return whole;
      }
      const known = ESCAPES[code];
      if (known !== undefined) return known;
      problem(at, `\\${code} is not an escape: \\n, \\r, \\t, \\", \\\\, \\uNNNN are`, options);
      return whole;
    },
  );
}

function heredoc(node: Node, options: EvaluateOptions): string {
  const flush = node.text.startsWith('<<-');
  const first = options.text.indexOf('\n', node.startIndex) + 1;
  const last = options.text.lastIndexOf('\n', node.endIndex - 1) + 1;
  const text = template(node, first, Math.max(first, last), options, (raw) =>
    raw.replaceAll('$${', '${').replaceAll('%%{', '%{'),
  );
  if (!flush) return text;
  const lines = text.split('\n');
  const indents = lines
    .filter((line) => line.trim() !== '')
    .map((line) => /^[ \t]*/.exec(line)?.[0].length ?? 0);
  const least = Math.min(...indents, Number.MAX_SAFE_INTEGER);
  // A line of nothing but blanks is neither counted nor cut.
  return lines.map((line) => (line.trim() === '' ? line : line.slice(least))).join('\n');
}
