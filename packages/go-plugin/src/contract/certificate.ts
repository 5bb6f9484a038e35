// Throw-away certificates for mutual TLS: ECDSA P-521, self-signed, for `localhost`. Written as DER
// by hand, because the libraries for it cost more to load than a whole plugin start. It makes this
// one kind of certificate and is no general X.509 encoder.
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** A self-signed certificate with its private key. */
export interface Certificate {
  /** PEM, as go-plugin puts it into `PLUGIN_CLIENT_CERT`. */
  readonly certPem: string;
  /** PKCS #8, PEM. Never leaves the process that made it. */
  readonly keyPem: string;
  /** What go-plugin puts into the handshake line, once in base64. */
  readonly der: Buffer;
}

const NAME = 'localhost';
const ORGANISATION = 'go-plugin for Node';
const YEARS = 10;

/**
 * Makes a certificate that is its own authority and may act as client and as server. Costs a few
 * milliseconds.
 */
export function generateCertificate(now: Date = new Date()): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-521' });
  const algorithm = sequence(oid('1.2.840.10045.4.3.4')); // ecdsa-with-SHA512
  const name = sequence(
    set(sequence(oid('2.5.4.10'), utf8(ORGANISATION))),
    set(sequence(oid('2.5.4.3'), utf8(NAME))),
  );
  // Clocks of two processes agree, but a container's may lag a little.
  const notBefore = new Date(now.getTime() - 60_000);
  const notAfter = new Date(now);
  notAfter.setUTCFullYear(now.getUTCFullYear() + YEARS);
  const body = sequence(
    tagged(0, integer(Buffer.from([2]))), // version 3
    integer(serialNumber()),
    algorithm,
    name,
    sequence(time(notBefore), time(notAfter)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(3, sequence(...extensions())),
  );
  const signature = sign('sha512', body, privateKey);
  const der = sequence(body, algorithm, bitString(0, signature));
  return {
    der,
    certPem: certificatePem(der),
    keyPem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

/** Wraps a DER certificate as PEM. */
export function certificatePem(der: Uint8Array): string {
  const lines =
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}

function extensions(): Buffer[] {
  const yes = element(0x01, Buffer.from([0xff]));
  // digitalSignature, keyEncipherment, keyAgreement, keyCertSign: bits 0, 2, 4 and 5.
  const keyUsage = bitString(2, Buffer.from([0b1010_1100]));
  const serverAndClientAuth = sequence(oid('1.3.6.1.5.5.7.3.2'), oid('1.3.6.1.5.5.7.3.1'));
  const dnsName = element(0x82, Buffer.from(NAME, 'ascii'));
  return [
    sequence(oid('2.5.29.19'), yes, octets(sequence(yes))), // basicConstraints: CA
    sequence(oid('2.5.29.15'), yes, octets(keyUsage)),
    sequence(oid('2.5.29.37'), octets(serverAndClientAuth)),
    sequence(oid('2.5.29.17'), octets(sequence(dnsName))), // subjectAltName
  ];
}

function serialNumber(): Buffer {
  const bytes = randomBytes(16);
  // Positive, and without a leading zero byte that DER would forbid.
  bytes.writeUInt8((bytes.readUInt8(0) & 0x7f) | 0x40, 0);
  return bytes;
}

function element(tag: number, ...content: Uint8Array[]): Buffer {
  const body = Buffer.concat(content);
  return Buffer.concat([Buffer.from([tag, ...length(body.length)]), body]);
}

function length(size: number): number[] {
  if (size < 0x80) return [size];
  const bytes: number[] = [];
  for (let rest = size; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return [0x80 | bytes.length, ...bytes];
}

function sequence(...content: Uint8Array[]): Buffer {
  return element(0x30, ...content);
}

function set(...content: Uint8Array[]): Buffer {
  return element(0x31, ...content);
}

function tagged(number: number, content: Uint8Array): Buffer {
  return element(0xa0 | number, content);
}

function integer(bytes: Uint8Array): Buffer {
  return element(0x02, bytes);
}

function octets(content: Uint8Array): Buffer {
  return element(0x04, content);
}

function utf8(text: string): Buffer {
  return element(0x0c, Buffer.from(text, 'utf8'));
}

function bitString(unusedBits: number, content: Uint8Array): Buffer {
  return element(0x03, Buffer.from([unusedBits]), content);
}

function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  const bytes = [first * 40 + second];
  for (const part of rest) {
    const group = [part % 128];
    for (let high = Math.floor(part / 128); high > 0; high = Math.floor(high / 128)) {
      group.unshift((high % 128) | 0x80);
    }
    bytes.push(...group);
  }
  return element(0x06, Buffer.from(bytes));
}

function time(moment: Date): Buffer {
  const digits = moment.toISOString().replace(/\.\d+/, '').replace(/[-:T]/g, '');
  // X.509 wants two-digit years until 2049 and four digits from then on.
  return moment.getUTCFullYear() < 2050
    ? element(0x17, Buffer.from(digits.slice(2), 'ascii'))
    : element(0x18, Buffer.from(digits, 'ascii'));
}
