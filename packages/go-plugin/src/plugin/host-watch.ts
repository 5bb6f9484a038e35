// Notices that the host is gone, however it went. Two signs: the parent process changed, and the
// last connection closed without a new one. Standard input is no sign: Go's host hands on its own.
const PARENT_POLL_MS = 1_000;
// A host that lives reconnects in less; one behind a sandbox or another namespace is only missed
// by its connection.
const LONELY_MS = 10_000;

/** Watches until it is disposed. */
export interface HostWatch {
  /** To be told whenever the number of open connections changes. */
  connections(open: number): void;
  dispose(): void;
}

/** Calls `onGone` once, with the sign that was seen. */
export function watchHost(onGone: (sign: string) => void): HostWatch {
  const parent = process.ppid;
  let lonely: NodeJS.Timeout | undefined;
  const gone = (sign: string) => {
    dispose();
    onGone(sign);
  };
  const poll = setInterval(() => {
    if (process.ppid !== parent) gone('the host process is gone');
  }, PARENT_POLL_MS);
  poll.unref();
  const dispose = () => {
    clearInterval(poll);
    clearTimeout(lonely);
  };
  return {
    dispose,
    connections: (open) => {
      clearTimeout(lonely);
      if (open > 0) return;
      lonely = setTimeout(
        () => gone(`the host closed its connection and did not return within ${LONELY_MS} ms`),
        LONELY_MS,
      );
      lonely.unref();
    },
  };
}
