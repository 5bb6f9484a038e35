// The observer of an embedding program as the kernel uses it: what it throws harms nothing, and what it is shown holds
// no secret that a provider lets slip (CFG-02).
import type { KernelObserver } from '../invoke/recorder.js';
import type { Redactor } from '../journal/redact.js';

/** Never throws; a promise that it gives never rejects. */
export function safeObserver(
  observer: KernelObserver,
  redactor: Redactor | undefined,
): KernelObserver {
  return (event) => {
    // Output of a call is what the call is for; all else is words about it.
    const clean = event.type === 'call_event' ? event : (redactor?.deep(event) ?? event);
    try {
      const ready = observer(clean);
      // A program in JavaScript that fails to show something has still been told.
      return ready === undefined ? undefined : Promise.resolve(ready).catch(() => undefined);
    } catch {
      return undefined;
    }
  };
}
