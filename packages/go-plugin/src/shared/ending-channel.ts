// A channel that can be told that its peer is gone for good. grpc-js throws from every call on a
// closed channel; callers of a plugin that died should get an ordinary UNAVAILABLE that says why.
import { Channel, type ChannelInterface, connectivityState, Metadata, status } from '@grpc/grpc-js';

/** How long a connect may take that was under way when the peer ended. */
const CONNECT_MS = 1_000;

type Call = ReturnType<ChannelInterface['createCall']>;

/** A grpc-js channel whose calls fail with UNAVAILABLE and a reason once it has been ended. */
export class EndingChannel extends Channel {
  #reason: string | undefined;

  /** Whether {@link end} was called. */
  get ended(): boolean {
    return this.#reason !== undefined;
  }

  /** Closes the channel. `reason` becomes the details of every later call. */
  end(reason: string): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    this.#closeBetweenConnects();
  }

  // A channel that is closed in the middle of a connect leaves that socket open for ever, and with it
  // the process: grpc-js 1.14 drops it without closing it.
  #closeBetweenConnects(): void {
    const now = this.getConnectivityState(false);
    if (now !== connectivityState.CONNECTING) {
      super.close();
      return;
    }
    this.watchConnectivityState(now, Date.now() + CONNECT_MS, () => super.close());
  }

  override close(): void {
    this.end('the channel was closed');
  }

  override createCall(...details: Parameters<ChannelInterface['createCall']>): Call {
    return this.#reason === undefined ? super.createCall(...details) : failedCall(this.#reason);
  }
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
