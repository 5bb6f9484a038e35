// A channel that can be told that its peer is gone for good. grpc-js throws from every call on a
// closed channel; callers of a plugin that died should get an ordinary UNAVAILABLE that says why.
import type { Socket } from 'node:net';
import {
  Channel,
  type ChannelCredentials,
  type ChannelInterface,
  type ChannelOptions,
  Metadata,
  status,
} from '@grpc/grpc-js';

/** How long what the peer sent before its end may take to be read. */
const LAST_DATA_MS = 100;

type Call = ReturnType<ChannelInterface['createCall']>;

/** A grpc-js channel whose calls fail with UNAVAILABLE and a reason once it has been ended. */
export class EndingChannel extends Channel {
  #reason: string | undefined;
  readonly #sockets: ReadonlySet<Socket>;

  constructor(target: string, credentials: ChannelCredentials, options: ChannelOptions) {
    const sockets = new Set<Socket>();
    noteSockets(credentials, sockets);
    super(target, credentials, options);
    this.#sockets = sockets;
  }

  /** Whether {@link end} was called. */
  get ended(): boolean {
    return this.#reason !== undefined;
  }

  /** Closes the channel. `reason` becomes the details of every later call. */
  end(reason: string): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    super.close();
    // A session with a write under way does not read, and so may never notice that its peer is gone: its socket
    // would stay open for ever, and with it this process.
    setTimeout(() => {
      for (const socket of this.#sockets) socket.destroy();
    }, LAST_DATA_MS);
  }

  override close(): void {
    this.end('the channel was closed');
  }

  override createCall(...details: Parameters<ChannelInterface['createCall']>): Call {
    return this.#reason === undefined ? super.createCall(...details) : failedCall(this.#reason);
  }
}

/** Keeps the open sockets that are connected with these credentials, which must be this channel's alone. */
function noteSockets(credentials: ChannelCredentials, sockets: Set<Socket>): void {
  // oxlint-disable-next-line no-underscore-dangle -- public in its type, and there is no other way in
  const create = credentials._createSecureConnector.bind(credentials);
  // oxlint-disable-next-line no-underscore-dangle
  credentials._createSecureConnector = (...details) => {
    const connector = create(...details);
    const connect = connector.connect.bind(connector);
    connector.connect = (socket) => {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
      return connect(socket);
    };
    return connector;
  };
}

function failedCall(reason: string): Call {
  return {
    start: (_metadata, listener) => {
      process.nextTick(() => {
        listener.onReceiveStatus({
          code: status.UNAVAILABLE,
          details: reason,
          metadata: new Metadata(),
        });
      });
    },
    cancelWithStatus: () => {},
    getPeer: () => 'none',
    sendMessageWithContext: (context) => {
      if (context.callback !== undefined) process.nextTick(context.callback);
    },
    startRead: () => {},
    halfClose: () => {},
    getCallNumber: () => 0,
    setCredentials: () => {},
    getAuthContext: () => null,
  };
}
