// One change at a time per file, whatever the kernel does: kernels that know only literal keys would let "f" and
// "./f" run at the same time (OPEN-02, F6).

/** Runs `work` when no other work on one of these paths is running. First come, first served; no deadlock. */
export type FileLocks = <T>(paths: readonly string[], work: () => Promise<T>) => Promise<T>;

export function createFileLocks(): FileLocks {
  const last = new Map<string, Promise<void>>();
  return async (paths, work) => {
    const keys = [...new Set(paths)];
    // Taken in one step, so that two works never wait for each other.
    const before = keys.map((key) => last.get(key) ?? Promise.resolve());
    let release: () => void = () => {};
    const done = new Promise<void>((resolve) => {
      release = resolve;
    });
    for (const key of keys) last.set(key, done);
    try {
      await Promise.all(before);
      return await work();
    } finally {
      release();
      for (const key of keys) if (last.get(key) === done) last.delete(key);
    }
  };
}

/** The locks of this process. */
export const fileLocks = createFileLocks();
