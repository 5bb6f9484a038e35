// An observer for a kernel that starts before it is known how its events are shown: keeps them until then.
import type { KernelEvent, KernelObserver } from '@tenon/kernel';

export interface LateObserver {
  readonly observer: KernelObserver;
  /** Hands over what was kept, and everything from now on. */
  use(observer: KernelObserver): Promise<void>;
}

export function createLateObserver(): LateObserver {
  let kept: KernelEvent[] = [];
  let target: KernelObserver | undefined;
  return {
    observer(event) {
      if (target !== undefined) return target(event);
      kept.push(event);
      return undefined;
    },
    async use(observer) {
      target = observer;
      const events = kept;
      kept = [];
      for (const event of events) await observer(event);
    },
  };
}
