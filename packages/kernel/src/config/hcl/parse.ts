// HCL text to a syntax tree, by tree-sitter; loaded at the first use, as most programs start without it.
import { createRequire } from 'node:module';
import type { Node, Parser as TreeSitterParser } from 'web-tree-sitter';
import type { ConfigProblem } from '../error.js';
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

/** Parses all of a text; `problems` has every syntax error. */
export async function parseText(text: string, file: string): Promise<ParsedText> {
  loading ??= load();
  const parser = await loading;
  const tree = parser.parse(text);
  if (tree === null) throw new Error(`${file} could not be parsed`);
  const problems: ConfigProblem[] = [];
  collect(tree.rootNode, file, text.split('\n'), problems);
  return { root: tree.rootNode, problems };
}

/** The place of a node, counted from 1. */
export function locationOf(node: Node, file: string): SourceLocation {
  const { row, column } = node.startPosition;
  return { file, line: row + 1, column: column + 1 };
}

function collect(
  node: Node,
  file: string,
  lines: readonly string[],
  problems: ConfigProblem[],
): void {
  if (!node.hasError && !node.isMissing) return;
  if (node.isMissing || node.isError) {
    const location = locationOf(node, file);
    const excerpt = lines[location.line - 1] ?? '';
    const message = node.isMissing ? `${nameOf(node)} is missing` : unexpected(node);
    problems.push({ message, location, excerpt });
    return;
  }
  for (const child of node.children) if (child !== null) collect(child, file, lines, problems);
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
  const start = node.text.trim().split('\n', 1)[0]?.slice(0, 40) ?? '';
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
