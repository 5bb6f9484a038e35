// Words for what the system refused, with the path that the caller knows instead of the one that was opened.
import { fail, isToolError } from '@tenon/provider';

/** `doing` such as "write"; passes on what is classified already, and what is no error of the system. */
export function systemError(thrown: unknown, doing: string, given: string): unknown {
  if (isToolError(thrown) || !(thrown instanceof Error)) return thrown;
  const { code } = thrown as NodeJS.ErrnoException;
  if (code === undefined || thrown.name === 'AbortError') return thrown;
  const reason = /^[A-Z0-9_]+: ([^,]+)/.exec(thrown.message)?.[1] ?? thrown.message;
  const message = `cannot ${doing} "${given}": ${reason}`;
  return make(code)(message, { path: given, code }, { cause: thrown });
}

function make(code: string) {
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return fail.notFound;
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return fail.permissionDenied;
    default:
      // ENOSPC, EDQUOT, EISDIR, EFBIG, EIO, EMFILE, …: it was tried, and did not work.
      return fail.executionFailed;
  }
}
