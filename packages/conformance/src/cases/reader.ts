// Walks a YAML document with its positions, and collects every problem instead of stopping at the first.
import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type LineCounter,
  type Node,
  type YAMLMap,
} from 'yaml';
import type { JsonValue } from '@tenon/protocol';

export interface CaseFileProblem {
  readonly line: number;
  readonly column: number;
  /** Such as `cases[2].expect`. */
  readonly at: string;
  readonly message: string;
}

/** A case file that cannot be used: every problem in it, with its line. */
export class CaseFileError extends Error {
  constructor(
    readonly path: string,
    readonly problems: readonly CaseFileProblem[],
  ) {
    super(
      problems
        .map(({ line, column, at, message }) => `${path}:${line}:${column}: ${at}: ${message}`)
        .join('\n'),
    );
    this.name = 'CaseFileError';
  }
}

export interface Reader {
  readonly problems: CaseFileProblem[];
  problem(node: Node | undefined, at: string, message: string): void;
  line(node: Node | undefined): number;
  /** The fields of a mapping. Keys that are not in `known` are problems; undefined for another kind of node. */
  fields(
    node: Node | undefined,
    at: string,
    known: readonly string[] | 'any',
  ): ReadonlyMap<string, Node> | undefined;
  items(node: Node | undefined, at: string): readonly Node[];
  text(node: Node | undefined, at: string): string | undefined;
  truth(node: Node | undefined, at: string): boolean | undefined;
  json(node: Node | undefined, at: string): JsonValue | undefined;
}

export function createReader(document: Document, counter: LineCounter): Reader {
  const problems: CaseFileProblem[] = [];
  const place = (node: Node | undefined): { line: number; column: number } => {
    const { line, col } = counter.linePos(node?.range?.[0] ?? 0);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  const problem: Reader['problem'] = (node, at, message) => {
    problems.push({ ...place(node), at, message });
  };
  const scalar = <T>(
    node: Node | undefined,
    at: string,
    what: string,
    is: (value: unknown) => value is T,
  ): T | undefined => {
    if (node === undefined) return undefined;
    if (isScalar(node) && is(node.value)) return node.value;
    problem(node, at, `must be ${what}`);
    return undefined;
  };
  return {
    problems,
    problem,
    line: (node) => place(node).line,
    fields: (node, at, known) => {
      if (node === undefined) return undefined;
      if (!isMap(node)) {
        problem(node, at, 'must be a mapping');
        return undefined;
      }
      return readPairs(node, at, known, problem);
    },
    items: (node, at) => {
      if (node === undefined) return [];
      if (isSeq(node)) return node.items as Node[];
      problem(node, at, 'must be a list');
      return [];
    },
    text: (node, at) => scalar(node, at, 'a text', (value) => typeof value === 'string'),
    truth: (node, at) => scalar(node, at, 'true or false', (value) => typeof value === 'boolean'),
    json: (node, at) => {
      if (node === undefined) return undefined;
      if (isAlias(node)) {
        problem(node, at, 'aliases are not supported here');
        return undefined;
      }
      return node.toJS(document) as JsonValue;
    },
  };
}

function readPairs(
  map: YAMLMap,
  at: string,
  known: readonly string[] | 'any',
  problem: Reader['problem'],
): ReadonlyMap<string, Node> {
  const fields = new Map<string, Node>();
  for (const { key, value } of map.items) {
    const name = isScalar(key) ? String(key.value) : String(key);
    if (known !== 'any' && !known.includes(name)) {
      problem(key as Node, at, `${name} is not known here; possible are ${known.join(', ')}`);
      continue;
    }
    if (value !== null) fields.set(name, value as Node);
  }
  return fields;
}
