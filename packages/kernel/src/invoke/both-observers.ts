// Two observers as one; each is slowed down by the slower (EVT-07).
import type { KernelObserver } from './recorder.js';

export function bothObservers(
  first: KernelObserver,
  second: KernelObserver | undefined,
): KernelObserver {
  if (second === undefined) return first;
  return (event) => {
    const one = first(event);
    const other = second(event);
    if (one === undefined) return other;
    if (other === undefined) return one;
    return Promise.all([one, other]).then(() => undefined);
  };
}
