// Bytes as evidence: short, and readable where they are text.

const SHOWN = 48;

/** The first bytes in hex, with how many there are. */
export function hex(bytes: Uint8Array): string {
  const shown = Buffer.from(bytes.subarray(0, SHOWN))
    .toString('hex')
    .replaceAll(/(..)(?=.)/g, '$1 ');
  return bytes.length === 0
    ? 'no bytes'
    : `${shown}${bytes.length > SHOWN ? ' …' : ''} (${bytes.length} bytes)`;
}

/** A text on one line, cut and with its control characters spelled out. */
export function quoted(text: string, limit = 300): string {
  const cut = text.length > limit ? `${text.slice(0, limit)}…` : text;
  return JSON.stringify(cut);
}
