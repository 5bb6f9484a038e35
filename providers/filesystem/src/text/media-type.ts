// Names the most common binary files by their first bytes, for a notice that helps.

const SIGNATURES: readonly (readonly [type: string, hex: string])[] = [
  ['image/png', '89504e470d0a1a0a'],
  ['image/jpeg', 'ffd8ff'],
  ['image/gif', '47494638'],
  ['application/pdf', '255044462d'],
  ['application/zip', '504b0304'],
  ['application/gzip', '1f8b'],
  ['application/zstd', '28b52ffd'],
  ['application/x-xz', 'fd377a585a00'],
  ['application/x-elf', '7f454c46'],
  ['application/wasm', '0061736d'],
  ['application/vnd.sqlite3', '53514c69746520666f726d6174203300'],
];

/** A media type, or "application/octet-stream". */
export function mediaType(head: Buffer): string {
  const hex = head.subarray(0, 16).toString('hex');
  const found = SIGNATURES.find(([, signature]) => hex.startsWith(signature));
  return found === undefined ? 'application/octet-stream' : found[0];
}
