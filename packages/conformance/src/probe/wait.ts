// Waiting for the outside world, with a limit.

/** Resolves to the value, or to undefined when `ms` have passed. The timer never keeps the process alive. */
export async function within<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Polls what announces itself in no other way, such as a process table. False when `ms` have passed. */
export async function becomes(
  condition: () => boolean,
  ms: number,
  intervalMs = 20,
): Promise<boolean> {
  const end = Date.now() + ms;
  while (!condition()) {
    if (Date.now() > end) return false;
    await pause(intervalMs);
  }
  return true;
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
