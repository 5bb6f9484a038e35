// The history of a session once more, from its journal: what providers emitted is rendered by the version that wrote it,
// or by the fallback, and never dropped (RND-02, RND-03). Nothing is called again.
import type { RenderTree } from '@tenon/protocol';
import type { Kernel } from '../api.js';
import type { Journal, StoredEntry } from '../journal/journal.js';
import { fallbackTree } from '../output/fallback-tree.js';

export type EmitEntry = Extract<StoredEntry, { readonly type: 'emit' }>;

/** Gives undefined where this event is not for it to render. */
export type RenderEvent = (event: EmitEntry) => Promise<RenderTree | undefined>;

export type ReplayedEntry =
  | { readonly type: 'entry'; readonly entry: Exclude<StoredEntry, EmitEntry> }
  | {
      readonly type: 'rendered';
      readonly entry: EmitEntry;
      readonly tree: RenderTree;
      readonly by: 'producer' | 'fallback';
      /** Why the producer could not render it. */
      readonly problem?: string;
    };

/** Entries in order. A `render` that rejects costs its own event its picture, and nothing else. */
export async function* replaySession(
  journal: Pick<Journal, 'session'>,
  sessionId: string,
  render: RenderEvent,
): AsyncGenerator<ReplayedEntry, void, void> {
  for (const entry of journal.session(sessionId)) {
    yield entry.type === 'emit' ? await rendered(entry, render) : { type: 'entry', entry };
  }
}

/** Renders by the providers of a kernel, each only what the same version of it wrote. */
export function renderedBy(kernel: Pick<Kernel, 'providers' | 'render'>): RenderEvent {
  return async ({ provider, providerVersion, payload, schemaVersion }) => {
    const here = kernel.providers().find(({ name }) => name === provider);
    if (here?.identity?.version !== providerVersion) return undefined;
    return kernel.render(provider, payload, schemaVersion);
  };
}

async function rendered(entry: EmitEntry, render: RenderEvent): Promise<ReplayedEntry> {
  try {
    const tree = await render(entry);
    if (tree !== undefined) return { type: 'rendered', entry, tree, by: 'producer' };
    return { type: 'rendered', entry, tree: fallbackTree(entry.payload), by: 'fallback' };
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    return { type: 'rendered', entry, tree: fallbackTree(entry.payload), by: 'fallback', problem };
  }
}
