// A signal that aborts with the first of several. Unlike AbortSignal.any it can be let go of, so that signals that live
// as long as a session do not remember each of its turns.
import { setMaxListeners } from 'node:events';

export interface LinkedSignal {
  readonly signal: AbortSignal;
  /** Stops listening to the sources. */
  release(): void;
}

export function linkedSignal(sources: readonly (AbortSignal | undefined)[]): LinkedSignal {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  const signals = sources.filter((source) => source !== undefined);
  // Every call of a turn listens, and every turn of a session; Node warns at the eleventh listener.
  setMaxListeners(0, controller.signal, ...signals);
  for (const source of signals) {
    if (source.aborted) abort();
    else source.addEventListener('abort', abort, { once: true });
  }
  return {
    signal: controller.signal,
    release() {
      for (const source of signals) source.removeEventListener('abort', abort);
    },
  };
}
