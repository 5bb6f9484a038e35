// From the name that a model wrote to the operation that it means, or an error that helps to correct it (RPC-09).
import { ToolError, type ToolErrorData } from '@tenon/protocol';
import type { Catalog, CatalogEntry, ProviderRuntime } from './model.js';

export type FoundEntry =
  | { readonly ok: true; readonly entry: CatalogEntry }
  | { readonly ok: false; readonly error: ToolErrorData };

/** Starts the provider that the name begins with, when it is not running: only then are its operations known. */
export async function findEntry(catalog: Catalog, name: string): Promise<FoundEntry> {
  const known = catalog.resolve(name);
  if (known !== undefined) return { ok: true, entry: known };
  const named = namedProvider(catalog, name);
  if (named === undefined) return { ok: false, error: notFound(catalog, name) };
  const { provider, operation } = named;
  const refused = provider.status().refused.find((each) => each.operation === operation);
  if (refused !== undefined) {
    const why = refused.violations.map((each) => `${each.requirement}: ${each.message}`).join('; ');
    return {
      ok: false,
      error: {
        category: 'not_found',
        retryable: false,
        message: `${provider.name}.${operation} was refused when its provider was loaded, and never runs (KND-03): ${why}`,
        details: {
          requirement: 'KND-03',
          violations: refused.violations.map((each) => ({ ...each })),
        },
      },
    };
  }
  if (provider.live() === undefined) {
    try {
      await provider.connection();
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      return { ok: false, error: error.toData() };
    }
    const entry = catalog.resolve(name);
    if (entry !== undefined) return { ok: true, entry };
  }
  return { ok: false, error: notFound(catalog, name) };
}

function namedProvider(
  catalog: Catalog,
  name: string,
): { provider: ProviderRuntime; operation: string } | undefined {
  for (const provider of catalog.providers()) {
    for (const separator of ['.', '__']) {
      const prefix = provider.name + separator;
      if (name.startsWith(prefix)) return { provider, operation: name.slice(prefix.length) };
    }
  }
  return undefined;
}

function notFound(catalog: Catalog, name: string): ToolErrorData {
  const suggestions = catalog.suggest(name);
  const hint =
    suggestions.length > 0
      ? `did you mean ${suggestions.join(' or ')}?`
      : `there are ${catalog.entries().length} operations; list them to see their names.`;
  return {
    category: 'not_found',
    retryable: false,
    message: `There is no operation ${JSON.stringify(name)}: ${hint}`,
    details: { name, suggestions: [...suggestions] },
  };
}
