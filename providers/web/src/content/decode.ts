// From bytes to text: the charset of the byte order mark, the header, or the page itself; else UTF-8.

/** Never throws; what cannot be decoded shows as U+FFFD. */
export function decodeText(body: Buffer, contentType: string): string {
  const label = bomOf(body) ?? charsetOf(contentType) ?? metaCharset(body) ?? 'utf-8';
  try {
    return new TextDecoder(label).decode(body);
  } catch {
    // A charset that nobody knows.
    return new TextDecoder().decode(body);
  }
}

function bomOf(body: Buffer): string | undefined {
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) return 'utf-8';
  if (body[0] === 0xfe && body[1] === 0xff) return 'utf-16be';
  return body[0] === 0xff && body[1] === 0xfe ? 'utf-16le' : undefined;
}

/** Of "text/html; charset=..." */
export function charsetOf(contentType: string): string | undefined {
  return /charset\s*=\s*"?([^\s";]+)/i.exec(contentType)?.[1];
}

/** HTML says it within its first bytes. */
function metaCharset(body: Buffer): string | undefined {
  const start = body.subarray(0, 1024).toString('latin1');
  const meta = /<meta[^>]+charset\s*=\s*["']?([^\s"'/>]+)/i.exec(start)?.[1];
  const declaration = /<\?xml[^>]+encoding\s*=\s*["']([^"']+)/i.exec(start)?.[1];
  return meta ?? declaration;
}

/** Whether bytes are no text: a NUL early on, where no UTF-16 mark explains it. */
export function looksBinary(body: Buffer): boolean {
  const mark = bomOf(body);
  return (mark === undefined || mark === 'utf-8') && body.subarray(0, 4096).includes(0);
}
