// A live observer as the execution of one call uses it. An observer that fails is not asked again during that
// call; the call itself never notices.
import type { KernelEvent, KernelObserver } from './recorder.js';

/** Shows an event. The result settles when the observer is ready for more (EVT-07); it never rejects. */
export type Observation = (event: KernelEvent) => void | Promise<void>;

export function observation(observer: KernelObserver): Observation {
  let failed = false;
  return (event) => {
    if (failed) return;
    try {
      const ready = observer(event);
      if (ready === undefined) return;
      return Promise.resolve(ready).catch(() => {
        // Nothing of the call is lost: the journal has its own line.
        failed = true;
      });
    } catch {
      // As above.
      failed = true;
    }
  };
}
