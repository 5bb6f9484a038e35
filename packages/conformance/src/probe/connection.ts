// gRPC with bytes instead of messages: any bytes can be sent, and what comes back is kept as it came.
import type { Socket } from 'node:net';
import { createSecureContext } from 'node:tls';
import {
  ChannelCredentials,
  type ChannelOptions,
  Client,
  type ClientDuplexStream,
  type Metadata,
  type ServiceError,
  status,
} from '@grpc/grpc-js';
import { type Certificate, type HandshakeLine } from '@tenon/go-plugin';
import type { Transcript } from './transcript.js';

/** How a call ended, with what a status carries. */
export interface Status {
  readonly code: number;
  readonly details: string;
  readonly statusDetailsBin?: Uint8Array;
}

export type Answer =
  | { readonly ok: true; readonly bytes: Buffer }
  | { readonly ok: false; readonly status: Status };

export interface StreamOptions {
  readonly deadlineMs: number;
  /** Aborting it cancels the call, which is how a kernel does it. */
  readonly signal?: AbortSignal;
  readonly onMessage?: (bytes: Buffer) => void;
}

export interface Streamed {
  readonly messages: readonly Buffer[];
  readonly status: Status;
}

export interface Connection {
  ready(timeoutMs: number): Promise<void>;
  unary(path: string, request: Buffer, deadlineMs: number): Promise<Answer>;
  serverStream(path: string, request: Buffer, options: StreamOptions): Promise<Streamed>;
  bidi(path: string, deadlineMs?: number): ClientDuplexStream<Buffer, Buffer>;
  close(): void;
}

const OPTIONS: ChannelOptions = {
  'grpc.max_receive_message_length': -1,
  'grpc.max_send_message_length': -1,
  'grpc.use_local_subchannel_pool': 1,
  'grpc.enable_retries': 0,
  'grpc.enable_http_proxy': 0,
  'grpc.enable_channelz': 0,
  'grpc.default_authority': 'localhost',
  'grpc.ssl_target_name_override': 'localhost',
  'grpc.initial_reconnect_backoff_ms': 20,
  'grpc.max_reconnect_backoff_ms': 200,
};

/** Opens a channel to the address of a handshake line. `own` undefined: plain text. */
export function connect(
  line: HandshakeLine,
  own: Certificate | undefined,
  transcript: Transcript,
): Connection {
  const target = line.network === 'unix' ? `unix:${line.address}` : `dns:${line.address}`;
  const secured = credentials(line, own);
  const sockets = noteSockets(secured);
  const client = new Client(target, secured, OPTIONS);
  const keep = (path: string) => (bytes: Buffer) => {
    const copy = Buffer.from(bytes);
    transcript.add(path, copy);
    return copy;
  };
  return {
    ready: (timeoutMs) =>
      new Promise((resolve, reject) => {
        client.waitForReady(Date.now() + timeoutMs, (error) =>
          error === undefined || error === null ? resolve() : reject(error),
        );
      }),
    unary: (path, request, deadlineMs) =>
      new Promise((resolve) => {
        client.makeUnaryRequest(
          path,
          same,
          keep(path),
          request,
          { deadline: Date.now() + deadlineMs },
          (error: ServiceError | null, bytes?: Buffer) => {
            if (error === null) resolve({ ok: true, bytes: bytes ?? Buffer.alloc(0) });
            else resolve({ ok: false, status: readStatus(error, path, transcript) });
          },
        );
      }),
    serverStream: (path, request, options) =>
      new Promise((resolve) => {
        const messages: Buffer[] = [];
        const call = client.makeServerStreamRequest(path, same, keep(path), request, {
          deadline: Date.now() + options.deadlineMs,
        });
        const cancel = (): void => call.cancel();
        options.signal?.addEventListener('abort', cancel);
        if (options.signal?.aborted === true) cancel();
        let ended: Status | undefined;
        const finish = (found: Status): void => {
          if (ended !== undefined) return;
          ended = found;
          options.signal?.removeEventListener('abort', cancel);
          resolve({ messages, status: found });
        };
        call.on('data', (bytes: Buffer) => {
          messages.push(bytes);
          options.onMessage?.(bytes);
        });
        // The status comes as an event of its own too; the error is the same.
        call.on('error', (error: ServiceError) => finish(readStatus(error, path, transcript)));
        call.on('status', (found: { code: number; details: string; metadata: Metadata }) => {
          if (found.code === OK) finish({ code: 0, details: found.details });
        });
      }),
    bidi: (path, deadlineMs) => {
      const call = client.makeBidiStreamRequest<Buffer, Buffer>(
        path,
        same,
        keep(path),
        deadlineMs === undefined ? {} : { deadline: Date.now() + deadlineMs },
      );
      return call;
    },
    close: () => {
      client.close();
      // A session with a write under way may never notice that its peer is gone; its socket would keep us running.
      setTimeout(() => {
        for (const socket of sockets) socket.destroy();
      }, LAST_DATA_MS);
    },
  };
}

const OK: number = status.OK;
// How long what the peer sent before its end may take to be read.
const LAST_DATA_MS = 100;
const same = (bytes: Buffer): Buffer => bytes;

function readStatus(error: ServiceError, path: string, transcript: Transcript): Status {
  transcript.add(`${path} status`, error.details ?? '');
  for (const [key, value] of Object.entries(error.metadata?.getMap() ?? {})) {
    transcript.add(`${path} trailer ${key}`, value);
  }
  const bin = error.metadata?.get('grpc-status-details-bin')[0];
  return {
    code: error.code,
    details: error.details,
    ...(Buffer.isBuffer(bin) ? { statusDetailsBin: bin } : {}),
  };
}

/** The open sockets that are connected with these credentials, which must be of one channel alone. */
function noteSockets(of: ChannelCredentials): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  // oxlint-disable-next-line no-underscore-dangle -- grpc-js has no other way to the socket of a TLS connection.
  const create = of._createSecureConnector.bind(of);
  // oxlint-disable-next-line no-underscore-dangle
  of._createSecureConnector = (...details) => {
    const connector = create(...details);
    const open = connector.connect.bind(connector);
    connector.connect = (socket) => {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
      return open(socket);
    };
    return connector;
  };
  return sockets;
}

function credentials(line: HandshakeLine, own: Certificate | undefined): ChannelCredentials {
  if (line.certificate === undefined) return ChannelCredentials.createInsecure();
  const der = line.certificate;
  const pem = `-----BEGIN CERTIFICATE-----\n${der.toString('base64')}\n-----END CERTIFICATE-----\n`;
  const context = createSecureContext({
    ca: pem,
    ...(own === undefined ? {} : { cert: own.certPem, key: own.keyPem }),
    minVersion: 'TLSv1.2',
  });
  return ChannelCredentials.createFromSecureContext(context, {
    checkServerIdentity: (_host, shown) =>
      shown.raw.equals(der)
        ? undefined
        : new Error('the server shows another certificate than that of its handshake line'),
  });
}

/** A status in words: the code's name and the message. */
export function describeStatus({ code, details }: Status): string {
  return `${status[code] ?? `status ${code}`}${details === '' ? ' without a message' : `: ${details}`}`;
}
