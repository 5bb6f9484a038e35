// JSON pointers (RFC 6901).

/** One reference token with "~" and "/" escaped. */
export function escapeToken(token: string): string {
  return token.includes('~') || token.includes('/')
    ? token.replaceAll('~', '~0').replaceAll('/', '~1')
    : token;
}

/** The pointer of a path; '' for an empty one. */
export function pointerOf(path: readonly (string | number)[], length = path.length): string {
  let pointer = '';
  for (let i = 0; i < length; i++) pointer += `/${escapeToken(String(path[i]))}`;
  return pointer;
}
