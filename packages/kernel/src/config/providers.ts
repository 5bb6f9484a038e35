// The provider blocks of a configuration.
import { isAbsolute, resolve } from 'node:path';
import type { JsonObject } from '@tenon/protocol';
import type { ConfigProblem } from './error.js';
import type { ProviderConfig, SourceLocation } from './model.js';
import { readTable, type TableReader } from './reader.js';
import { type ConfigTable, locationsOf, plainOf } from './value.js';

/** A provider's name is the first half of every operation's name. */
const NAME = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;

export interface ProvidersOptions {
  /** What relative paths of commands are relative to. */
  readonly folder: string;
  readonly problems: ConfigProblem[];
}

/** All providers, in order; `overrides` are dev_overrides: local commands instead of the configured ones. */
export function readProviders(
  table: ConfigTable | undefined,
  overrides: ConfigTable | undefined,
  options: ProvidersOptions,
): ProviderConfig[] {
  const local = readOverrides(overrides, options);
  const providers: ProviderConfig[] = [];
  for (const [name, entry] of table?.entries ?? []) {
    const at = entry.location;
    if (entry.value.type !== 'table') {
      options.problems.push({
        message: `provider "${name}" must be a block: provider "NAME" { … }`,
        location: at,
      });
      continue;
    }
    if (!NAME.test(name) || name.includes('__')) {
      const message = `provider "${name}": a name begins with a letter and has letters, digits, "-" and single "_", up to 64`;
      options.problems.push({ message, location: at });
    }
    const provider = readProvider(name, entry.value, local.get(name), options);
    if (provider !== undefined) providers.push(provider);
    local.delete(name);
  }
  for (const [name, { location }] of local) {
    const message = `dev_overrides: there is no provider "${name}" to override`;
    options.problems.push({ message, location });
  }
  return providers;
}

interface Command {
  readonly words: readonly string[];
  readonly location: SourceLocation;
}

function readOverrides(
  table: ConfigTable | undefined,
  options: ProvidersOptions,
): Map<string, Command> {
  const found = new Map<string, Command>();
  if (table === undefined) return found;
  const reader = readTable(table, 'dev_overrides', options.problems);
  for (const [name, entry] of table.entries) {
    const words = commandWords(reader, name);
    if (words !== undefined) found.set(name, { words, location: entry.location });
  }
  return found;
}

/** A program, or a list of a program and its arguments. */
function commandWords(reader: TableReader, key: string): readonly string[] | undefined {
  const value = reader.value(key);
  if (value === undefined) return undefined;
  const words = value.type === 'list' ? reader.strings(key) : [reader.string(key) ?? ''];
  if (words === undefined || words[0] === undefined || words[0].trim() === '') {
    reader.problem(`${key} must name a program: "node", or ["node", "provider.js"]`, key);
    return undefined;
  }
  if (words.some((word) => word.includes('\0'))) {
    reader.problem(`${key} holds a NUL character`, key);
    return undefined;
  }
  return words;
}

function readProvider(
  name: string,
  table: ConfigTable,
  override: Command | undefined,
  options: ProvidersOptions,
): ProviderConfig | undefined {
  const reader = readTable(table, `provider "${name}"`, options.problems);
  const given = commandWords(reader, 'command');
  const args = reader.strings('args') ?? [];
  const cwd = reader.string('cwd');
  const env = reader.stringMap('env') ?? {};
  const envAllow = reader.strings('env_allow') ?? [];
  const tls = reader.oneOf('tls', ['mutual', 'off']) ?? 'mutual';
  const startTimeoutMs = reader.duration('start_timeout');
  const timeoutsMs = timeoutsOf(reader.block('timeouts'), name, options.problems);
  const dev = reader.boolean('dev') ?? false;
  const source = reader.string('source');
  const version = reader.string('version');
  const settings = reader.block('config');
  const words = override?.words ?? given;
  if (words === undefined && !table.entries.has('command')) {
    reader.problem(
      'command is missing: name the program, such as command = ["node", "provider.js"]',
    );
  }
  reader.finish();
  if (words === undefined) return undefined;
  const [program = '', ...first] = words;
  return {
    name,
    launch: {
      type: 'command',
      command: isPath(program) ? resolve(options.folder, program) : program,
      args: [...first, ...args].map((word) => fileWord(word, options.folder)),
      ...(cwd === undefined ? {} : { cwd: resolve(options.folder, cwd) }),
      env,
      envAllow,
      tls,
      ...(startTimeoutMs === undefined ? {} : { startTimeoutMs }),
    },
    dev: dev || override !== undefined,
    ...(source === undefined ? {} : { source }),
    ...(version === undefined ? {} : { version }),
    settings: settings === undefined ? {} : (plainOf(settings) as JsonObject),
    locations: locationsOf(settings ?? table),
    timeoutsMs,
  };
}

const isPath = (word: string): boolean => isAbsolute(word) || /^\.{1,2}[\\/]|[\\/]/.test(word);

/** "./provider.js" is a file beside the configuration; any other argument stays as it is. */
const fileWord = (word: string, folder: string): string =>
  /^\.{1,2}[\\/]/.test(word) ? resolve(folder, word) : word;

function timeoutsOf(
  table: ConfigTable | undefined,
  name: string,
  problems: ConfigProblem[],
): Readonly<Record<string, number>> {
  if (table === undefined) return {};
  const reader = readTable(table, `provider "${name}": timeouts`, problems);
  return Object.fromEntries(
    [...table.entries.keys()].flatMap((operation) => {
      const ms = reader.duration(operation);
      return ms === undefined ? [] : [[operation, ms]];
    }),
  );
}
