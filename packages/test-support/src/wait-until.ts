// Waiting for something that announces itself in no other way, such as a process table.

/**
 * Polls until `condition` returns something other than false, undefined or null, and resolves to that.
 * Rejects when `deadlineMs` (default 10 s) has passed, with `what` and the last error of the condition.
 * Prefer an event where there is one.
 */
export async function waitUntil<T>(
  condition: () => T | Promise<T>,
  options: {
    readonly deadlineMs?: number;
    readonly intervalMs?: number;
    readonly what?: string;
  } = {},
): Promise<Exclude<T, false | undefined | null>> {
  const deadlineMs = options.deadlineMs ?? 10_000;
  const end = Date.now() + deadlineMs;
  let lastError: unknown;
  for (;;) {
    try {
      const value = await condition();
      if (value !== false && value !== undefined && value !== null) {
        return value as Exclude<T, false | undefined | null>;
      }
    } catch (error) {
      lastError = error;
    }
    if (Date.now() >= end) {
      const what = options.what ?? condition.toString();
      throw new Error(`not so within ${deadlineMs} ms: ${what}`, { cause: lastError });
    }
    await new Promise((resolve) => setTimeout(resolve, options.intervalMs ?? 15));
  }
}
