// `tenon replay`: the history of a session once more. What a provider emitted is rendered by that provider,
// when it runs in the version that wrote it; else by the fallback. Nothing is called again.
import type { Journal, Kernel, KernelConfig, StoredEntry } from '@tenon/kernel';
import type { RenderNode } from '@tenon/protocol';
import type { Context } from '../context.js';
import { EXIT } from '../errors.js';
import type { ExitCode } from '../errors.js';
import { fallbackEmit } from '../journal/emit.js';
import type { RenderEmit } from '../journal/entry.js';
import { findSession } from '../journal/find.js';
import { withJournal } from '../journal/open.js';
import type { JournalOptionValues } from '../journal/open.js';
import { withKernel } from '../kernel/open.js';
import { write } from '../terminal/terminal.js';
import { entryText } from './show.js';

interface Options extends JournalOptionValues {
  readonly render?: boolean;
}

export async function run(
  context: Context,
  given: string | undefined,
  options: Options,
): Promise<ExitCode> {
  return withJournal(options, async (journal, config) => {
    const sessionId = findSession(journal, given);
    const emits = [...journal.session(sessionId)].filter((entry) => entry.type === 'emit');
    const producers = [...new Set(emits.map((entry) => entry.provider))];
    if (options.render === false || config === undefined || producers.length === 0) {
      return print(context, journal, sessionId, fallbackEmit);
    }
    // Rendering needs the providers, but is no session of its own: it leaves no trace in the journal.
    const apart = { ...config, settings: { ...config.settings, journalPath: ':memory:' } };
    const known = producers.filter((name) => isConfigured(config, name));
    return withKernel(context, apart, { start: known }, async (kernel) =>
      print(context, journal, sessionId, await renderAll(kernel, emits)),
    );
  });
}

async function print(
  context: Context,
  journal: Journal,
  sessionId: string,
  renderEmit: RenderEmit,
): Promise<ExitCode> {
  let before: StoredEntry | undefined;
  for (const entry of journal.session(sessionId)) {
    if (context.signal.aborted) return EXIT.cancelled;
    await write(context.terminal.stdout, entryText(entry, before, context, renderEmit));
    before = entry;
  }
  return EXIT.ok;
}

/** Renders every emit beforehand; a failing Render falls back, and says so. */
async function renderAll(
  kernel: Kernel,
  emits: readonly (StoredEntry & { type: 'emit' })[],
): Promise<RenderEmit> {
  const rendered = new Map<string, RenderNode>();
  for (const entry of emits) {
    const provider = kernel.providers().find((candidate) => candidate.name === entry.provider);
    if (provider?.identity?.version !== entry.providerVersion) continue;
    try {
      const tree = await kernel.render(entry.provider, entry.payload, entry.schemaVersion);
      rendered.set(entry.id, tree.root);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      const note = { type: 'text', content: `(Render failed: ${why})`, style: 'dim' } as const;
      rendered.set(entry.id, { type: 'group', children: [fallbackEmit(entry), note] });
    }
  }
  return (entry) => rendered.get(entry.id) ?? fallbackEmit(entry);
}

function isConfigured(config: KernelConfig, name: string): boolean {
  return config.providers.some((provider) => provider.name === name);
}
