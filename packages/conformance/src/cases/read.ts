// Reads a case file, YAML or JSON (which is YAML). The format is documented in docs/guide/conformance.md and,
// for editors, in case-file.schema.json.
import { readFileSync } from 'node:fs';
import { isAbsolute, normalize } from 'node:path';
import { type JsonObject, type JsonValue, PROVIDER_CATEGORIES, requirement } from '@tenon/protocol';
import { isMap, LineCounter, type Node, parseDocument } from 'yaml';
import type {
  CaseFile,
  Expectation,
  Fixture,
  OtherCall,
  ProviderCase,
  RenderCase,
} from './model.js';
import { CaseFileError, createReader, type Reader } from './reader.js';

const TOP = [
  '$schema',
  'version',
  'config',
  'run_resources',
  'process_backed',
  'fixtures',
  'cases',
  'render',
  'not_applicable',
] as const;
const CASE = [
  'name',
  'operation',
  'arguments',
  'expect',
  'config',
  'exit_status',
  'boundary',
  'relative_path',
  'long_running',
  'reports',
  'while_running',
] as const;

/** @throws CaseFileError with every problem; the file system's error when it cannot be read. */
export function readCaseFile(path: string): CaseFile {
  return parseCases(readFileSync(path, 'utf8'), path);
}

/** @throws CaseFileError */
export function parseCases(text: string, path: string): CaseFile {
  const counter = new LineCounter();
  const document = parseDocument(text, { lineCounter: counter, prettyErrors: false });
  if (document.errors.length > 0) {
    throw new CaseFileError(
      path,
      document.errors.map((error) => {
        const { line, col } = counter.linePos(error.pos[0]);
        return { line, column: col, at: 'YAML', message: error.message };
      }),
    );
  }
  const reader = createReader(document, counter);
  const root = (document.contents ?? undefined) as Node | undefined;
  const top = reader.fields(root, 'case file', TOP) ?? new Map<string, Node>();
  const version = reader.json(top.get('version'), 'version');
  if (version !== 1) reader.problem(top.get('version') ?? root, 'version', 'must be 1');
  const file: CaseFile = {
    path,
    config: object(reader, top.get('config'), 'config'),
    runResources: reader.truth(top.get('run_resources'), 'run_resources') ?? false,
    fixtures: readFixtures(reader, top.get('fixtures')),
    processBacked: new Set(texts(reader, top.get('process_backed'), 'process_backed')),
    cases: reader
      .items(top.get('cases'), 'cases')
      .flatMap((node, index) => readCase(reader, node, `cases[${index}]`) ?? []),
    render: reader
      .items(top.get('render'), 'render')
      .flatMap((node, index) => readRender(reader, node, `render[${index}]`) ?? []),
    notApplicable: readReasons(reader, top.get('not_applicable')),
  };
  if (reader.problems.length > 0) {
    const inOrder = reader.problems.sort((a, b) => a.line - b.line || a.column - b.column);
    throw new CaseFileError(path, inOrder);
  }
  return file;
}

function object(reader: Reader, node: Node | undefined, at: string): JsonObject {
  if (node === undefined) return {};
  if (!isMap(node)) {
    reader.problem(node, at, 'must be a mapping');
    return {};
  }
  return (reader.json(node, at) ?? {}) as JsonObject;
}

function texts(reader: Reader, node: Node | undefined, at: string): string[] {
  return reader
    .items(node, at)
    .flatMap((item, index) => reader.text(item, `${at}[${index}]`) ?? []);
}

function required(
  reader: Reader,
  map: ReadonlyMap<string, Node>,
  of: Node,
  name: string,
  at: string,
) {
  const found = reader.text(map.get(name), `${at}.${name}`);
  if (!map.has(name)) reader.problem(of, at, `${name} is missing`);
  return found ?? '';
}

function readCase(reader: Reader, node: Node, at: string): ProviderCase | undefined {
  const map = reader.fields(node, at, CASE);
  if (map === undefined) return undefined;
  const operation = required(reader, map, node, 'operation', at);
  const flag = (name: string): boolean => reader.truth(map.get(name), `${at}.${name}`) ?? false;
  const running = map.get('while_running');
  const longRunning = flag('long_running');
  const config = map.get('config');
  return {
    name: reader.text(map.get('name'), `${at}.name`) ?? `${operation} (line ${reader.line(node)})`,
    operation,
    arguments: object(reader, map.get('arguments'), `${at}.arguments`),
    expect: readExpectation(reader, map.get('expect'), `${at}.expect`),
    ...(config === undefined ? {} : { config: object(reader, config, `${at}.config`) }),
    exitStatus: flag('exit_status'),
    boundary: flag('boundary'),
    relativePath: flag('relative_path'),
    longRunning,
    reports: flag('reports'),
    ...(running === undefined
      ? {}
      : { whileRunning: readOtherCall(reader, running, `${at}.while_running`) }),
    line: reader.line(node),
  };
}

function readOtherCall(reader: Reader, node: Node, at: string): OtherCall {
  const map = reader.fields(node, at, ['operation', 'arguments']) ?? new Map<string, Node>();
  return {
    operation: required(reader, map, node, 'operation', at),
    arguments: object(reader, map.get('arguments'), `${at}.arguments`),
  };
}

