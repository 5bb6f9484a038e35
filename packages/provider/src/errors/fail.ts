// How an author's code says that a call failed (ERR-01..09, ERR-12).
import {
  CATEGORIES,
  type JsonObject,
  type ProviderErrorCategory,
  ToolError,
} from '@tenon/protocol';

export interface FailOptions {
  /** Whether the same call may succeed later. Default: what the category says. */
  readonly retryable?: boolean;
  /** The error underneath; kept in `cause`, never sent. */
  readonly cause?: unknown;
}

/** Makes an error to throw: `throw fail.notFound('there is no file a.txt', { path: 'a.txt' })`. */
export type Fail = (message: string, details?: JsonObject, options?: FailOptions) => ToolError;

function failure(category: ProviderErrorCategory): Fail {
  return (message, details, options = {}) =>
    new ToolError(
      {
        category,
        message,
        retryable: options.retryable ?? CATEGORIES[category].defaultRetryable,
        ...(details === undefined ? {} : { details }),
      },
      options.cause === undefined ? undefined : { cause: options.cause },
    );
}

/**
 * One function per category that a provider may raise. `process_crashed` is missing on purpose: the kernel
 * alone can tell that a process is gone (ERR-11).
 */
export const fail = {
  /** The arguments are wrong in a way that the schema cannot say (ERR-03). */
  invalidArguments: failure('invalid_arguments'),
  /** What the call is about does not exist (ERR-04). */
  notFound: failure('not_found'),
  /** The system or a rule refused it (ERR-05). */
  permissionDenied: failure('permission_denied'),
  /** It ran and did not succeed (ERR-06). */
  executionFailed: failure('execution_failed'),
  /** The provider's own deadline passed (ERR-07). */
  timeout: failure('timeout'),
  /** Another call was in the way and could not be waited for (ERR-08). */
  concurrencyConflict: failure('concurrency_conflict'),
  /** The call was cancelled (ERR-09). */
  cancelled: failure('cancelled'),
  /** None of the others; say in details what lies underneath (ERR-12). */
  unknown: failure('unknown'),
} as const;

/** Recognizes what `fail` makes, as in a `catch` that lets it pass. */
export function isToolError(thrown: unknown): thrown is ToolError {
  return thrown instanceof ToolError;
}
