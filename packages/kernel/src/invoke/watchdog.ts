// Notices a process that lives but does not answer, such as one that was stopped (SIGSTOP) or spins: it is
// pinged while calls run, whatever their deadlines, and now and then while none does. One timer per connection;
// it never keeps the kernel alive.

export interface WatchdogOptions {
  readonly intervalMs: number;
  readonly timeoutMs: number;
  /** Whether calls are in flight, so that it is looked at often. */
  readonly busy: () => boolean;
  /** When something was last heard, in milliseconds of `performance.now()`: a sign of life like a ping. */
  readonly lastHeard: () => number;
  ping(timeoutMs: number): Promise<void>;
  /** Called once, with what went wrong. */
  onDead(reason: string): void;
}

/** An idle process is pinged this much less often. */
const IDLE_FACTOR = 15;

/** Starts watching. Call the result to end it. */
export function startWatchdog(options: WatchdogOptions): () => void {
  const { intervalMs, timeoutMs } = options;
  let stopped = false;
  let pinging = false;
  let lastAnswer = 0;

  const look = async (): Promise<void> => {
    if (stopped || pinging) return;
    const started = performance.now();
    const silence = started - Math.max(options.lastHeard(), lastAnswer);
    if (silence < (options.busy() ? intervalMs : intervalMs * IDLE_FACTOR)) return;
    pinging = true;
    try {
      await options.ping(timeoutMs);
      lastAnswer = performance.now();
    } catch (error) {
      if (stopped || options.lastHeard() > started) return;
      // When this process itself was held up, the answer may have come in time and not been read.
      if (performance.now() - started > timeoutMs * 1.5 + 250) return;
      stopped = true;
      clearInterval(timer);
      const why = error instanceof Error ? error.message : String(error);
      options.onDead(`it did not answer a health check within ${timeoutMs} ms (${why})`);
    } finally {
      pinging = false;
    }
  };

  const timer = setInterval(() => void look(), intervalMs);
  timer.unref();
  return () => {
    stopped = true;
    clearInterval(timer);
  };
}
