// What a failed request means, and whether the same request may work later.
import { fail, isToolError, type ToolError } from '@tenon/provider';

const RETRYABLE_STATUS = new Set([408, 425, 429, 500, 502, 503, 504]);

/** The failure for an error of the network. */
export function networkFailure(error: unknown, url: URL): ToolError {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (isToolError(cause)) return cause;
    const known = byCode(cause, url, error);
    if (known !== undefined) return known;
  }
  const message = error instanceof Error ? error.message : String(error);
  return fail.executionFailed(
    `${url.href} could not be asked: ${message}`,
    { url: url.href },
    { cause: error },
  );
}

function byCode(cause: Error, url: URL, error: unknown): ToolError | undefined {
  const { code } = cause as NodeJS.ErrnoException;
  const details = { url: url.href, code: code ?? '' };
  const failed = (what: string, retryable: boolean): ToolError =>
    fail.executionFailed(`${url.host} ${what}`, details, { cause: error, retryable });
  switch (code) {
    case 'ENOTFOUND':
      return fail.notFound(`there is no host named ${url.hostname}`, details, { cause: error });
    case 'EAI_AGAIN':
      return failed('could not be resolved now: the name service did not answer', true);
    case 'ECONNREFUSED':
      return failed('refused the connection: nothing listens there now', true);
    case 'ECONNRESET':
    case 'EPIPE':
    case 'UND_ERR_SOCKET':
      return failed('closed the connection before it had answered', true);
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return failed('cannot be reached from here', true);
    case 'ETIMEDOUT':
    case 'UND_ERR_CONNECT_TIMEOUT':
    case 'UND_ERR_HEADERS_TIMEOUT':
    case 'UND_ERR_BODY_TIMEOUT':
      return fail.timeout(`${url.host} did not answer in time`, details, { cause: error });
    default:
      if (
        code?.startsWith('ERR_TLS') ||
        code?.startsWith('CERT_') ||
        /SELF_SIGNED|UNABLE_TO_VERIFY|ERR_SSL/.test(code ?? '')
      ) {
        return failed(`has no valid certificate: ${cause.message}`, false);
      }
      return undefined;
  }
}

/** The failure for an answer of 400 and above (ERR-06). */
export function statusFailure(url: URL, status: number, excerpt: string): ToolError {
  return fail.executionFailed(
    `${url.href} answered with status ${status}`,
    { url: url.href, status, excerpt },
    { retryable: RETRYABLE_STATUS.has(status) },
  );
}
