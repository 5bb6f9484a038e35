// From a document to the configuration of a kernel: every block is read, and every problem of all of them is
// told at once.
import { dirname, join } from 'node:path';
import { compilePolicy, type PolicyWarning } from '../policy/compile.js';
import { PolicyError } from '../policy/errors.js';
import type { PolicyRule } from '../policy/model.js';
import { ConfigError, type ConfigProblem } from './error.js';
import { readKernelBlock } from './kernel-block.js';
import type { KernelConfig } from './model.js';
import { readHooks, readPolicies } from './policies.js';
import { readProviders } from './providers.js';
import { readTable } from './reader.js';
import type { ConfigTable } from './value.js';

export interface InterpretOptions {
  /** The file; absent for a program's object. */
  readonly path?: string;
  /** What relative paths are relative to. */
  readonly folder: string;
  /** The document of agent.always.hcl, where there is one. */
  readonly always?: ConfigTable;
  readonly journalPath: string;
}

/** Throws ConfigError. */
export function interpret(document: ConfigTable, options: InterpretOptions): KernelConfig {
  const problems: ConfigProblem[] = [];
  const reader = readTable(document, 'the configuration', problems);
  const { folder, journalPath } = options;
  const providers = readProviders(reader.block('provider'), reader.block('dev_overrides'), {
    folder,
    problems,
  });
  const policies = readPolicies(reader.block('policy'), problems);
  const hooks = readHooks(reader.block('hook'), problems);
  const settings = readKernelBlock(reader.block('kernel'), { folder, journalPath, problems });
  reader.finish();
  const alwaysRules = readAlways(options.always, problems);
  const warnings = checkPolicies(policies, alwaysRules, problems);
  if (problems.length > 0) throw new ConfigError(problems.sort(byPlace));
  return {
    ...(options.path === undefined ? {} : files(options.path)),
    providers,
    policies,
    alwaysRules,
    hooks,
    settings,
    warnings,
  };
}

function byPlace(a: ConfigProblem, b: ConfigProblem): number {
  const [one, other] = [a.location, b.location];
  if (one === undefined || other === undefined) return 0;
  if (one.file !== other.file) return one.file < other.file ? -1 : 1;
  return one.line - other.line || one.column - other.column;
}

function files(path: string) {
  const folder = dirname(path);
  return {
    path,
    alwaysPath: alwaysPathOf(path),
    lockPath: join(agentFolder(folder), 'agent.lock.hcl'),
  };
}

/** Where decisions for always are kept. */
export const alwaysPathOf = (path: string): string => join(dirname(path), 'agent.always.hcl');

/** The folder of the kernel's own files; a configuration may stand in it already. */
export function agentFolder(folder: string): string {
  return folder.endsWith('.agent') ? folder : join(folder, '.agent');
}

function readAlways(document: ConfigTable | undefined, problems: ConfigProblem[]): PolicyRule[] {
  if (document === undefined) return [];
  const reader = readTable(document, 'decisions for always', problems);
  const rules = readPolicies(reader.block('policy'), problems);
  reader.finish();
  for (const { name, action, location } of rules) {
    if (action === 'allow') continue;
    const message = `policy "${name}": a decision for always can only allow; put this rule into the configuration itself`;
    problems.push({ message, ...(location === undefined ? {} : { location }) });
  }
  return rules;
}

function checkPolicies(
  policies: readonly PolicyRule[],
  always: readonly PolicyRule[],
  problems: ConfigProblem[],
): readonly PolicyWarning[] {
  try {
    return compilePolicy(policies, always).warnings;
  } catch (error) {
    if (!(error instanceof PolicyError)) throw error;
    for (const { message, locations } of error.problems) {
      const [location] = locations.slice(-1);
      problems.push({ message, ...(location === undefined ? {} : { location }) });
    }
    return [];
  }
}
