// The errors of Node and of the operating system whose category is certain. Everything else is `unknown`.
import type { ProviderErrorCategory } from '@tenon/protocol';

export interface NodeErrorClass {
  readonly category: ProviderErrorCategory;
  readonly retryable: boolean;
}

const of = (category: ProviderErrorCategory, retryable = false): NodeErrorClass => ({
  category,
  retryable,
});

const BY_CODE: ReadonlyMap<string, NodeErrorClass> = new Map([
  ['ENOENT', of('not_found')],
  ['ENOTDIR', of('not_found')],
  ['ENOTFOUND', of('not_found')],
  ['ENXIO', of('not_found')],
  ['ENODEV', of('not_found')],
  ['ESRCH', of('not_found')],
  ['EACCES', of('permission_denied')],
  ['EPERM', of('permission_denied')],
  ['EROFS', of('permission_denied')],
  ['ERR_ACCESS_DENIED', of('permission_denied')],
  ['ENOSPC', of('execution_failed')],
  ['EDQUOT', of('execution_failed')],
  ['EFBIG', of('execution_failed')],
  ['EEXIST', of('execution_failed')],
  ['EISDIR', of('execution_failed')],
  ['ENOTEMPTY', of('execution_failed')],
  ['EXDEV', of('execution_failed')],
  ['ELOOP', of('execution_failed')],
  ['ENAMETOOLONG', of('execution_failed')],
  ['EINVAL', of('execution_failed')],
  ['EIO', of('execution_failed')],
  ['EMLINK', of('execution_failed')],
  ['ENOEXEC', of('execution_failed')],
  ['E2BIG', of('execution_failed')],
  ['EHOSTUNREACH', of('execution_failed', true)],
  ['ENETUNREACH', of('execution_failed', true)],
  ['ECONNREFUSED', of('execution_failed', true)],
  ['ECONNRESET', of('execution_failed', true)],
  ['ECONNABORTED', of('execution_failed', true)],
  ['EADDRINUSE', of('execution_failed', true)],
  ['EPIPE', of('execution_failed', true)],
  ['EAI_AGAIN', of('execution_failed', true)],
  ['EMFILE', of('execution_failed', true)],
  ['ENFILE', of('execution_failed', true)],
  ['EAGAIN', of('execution_failed', true)],
  ['EBUSY', of('execution_failed', true)],
  ['ETXTBSY', of('execution_failed', true)],
  ['ENOMEM', of('execution_failed', true)],
  ['ETIMEDOUT', of('timeout', true)],
  ['ESOCKETTIMEDOUT', of('timeout', true)],
  ['UND_ERR_CONNECT_TIMEOUT', of('timeout', true)],
  ['UND_ERR_HEADERS_TIMEOUT', of('timeout', true)],
  ['UND_ERR_BODY_TIMEOUT', of('timeout', true)],
]);

/**
 * The category of an error code such as ENOENT; undefined when the code says nothing certain. An author who
 * knows more of the situation (a DNS failure, an EEXIST that is a conflict) throws `fail.…` instead.
 */
export function nodeErrorClass(code: string): NodeErrorClass | undefined {
  return BY_CODE.get(code);
}
