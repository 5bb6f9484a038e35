// What a resource call would do, as its provider shows it, within a time of its own (PRV-01..04).
import type { RenderTree } from '@tenon/protocol';
import type { PreparedCall } from '../call.js';

export type PreviewResult =
  | { readonly type: 'shown'; readonly tree: RenderTree }
  /** The plan shows the raw arguments instead; `why` is empty where the provider simply has no preview. */
  | { readonly type: 'none'; readonly why: string };

/** Never rejects, and never takes longer than `timeoutMs`. */
export async function previewOf(
  prepared: PreparedCall,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<PreviewResult> {
  const abort = new AbortController();
  const stop = (): void => abort.abort();
  signal.addEventListener('abort', stop, { once: true });
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<PreviewResult>((resolve) => {
    timer = setTimeout(
      () => resolve({ type: 'none', why: `no preview within ${timeoutMs} ms` }),
      timeoutMs,
    );
  });
  try {
    return await Promise.race([ask(prepared, abort.signal), late]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
    abort.abort();
  }
}

async function ask({ entry, call }: PreparedCall, signal: AbortSignal): Promise<PreviewResult> {
  try {
    const connection = await entry.provider.connection();
    const tree = await connection.preview(call, { signal });
    return tree === undefined ? { type: 'none', why: '' } : { type: 'shown', tree };
  } catch (error) {
    return { type: 'none', why: error instanceof Error ? error.message : String(error) };
  }
}
