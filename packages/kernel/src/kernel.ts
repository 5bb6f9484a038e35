// createKernel: from a configuration to running providers, sessions and a journal; and back to nothing.
import type { RenderTree } from '@tenon/protocol';
import type { Kernel, KernelOptions, OperationListing, Session } from './api.js';
import { openCatalog } from './catalog/catalog.js';
import type { Catalog, ProviderConnection } from './catalog/model.js';
import { HookLoadError, hookProblems } from './hooks/check.js';
import { subscribersOf } from './hooks/subscriber.js';
import type { KernelObserver } from './invoke/recorder.js';
import type { JournalEntry } from './journal/journal.js';
import type { Redactor } from './journal/redact.js';
import { openJournal, openMemoryJournal } from './journal/sqlite.js';
import { readLockFile } from './lockfile/read.js';
import { verifyLock } from './lockfile/verify.js';
import { fallbackTree } from './output/fallback-tree.js';
import { compilePolicy } from './policy/compile.js';
import { callbacksFor } from './session/callbacks.js';
import { openSession } from './session/session.js';
import { safeObserver } from './session/safe-observer.js';
import type { KernelState, SessionState } from './session/state.js';

const silent: KernelObserver = () => undefined;

/**
 * Starts the providers in parallel and resolves when each is ready or has failed; one that failed is listed
 * with its problem. Rejects with PolicyError for rules that conflict (POL-03), JournalError for a journal that
 * cannot be opened, LockError or ConfigError for a lock file that cannot be read, and HookLoadError for hooks that cannot work (HKP-02); nothing is left running then.
 */
export async function createKernel(options: KernelOptions): Promise<Kernel> {
  const { config } = options;
  const { policy } = compilePolicy(config.policies, config.alwaysRules);
  const lock = config.lockPath === undefined ? undefined : await readLockFile(config.lockPath);
  const own =
    options.journal === undefined ? await ownJournal(config.settings.journalPath) : undefined;
  const journal = options.journal ?? own;
  if (journal === undefined) throw new Error('no journal');
  const redactor: Redactor | undefined = own?.redactor ?? redactorOf(options.journal);
  const observer = safeObserver(options.observer ?? silent, redactor);
  const shared = {
    journal,
    observer,
    sessions: new Map<string, SessionState>(),
    record(entry: JournalEntry) {
      journal.append(entry).catch((error: unknown) => {
        const message = error instanceof Error ? error.message : String(error);
        void observer({ type: 'log', provider: 'kernel', level: 'error', message });
      });
    },
  };

  let catalog: Catalog | undefined;
  const opened = (): Catalog => {
    if (catalog === undefined) throw new Error('the kernel is still starting');
    return catalog;
  };
  try {
    catalog = await openCatalog({
      config,
      observer,
      callbacks: (provider, identity) => callbacksFor(shared, provider, identity),
      ...(options.start === undefined ? {} : { start: options.start }),
      onSecrets: (values) => redactor?.add(values),
      ...(lock === undefined
        ? {}
        : { beforeLaunch: (provider, program) => verifyLock(lock, provider, program) }),
    });
    const problems = hookProblems(config.hooks, options.hooks ?? [], catalog);
    if (problems.length > 0) throw new HookLoadError(problems);
  } catch (error) {
    await catalog?.close();
    await own?.close();
    throw error;
  }

  const state: KernelState = {
    ...shared,
    config,
    policy,
    catalog,
    redactor,
    subscribers: subscribersOf(config.hooks, options.hooks ?? [], opened),
    approver: options.approver,
  };
  return kernelOf(state, own === undefined ? undefined : () => own.close());
}

/** Absent from a journal of another kind; it then has to keep secrets out by itself. */
function redactorOf(journal: KernelOptions['journal']): Redactor | undefined {
  return journal !== undefined && 'redactor' in journal
    ? (journal.redactor as Redactor)
    : undefined;
}

function ownJournal(path: string) {
  return path === ':memory:' ? openMemoryJournal() : openJournal(path);
}

function kernelOf(state: KernelState, closeJournal: (() => Promise<void>) | undefined): Kernel {
  const { catalog, journal } = state;
  const open = new Map<string, Session>();
  let closing: Promise<void> | undefined;

  const listings = (): OperationListing[] =>
    catalog.entries().map((entry) => ({
      provider: entry.provider.name,
      name: entry.qualifiedName,
      modelName: entry.modelName,
      operation: entry.operation,
    }));

  async function shutDown(): Promise<void> {
    await Promise.all([...open.values()].map((session) => session.end('cancelled')));
    await catalog.close();
    await journal.flush();
    await closeJournal?.();
  }

  const kernel: Kernel = {
    journal,
    operations: listings,
    providers: () => catalog.providers().map((provider) => provider.status()),
    async openSession(options = {}) {
      if (closing !== undefined) throw new Error('the kernel is closed');
      const session = await openSession(state, options, listings, (id) => open.delete(id));
      open.set(session.id, session);
      return session;
    },
    async call(call, options = {}) {
      const session = await kernel.openSession(options);
      try {
        return await session.call(call, options);
      } finally {
        await session.end(options.signal?.aborted === true ? 'cancelled' : 'completed');
      }
    },
    render: (provider, payload, schemaVersion) => render(state, provider, payload, schemaVersion),
    close() {
      closing ??= shutDown();
      return closing;
    },
  };
  return kernel;
}

/** RND-02: what its provider cannot picture, or is not here to, is shown as JSON or text. */
async function render(
  { catalog }: KernelState,
  name: string,
  payload: Uint8Array | object,
  schemaVersion: string,
): Promise<RenderTree> {
  const bytes =
    payload instanceof Uint8Array ? payload : Buffer.from(JSON.stringify(payload), 'utf8');
  const provider = catalog.providers().find((one) => one.name === name);
  if (provider === undefined) return fallbackTree(bytes);
  let connection: ProviderConnection;
  try {
    connection = await provider.connection();
  } catch {
    // It is listed with why it does not run; its events are shown all the same.
    return fallbackTree(bytes);
  }
  return (await connection.render(bytes, schemaVersion)) ?? fallbackTree(bytes);
}
