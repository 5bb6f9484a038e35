// HCL text to a syntax tree, by tree-sitter; loaded at the first use, as most programs start without it.
import { createRequire } from 'node:module';
import type { Node, Parser as TreeSitterParser } from 'web-tree-sitter';
import { ConfigError, type ConfigProblem } from '../error.js';
import type { SourceLocation } from '../model.js';

export type { Node } from 'web-tree-sitter';

let loading: Promise<TreeSitterParser> | undefined;

async function load(): Promise<TreeSitterParser> {
  const { Language, Parser } = await import('web-tree-sitter');
  await Parser.init();
  const grammar = '@tree-sitter-grammars/tree-sitter-hcl/tree-sitter-hcl.wasm';
  const language = await Language.load(createRequire(import.meta.url).resolve(grammar));
  return new Parser().setLanguage(language);
}

export interface ParsedText {
  readonly root: Node;
  readonly problems: readonly ConfigProblem[];
}

/** Parses all of a text; `problems` has every syntax error. Throws ConfigError when it is nested too deep. */
export async function parseText(text: string, file: string): Promise<ParsedText> {
  loading ??= load();
  const parser = await loading;
  const tree = parser.parse(text);
  if (tree === null) throw new Error(`${file} could not be parsed`);
  const problems: ConfigProblem[] = [];
  collect(tree.rootNode, file, text.split('\n'), problems);
  if (problems.length === 0) checkDepth(tree.rootNode, file);
  return { root: tree.rootNode, problems };
}

/** The place of a node, counted from 1. */
export function locationOf(node: Node, file: string): SourceLocation {
  const { row, column } = node.startPosition;
  return { file, line: row + 1, column: column + 1 };
}

/** With its own stack: a text can be nested deeper than functions can call each other. */
function collect(
  root: Node,
  file: string,
  lines: readonly string[],
  problems: ConfigProblem[],
): void {
  const left: Node[] = [root];
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    if (!node.hasError && !node.isMissing) continue;
    if (node.isMissing || node.isError) {
      const location = locationOf(opening(node) ?? node, file);
      const excerpt = lines[location.line - 1] ?? '';
      const message = node.isMissing ? `${nameOf(node)} is missing` : unexpected(node);
      problems.push({ message, location, excerpt });
      continue;
    }
    for (const child of node.children.toReversed()) if (child !== null) left.push(child);
  }
}

/** A text without its end is missed at the end of the file; what helps is where it begins. */
function opening(node: Node): Node | undefined {
  if (!node.isMissing || !['quoted_template_end', 'heredoc_identifier'].includes(node.type)) {
    return undefined;
  }
  return node.parent ?? undefined;
}

/** Levels of the syntax tree; a list in a list is three of them. */
const MAX_DEPTH = 500;

/** What reads the tree calls itself for each level; a tree that is too deep for that is no configuration. */
function checkDepth(root: Node, file: string): void {
  const cursor = root.walk();
  try {
    for (;;) {
      if (cursor.currentDepth > MAX_DEPTH) {
        const location = locationOf(cursor.currentNode, file);
        throw new ConfigError([{ message: 'this is nested too deep', location }]);
      }
      if (cursor.gotoFirstChild()) continue;
      while (!cursor.gotoNextSibling()) if (!cursor.gotoParent()) return;
    }
  } finally {
    cursor.delete();
  }
}

function nameOf(node: Node): string {
  const names: Readonly<Record<string, string>> = {
    block_end: 'the closing "}" of a block',
    object_end: 'the closing "}" of an object',
    tuple_end: 'the closing "]" of a list',
    quoted_template_end: 'the closing quote of a text',
    heredoc_identifier: 'the end of a heredoc',
    identifier: 'a name',
  };
  return names[node.type] ?? `"${node.type}"`;
}

function unexpected(node: Node): string {
  const start = node.text.trim().split('\n', 1)[0]?.slice(0, 40).trim() ?? '';
  if (/^=(?!=)/.test(start)) {
    return `"${start}": after "=" a value is expected: a text in quotes, a number, true, false, null, a list or an object`;
  }
  const open = node.children.find((child) =>
    ['tuple_start', 'object_start', 'block_start', 'quoted_template_start'].includes(
      child?.type ?? '',
    ),
  );
  if (open !== undefined && open !== null) {
    const what =
      open.type === 'tuple_start' ? '"["' : open.type === 'quoted_template_start' ? 'quote' : '"{"';
    return `the ${what} of line ${open.startPosition.row + 1} is never closed, or what follows it is no expression: "${start}"`;
  }
  return `"${start}" cannot stand here: expected NAME = VALUE, or a block such as provider "name" { … }`;
}
