// Reads and writes the one line by which a plugin says where it listens. Pure: no process, no socket.
import { X509Certificate } from 'node:crypto';
import type { LaunchFailure } from '../host/launch-error.js';

/** The version of go-plugin's own contract; it has never been another. */
export const CORE_VERSION = 1;

/** What the line says. */
export interface HandshakeLine {
  readonly protocolVersion: number;
  readonly network: 'unix' | 'tcp';
  /** A socket path, or `host:port`. */
  readonly address: string;
  /** The plugin's certificate as DER; absent without TLS. */
  readonly certificate?: Buffer;
  /** Whether the plugin can multiplex the broker; absent when it was not asked. */
  readonly multiplex?: boolean;
}

/** Either the parsed line or why it is refused. */
export type HandshakeResult =
  | { readonly ok: true; readonly line: HandshakeLine }
  | {
      readonly ok: false;
      readonly failure: Extract<LaunchFailure, 'handshake' | 'version' | 'tls'>;
      /** A clause that fits after "the plugin's first line was refused: ". */
      readonly reason: string;
    };

/**
 * Parses the first line of a plugin's stdout, without its line end. `versions` are those that the
 * host accepts; left out, any is.
 */
export function parseHandshakeLine(text: string, versions?: readonly number[]): HandshakeResult {
  const fields = text.trim().split('|');
  const [core = '', app = '', network = '', address = '', protocol = '', cert = '', multi] = fields;
  if (fields.length < 4) {
    return refuse(
      'handshake',
      'it is not a go-plugin handshake (CORE|APP|NETWORK|ADDRESS|PROTOCOL|CERT); nothing may be ' +
        'printed on stdout before the handshake, log to stderr instead',
    );
  }
  const coreVersion = wholeNumber(core);
  if (coreVersion === undefined) {
    return refuse('handshake', `its first field, the core protocol version, is "${core}"`);
  }
  if (coreVersion !== CORE_VERSION) {
    return refuse(
      'version',
      `it speaks core protocol ${core}, this host speaks ${CORE_VERSION}; rebuild the plugin with a ` +
        'current go-plugin library',
    );
  }
  const protocolVersion = wholeNumber(app);
  if (protocolVersion === undefined) {
    return refuse('handshake', `its second field, the protocol version, is "${app}"`);
  }
  if (versions !== undefined && !versions.includes(protocolVersion)) {
    return refuse(
      'version',
      `it speaks protocol version ${app}, this host accepts ${versions.join(', ') || 'none'}`,
    );
  }
  if (network !== 'unix' && network !== 'tcp') {
    return refuse('handshake', `its network is "${network}" where unix or tcp is expected`);
  }
  if (address === '' || (network === 'tcp' && !/:\d+$/.test(address))) {
    return refuse('handshake', `its address is "${address}"`);
  }
  if (protocol !== 'grpc') {
    return refuse(
      'handshake',
      protocol === '' || protocol === 'netrpc'
        ? 'it serves net/rpc, and only grpc is supported; set GRPCServer in the plugin'
        : `its protocol is "${protocol}" where grpc is expected`,
    );
  }
  const certificate = readCertificate(cert);
  if (certificate === 'broken') {
    return refuse('tls', 'its sixth field is no certificate (DER in unpadded base64)');
  }
  const line = { protocolVersion, network, address } as const;
  return {
    ok: true,
    line: {
      ...line,
      ...(certificate !== undefined && { certificate }),
      ...(multi !== undefined && { multiplex: multi === 'true' }),
    },
  };
}

/** Writes the line, without its line end. */
export function formatHandshakeLine(line: HandshakeLine): string {
  const cert = line.certificate?.toString('base64').replace(/=+$/, '') ?? '';
  const fields = [CORE_VERSION, line.protocolVersion, line.network, line.address, 'grpc', cert];
  if (line.multiplex !== undefined) fields.push(String(line.multiplex));
  return fields.join('|');
}

function refuse(
  failure: Extract<LaunchFailure, 'handshake' | 'version' | 'tls'>,
  reason: string,
): HandshakeResult {
  return { ok: false, failure, reason };
}

function wholeNumber(text: string): number | undefined {
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

function readCertificate(field: string): Buffer | undefined | 'broken' {
  // Old plugins fill the field with a word or two that mean nothing; Go's host draws the same line.
  if (field.length <= 50) return undefined;
  const der = Buffer.from(field, 'base64');
  try {
    return new X509Certificate(der).raw;
  } catch {
    return 'broken'; // The parser's own message says nothing that helps; the line is quoted.
  }
}