function readExpectation(reader: Reader, node: Node | undefined, at: string): Expectation {
  if (node === undefined) return { type: 'result' };
  if (!isMap(node)) {
    const word = reader.text(node, at);
    if (word !== undefined && word !== 'result') {
      reader.problem(node, at, 'must be "result", or a mapping such as { error: not_found }');
    }
    return { type: 'result' };
  }
  const map = reader.fields(node, at, ['error', 'payload', 'stdout', 'stderr']);
  const error = map?.get('error');
  if (error !== undefined) {
    const category = reader.text(error, `${at}.error`);
    const known = PROVIDER_CATEGORIES.find((one) => one === category);
    if (known === undefined) {
      reader.problem(error, `${at}.error`, `must be one of ${PROVIDER_CATEGORIES.join(', ')}`);
    }
    if ((map?.size ?? 0) > 1) reader.problem(node, at, 'error stands alone');
    return { type: 'error', category: known ?? 'unknown' };
  }
  const payload = map?.get('payload');
  const stdout = reader.text(map?.get('stdout'), `${at}.stdout`);
  const stderr = reader.text(map?.get('stderr'), `${at}.stderr`);
  return {
    type: 'result',
    ...(payload === undefined ? {} : { payload: object(reader, payload, `${at}.payload`) }),
    ...(stdout === undefined ? {} : { stdout }),
    ...(stderr === undefined ? {} : { stderr }),
  };
}

function readRender(reader: Reader, node: Node, at: string): RenderCase | undefined {
  const map = reader.fields(node, at, ['name', 'payload', 'schema_version', 'expect', 'older']);
  if (map === undefined) return undefined;
  const value: JsonValue = reader.json(map.get('payload'), `${at}.payload`) ?? '';
  const expect = reader.text(map.get('expect'), `${at}.expect`) ?? 'tree';
  if (expect !== 'tree' && expect !== 'error') {
    reader.problem(map.get('expect'), `${at}.expect`, 'must be tree or error');
  }
  const schemaVersion = required(reader, map, node, 'schema_version', at);
  return {
    name: reader.text(map.get('name'), `${at}.name`) ?? `schema version ${schemaVersion}`,
    // A text is taken as it is; anything else is its JSON.
    payload: Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)),
    schemaVersion,
    expect: expect === 'error' ? 'error' : 'tree',
    older: reader.truth(map.get('older'), `${at}.older`) ?? false,
  };
}

function readFixtures(reader: Reader, node: Node | undefined): Fixture[] {
  const map = reader.fields(node, 'fixtures', 'any');
  return [...(map ?? [])].flatMap(([path, entry]) => {
    const at = `fixtures.${path}`;
    const clean = normalize(path);
    if (isAbsolute(clean) || clean.split('/').includes('..')) {
      reader.problem(entry, at, 'must be a relative path inside of the working directory');
    }
    return readFixture(reader, clean, entry, at);
  });
}

function readFixture(reader: Reader, path: string, node: Node, at: string): Fixture[] {
  if (!isMap(node)) {
    const content = reader.text(node, at);
    return content === undefined ? [] : [{ path, kind: 'file', content: Buffer.from(content) }];
  }
  const map = reader.fields(node, at, ['content', 'base64', 'mode', 'link', 'folder']) ?? new Map();
  const link = reader.text(map.get('link'), `${at}.link`);
  if (link !== undefined) return [{ path, kind: 'link', to: link }];
  const mode = readMode(reader, map.get('mode'), `${at}.mode`);
  if (reader.truth(map.get('folder'), `${at}.folder`) === true) {
    return [{ path, kind: 'folder', ...mode }];
  }
  const base64 = reader.text(map.get('base64'), `${at}.base64`);
  const content =
    base64 === undefined
      ? Buffer.from(reader.text(map.get('content'), `${at}.content`) ?? '')
      : Buffer.from(base64, 'base64');
  return [{ path, kind: 'file', content, ...mode }];
}

function readMode(reader: Reader, node: Node | undefined, at: string): { mode?: number } {
  if (node === undefined) return {};
  const text = reader.text(node, at);
  if (text === undefined || !/^[0-7]{3,4}$/.test(text)) {
    reader.problem(node, at, 'must be a quoted octal mode such as "0400"');
    return {};
  }
  return { mode: Number.parseInt(text, 8) };
}

function readReasons(reader: Reader, node: Node | undefined): ReadonlyMap<string, string> {
  const reasons = new Map<string, string>();
  for (const [id, entry] of reader.fields(node, 'not_applicable', 'any') ?? []) {
    const at = `not_applicable.${id}`;
    if (!id.includes('.') && requirement(id) === undefined) {
      reader.problem(entry, at, `${id} is neither a requirement nor a check (see --list)`);
    }
    const reason = reader.text(entry, at);
    if (reason !== undefined && reason.trim() === '') {
      reader.problem(entry, at, 'the reason is empty; say why it does not apply');
    }
    if (reason !== undefined) reasons.set(id, reason);
  }
  return reasons;
}
