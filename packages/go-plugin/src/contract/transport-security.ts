// Credentials of mutual TLS: each side trusts exactly the other's certificate.
import { createSecureContext } from 'node:tls';
import { ChannelCredentials, ServerCredentials } from '@grpc/grpc-js';
import { type Certificate, certificatePem } from './certificate.js';

/** Our certificate and the one that the peer must show. */
export interface MutualTls {
  readonly own: Certificate;
  readonly peerDer: Buffer;
}

/** Without `tls`, plain text. */
export function clientCredentials(tls: MutualTls | undefined): ChannelCredentials {
  if (tls === undefined) return ChannelCredentials.createInsecure();
  const context = createSecureContext({
    ca: certificatePem(tls.peerDer),
    cert: tls.own.certPem,
    key: tls.own.keyPem,
    minVersion: 'TLSv1.2',
  });
  return ChannelCredentials.createFromSecureContext(context, {
    // Stricter than a name: the very certificate. Some libraries put no SAN into theirs.
    checkServerIdentity: (_host, certificate) =>
      certificate.raw.equals(tls.peerDer)
        ? undefined
        : new Error('the server shows another certificate than the one it announced'),
  });
}

/** Without `tls`, plain text. With it, a client without the right certificate is turned away. */
export function serverCredentials(tls: MutualTls | undefined): ServerCredentials {
  if (tls === undefined) return ServerCredentials.createInsecure();
  return ServerCredentials.createSsl(
    Buffer.from(certificatePem(tls.peerDer)),
    [{ cert_chain: Buffer.from(tls.own.certPem), private_key: Buffer.from(tls.own.keyPem) }],
    true,
  );
}
