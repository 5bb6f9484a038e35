// Writes a decision that a person made for always, as a readable rule in a file beside the configuration. The
// file is replaced whole, so that a crash leaves the old one or the new one.
import { randomBytes } from 'node:crypto';
import { existsSync, lstatSync } from 'node:fs';
import { open, readFile, realpath, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { readPolicies } from '../config/policies.js';
import { ConfigError, type ConfigProblem } from '../config/error.js';
import { quoted } from '../config/hcl/quote.js';
import { readDocument } from '../config/read-document.js';
import type { ArgumentPattern, PolicyRule } from './model.js';

const HEADER = `# Decisions made with "always" when a call was asked for. Each turns an ask into an allow; a deny of the
# configuration still holds. Remove a block to be asked again.
`;

// One after the other: two decisions of one plan must both be there.
let turn: Promise<void> = Promise.resolve();

/**
 * Appends the rule. One that matches the same and says the same is there already: nothing happens. Rejects where
 * it cannot be written, where the file is no valid configuration (the next start would fail), and where a rule of
 * this name says something else (a person has changed it, and that must not be lost).
 */
export function appendAlwaysRule(path: string, rule: PolicyRule): Promise<void> {
  const result = turn.then(() => append(path, rule));
  turn = result.catch(() => undefined);
  return result;
}

async function append(path: string, rule: PolicyRule): Promise<void> {
  try {
    // A link to the file is followed, so that the link stays one.
    const target = existsSync(path) ? await realpath(path) : path;
    if (existsSync(target) && !lstatSync(target).isFile()) throw new Error('it is not a file');
    const before = existsSync(target) ? await readFile(target, 'utf8') : HEADER;
    if (isKnown(await rulesOf(before, target), rule)) return;
    const gap = before === '' || before.endsWith('\n') ? '' : '\n';
    await replace(target, `${before}${gap}\n${blockOf(rule)}`);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`${path} could not be written: ${why}`, { cause: error });
  }
}

async function rulesOf(text: string, file: string): Promise<readonly PolicyRule[]> {
  const problems: ConfigProblem[] = [];
  const table = (await readDocument(text, file)).entries.get('policy')?.value;
  const rules = readPolicies(table?.type === 'table' ? table : undefined, problems);
  if (problems.length > 0) throw new ConfigError(problems);
  return rules;
}

function isKnown(rules: readonly PolicyRule[], rule: PolicyRule): boolean {
  const says = (one: PolicyRule): boolean =>
    one.action === rule.action && isDeepStrictEqual(one.match, rule.match);
  if (rules.some(says)) return true;
  const other = rules.find((one) => one.name === rule.name);
  if (other === undefined) return false;
  const line = other.location === undefined ? '' : ` on line ${other.location.line}`;
  throw new Error(
    `it has a policy "${rule.name}"${line} already, which says something else: change or remove that one`,
  );
}

async function replace(path: string, text: string): Promise<void> {
  const fresh = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    const handle = await open(fresh, 'wx');
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(fresh, path);
  } catch (error) {
    await rm(fresh, { force: true });
    throw error;
  }
  const folder = await open(dirname(path), 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** The rule as a block of the configuration language. */
export function blockOf(rule: PolicyRule): string {
  const { match } = rule;
  const lines = [
    match.toolName === undefined ? [] : [`tool_name = ${quoted(match.toolName)}`],
    match.provider === undefined ? [] : [`provider = ${quoted(match.provider)}`],
    match.risk === undefined ? [] : [`risk = ${quoted(match.risk)}`],
    match.kind === undefined ? [] : [`kind = ${quoted(match.kind)}`],
    match.args === undefined ? [] : [`args = {`, ...argumentLines(match.args), '}'],
  ].flat();
  return [
    `policy ${quoted(rule.name)} {`,
    `  match = {`,
    ...lines.map((line) => `    ${line}`),
    '  }',
    `  action = ${quoted(rule.action)}`,
    ...(rule.reason === undefined ? [] : [`  reason = ${quoted(rule.reason)}`]),
    '}',
    '',
  ].join('\n');
}

function argumentLines(args: Readonly<Record<string, ArgumentPattern>>): string[] {
  return Object.entries(args).map(([name, pattern]) =>
    pattern.type === 'glob'
      ? `  ${quoted(name)} = ${quoted(pattern.pattern)}`
      : `  ${quoted(name)} = { prefix = ${quoted(pattern.words.join(' '))} }`,
  );
}
