// Errors that escape from an author's code past every await: a promise that nobody waits for, an 'error' event
// that nobody listens to. Node would end the process, and with it every other call. Here the one call fails that
// the error came from; AsyncLocalStorage knows which one it is.
import { AsyncLocalStorage } from 'node:async_hooks';

interface Watched {
  readonly fail: (error: unknown) => void;
  ended: boolean;
}

const running = new AsyncLocalStorage<Watched>();

export const strayErrors = {
  /** Runs the work of one call; rejects with a stray error of it as soon as there is one. */
  watch<T>(work: () => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const watched: Watched = { fail: reject, ended: false };
      running.run(watched, () => {
        work()
          .then(resolve, reject)
          .finally(() => {
            watched.ended = true;
          });
      });
    });
  },

  /**
   * Listens for stray errors of the whole process, which must be the provider's own. `report` gets each one; `ofCall`
   * says whether a running call took the blame. An exception of no call is rethrown: the state of the process is
   * unknown then, and the kernel starts it again.
   */
  listen(report: (error: unknown, ofCall: boolean) => void, die: (error: unknown) => void): void {
    process.on('unhandledRejection', (error) => {
      report(error, blame(error));
    });
    process.on('uncaughtException', (error, origin) => {
      if (origin === 'unhandledRejection') return;
      const ofCall = blame(error);
      report(error, ofCall);
      if (!ofCall) die(error);
    });
  },
} as const;

function blame(error: unknown): boolean {
  const watched = running.getStore();
  if (watched === undefined) return false;
  // Of a call that has ended: nothing is left to fail, but it is known where it came from.
  if (!watched.ended) watched.fail(error);
  return true;
}
