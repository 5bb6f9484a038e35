// Every byte that the provider under test has emitted, by whatever way, so that it can be searched for secrets.
import { setImmediate as yieldNow } from 'node:timers/promises';

export interface Transcript {
  add(source: string, bytes: Uint8Array | string): void;
  readonly entries: readonly { readonly source: string; readonly bytes: Buffer }[];
  readonly size: number;
}

export function createTranscript(): Transcript {
  const entries: { source: string; bytes: Buffer }[] = [];
  let size = 0;
  return {
    entries,
    get size() {
      return size;
    },
    add: (source, bytes) => {
      if (bytes.length === 0) return;
      // Copied: gRPC hands out views of larger buffers.
      const copy = Buffer.from(bytes as Uint8Array);
      size += copy.length;
      entries.push({ source, bytes: copy });
    },
  };
}

export interface Sighting {
  readonly source: string;
  readonly encoding: string;
  readonly context: string;
}

/** Where a secret occurs: as it is, in hex, or in base64 at any of its three alignments. */
export async function sightings(transcript: Transcript, secret: string): Promise<Sighting[]> {
  const found: Sighting[] = [];
  const needles = spellings(secret);
  for (const [index, { source, bytes }] of transcript.entries.entries()) {
    // A long transcript is searched in pieces, so that timers of the run still fire.
    if (index % 256 === 255) await yieldNow();
    for (const { encoding, needle } of needles) {
      const at = bytes.indexOf(needle);
      if (at < 0) continue;
      const around = bytes.subarray(Math.max(0, at - 40), at + needle.length + 20);
      found.push({ source, encoding, context: around.toString('latin1') });
      break;
    }
  }
  return found;
}

function spellings(secret: string): { encoding: string; needle: Buffer }[] {
  const bytes = Buffer.from(secret);
  const needles = [
    { encoding: 'as it is', needle: bytes },
    { encoding: 'in hex', needle: Buffer.from(bytes.toString('hex')) },
  ];
  for (const shift of [0, 1, 2]) {
    const padded = Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64');
    // The characters at the ends depend on what stands beside the secret.
    const inner = padded.replace(/=+$/, '').slice(shift === 0 ? 0 : shift + 1, -1);
    if (inner.length >= 8) needles.push({ encoding: 'in base64', needle: Buffer.from(inner) });
  }
  return needles;
}
