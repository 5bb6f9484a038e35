// Why a provider is not started, or a lock file not used.

/** The message names the provider or the file, what is wrong, and what to do. */
export class LockError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'LockError';
  }
}
