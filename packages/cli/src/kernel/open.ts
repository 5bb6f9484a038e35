// A kernel for one command: from its options to a running kernel, and back to nothing.
import { resolve } from 'node:path';
import { configFromObject, createKernel, loadConfig } from '@tenon/kernel';
import type { Approver, Kernel, KernelConfig, KernelObserver } from '@tenon/kernel';
import type { Context } from '../context.js';
import { UsageError } from '../errors.js';
import { splitCommand } from '../options.js';
import type { KernelOptionValues } from '../options.js';
import { sanitize } from '../terminal/sanitize.js';
import { findConfig, noConfig } from './find-config.js';

export interface OpenOptions {
  readonly approver?: Approver;
  readonly observer?: KernelObserver;
  /** Starts these providers alone; default all. */
  readonly start?: readonly string[];
  /** What the provider of --provider-command is called, from the operation that is called. */
  readonly adHocName?: string;
}

/** The configuration that the options of a command name. Warnings go to stderr. */
export async function readConfig(
  { terminal }: Context,
  values: KernelOptionValues,
  adHocName = 'provider',
): Promise<KernelConfig> {
  if (values.providerCommand !== undefined) return adHocConfig(values.providerCommand, adHocName);
  const path = findConfig(values.config);
  if (path === undefined) throw noConfig();
  const config = await loadConfig(path);
  for (const { message, location } of config.warnings) {
    const where = location === undefined ? '' : `${location.file}:${location.line}: `;
    terminal.stderr.write(`${terminal.err('yellow', 'warning:')} ${sanitize(where + message)}\n`);
  }
  return config;
}

/**
 * Starts a kernel for `work` and closes it afterwards, whatever happens: no provider outlives the command.
 * The second Ctrl-C kills the providers at once.
 */
export async function withKernel<T>(
  context: Context,
  config: KernelConfig,
  options: OpenOptions,
  work: (kernel: Kernel) => Promise<T>,
): Promise<T> {
  const kernel = await createKernel({
    config,
    ...(options.approver === undefined ? {} : { approver: options.approver }),
    ...(options.observer === undefined ? {} : { observer: options.observer }),
    ...(options.start === undefined ? {} : { start: options.start }),
  });
  context.onKill = () => killProviders(kernel);
  try {
    return await work(kernel);
  } finally {
    await kernel.close();
    context.onKill = () => undefined;
  }
}

/** The folder that relative paths start from. */
export function workingDirectory(values: KernelOptionValues): string {
  return resolve(values.cwd ?? process.cwd());
}

/** `NAME=COMMAND` names the provider; without a name it has the one of the operation that is called. */
function adHocConfig(given: string, fallbackName: string): KernelConfig {
  const named = /^([a-z][a-z0-9_-]*)=(.*)$/s.exec(given);
  const command = splitCommand(named?.[2] ?? given);
  if (command.length === 0) throw new UsageError(['--provider-command is empty']);
  return configFromObject({ provider: { [named?.[1] ?? fallbackName]: { command, dev: true } } });
}

function killProviders(kernel: Kernel): void {
  for (const { pid } of kernel.providers()) {
    if (pid === undefined) continue;
    for (const target of [-pid, pid]) {
      try {
        process.kill(target, 'SIGKILL');
      } catch {
        // Gone already, or not the leader of a group: the other target covers that.
      }
    }
  }
}
