// The policy and hook blocks of a configuration.
import { HOOK_POINTS } from '@tenon/protocol';
import type { ArgumentPattern, PolicyMatch, PolicyRule } from '../policy/model.js';
import type { ConfigProblem } from './error.js';
import type { HookSubscription } from './model.js';
import { readTable } from './reader.js';
import type { ConfigTable, ConfigValue } from './value.js';

/** policy "name" { match = {…} action = "…" reason = "…" } */
export function readPolicies(
  table: ConfigTable | undefined,
  problems: ConfigProblem[],
): PolicyRule[] {
  return [...(table?.entries ?? [])].flatMap(([name, entry]) => {
    const what = `policy "${name}"`;
    if (entry.value.type !== 'table') {
      problems.push({
        message: `${what} must be a block: policy "NAME" { … }`,
        location: entry.location,
      });
      return [];
    }
    const reader = readTable(entry.value, what, problems);
    const given = reader.block('match');
    const match = given === undefined ? {} : readMatch(given, what, problems);
    const action = reader.oneOf('action', ['allow', 'ask', 'deny']);
    const reason = reader.string('reason');
    if (!entry.value.entries.has('action')) {
      reader.problem('action is missing: "allow", "ask" or "deny"');
    }
    reader.finish();
    if (action === undefined) return [];
    const rule: PolicyRule = {
      name,
      match,
      action,
      ...(reason === undefined ? {} : { reason }),
      location: entry.location,
    };
    return [rule];
  });
}

function readMatch(table: ConfigTable, what: string, problems: ConfigProblem[]): PolicyMatch {
  const reader = readTable(table, `${what}: match`, problems);
  const toolName = reader.string('tool_name');
  const provider = reader.string('provider');
  const risk = reader.oneOf('risk', ['read_only', 'low', 'moderate', 'high', 'critical']);
  const kind = reader.oneOf('kind', ['resource', 'data_source', 'interactive']);
  const args = reader.block('args');
  reader.finish();
  const dot = toolName?.indexOf('.') ?? -1;
  if (provider !== undefined && dot >= 0 && toolName?.slice(0, dot) !== provider) {
    reader.problem(
      `tool_name ${toolName} is of another provider than ${provider}, so it never matches`,
    );
  }
  return {
    ...(toolName === undefined ? {} : { toolName }),
    ...(provider === undefined ? {} : { provider }),
    ...(risk === undefined ? {} : { risk }),
    ...(kind === undefined ? {} : { kind }),
    ...(args === undefined ? {} : { args: readPatterns(args, what, problems) }),
  };
}

function readPatterns(
  table: ConfigTable,
  what: string,
  problems: ConfigProblem[],
): Readonly<Record<string, ArgumentPattern>> {
  return Object.fromEntries(
    [...table.entries].flatMap(([name, { value, location }]) => {
      const pattern = patternOf(value, `${what}: args.${name}`, problems);
      if (pattern !== undefined) return [[name, pattern]];
      if (value.type !== 'table') {
        const message = `${what}: args.${name} must be a glob such as "src/**", or { prefix = "git status" }`;
        problems.push({ message, location });
      }
      return [];
    }),
  );
}

function patternOf(
  value: ConfigValue,
  what: string,
  problems: ConfigProblem[],
): ArgumentPattern | undefined {
  if (value.type === 'scalar' && typeof value.value === 'string' && value.value !== '') {
    return { type: 'glob', pattern: value.value };
  }
  if (value.type !== 'table') return undefined;
  const reader = readTable(value, what, problems);
  const prefix = reader.string('prefix');
  reader.finish();
  const words = prefix?.trim().split(/\s+/) ?? [];
  if (words.length > 0 && words[0] !== '') return { type: 'command_prefix', words };
  reader.problem('prefix is missing: the first words of the command, such as "git status"');
  return undefined;
}

/** hook "name" { point = "…" mode = "…" provider = "…" timeout = "…" } */
export function readHooks(
  table: ConfigTable | undefined,
  problems: ConfigProblem[],
): HookSubscription[] {
  return [...(table?.entries ?? [])].flatMap(([name, entry]) => {
    const what = `hook "${name}"`;
    if (entry.value.type !== 'table') {
      problems.push({
        message: `${what} must be a block: hook "NAME" { … }`,
        location: entry.location,
      });
      return [];
    }
    const { entries } = entry.value;
    const reader = readTable(entry.value, what, problems);
    const point = reader.oneOf('point', HOOK_POINTS);
    const mode = reader.oneOf('mode', ['observe', 'transform', 'veto']);
    const provider = reader.string('provider');
    const timeoutMs = reader.duration('timeout');
    for (const key of ['point', 'mode', 'provider']) {
      if (!entries.has(key)) reader.problem(`${key} is missing`);
    }
    reader.finish();
    if (point === undefined || mode === undefined || provider === undefined) return [];
    const timeout = timeoutMs === undefined ? {} : { timeoutMs };
    return [{ name, point, mode, provider, ...timeout, location: entry.location }];
  });
}
