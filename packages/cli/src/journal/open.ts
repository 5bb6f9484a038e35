// The journal that a command reads: named, or the one of the configuration. No provider is started.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { loadConfig, openJournal } from '@tenon/kernel';
import type { Journal, KernelConfig } from '@tenon/kernel';
import { UsageError } from '../errors.js';
import { findConfig, noConfig } from '../kernel/find-config.js';

export interface JournalOptionValues {
  readonly config?: string;
  readonly journal?: string;
}

/** Opens the journal for `work` and closes it afterwards. Throws UsageError when there is none. */
export async function withJournal<T>(
  values: JournalOptionValues,
  work: (journal: Journal, config: KernelConfig | undefined) => Promise<T>,
): Promise<T> {
  const { path, config } = await locateJournal(values);
  const journal = await openJournal(path, { readOnly: true });
  try {
    return await work(journal, config);
  } finally {
    await journal.close();
  }
}

/** The journal file that is meant, and the configuration where there is one. Throws UsageError. */
export async function locateJournal(
  values: JournalOptionValues,
): Promise<{ readonly path: string; readonly config?: KernelConfig }> {
  const configPath = findConfig(values.config);
  if (configPath === undefined && values.journal === undefined) throw noConfig();
  const config = configPath === undefined ? undefined : await loadConfig(configPath);
  const path =
    values.journal === undefined ? (config?.settings.journalPath ?? '') : resolve(values.journal);
  if (path === ':memory:') {
    throw new UsageError([
      'this configuration keeps no journal on disk: set journal = "PATH" in it',
    ]);
  }
  if (!existsSync(path)) {
    throw new UsageError([
      `there is no journal at ${path}: no call has run with this configuration yet`,
    ]);
  }
  return { path, ...(config === undefined ? {} : { config }) };
}
