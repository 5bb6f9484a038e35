// A stream that belongs to a connection rather than to a call: opened again when the connection was
// lost and the plugin lives on, which HTTP/2 allows and Node does (a burst of more than a thousand
// cancelled calls makes its server drop the connection).
import { type ClientReadableStream, Metadata, status } from '@grpc/grpc-js';
import type { EndingChannel } from '../contract/ending-channel.js';

const PAUSE_MS = 50;

/** Metadata with which a call waits for the connection instead of failing without one. */
export const waiting = new Metadata({ waitForReady: true });

/**
 * Keeps the stream that `open` makes. It is not opened again once the plugin has ended it in good
 * order or does not know the method, nor after `channel` was ended or the returned function called.
 */
export function keepOpen(
  channel: EndingChannel,
  open: () => Pick<ClientReadableStream<unknown>, 'on' | 'cancel'>,
): () => void {
  let stopped = false;
  let current: ReturnType<typeof open> | undefined;
  const next = () => {
    if (stopped || channel.ended) return;
    current = open();
    current.on('error', (error: Error & { code?: number }) => {
      if (error.code === status.UNIMPLEMENTED) return;
      setTimeout(next, PAUSE_MS).unref();
    });
  };
  next();
  return () => {
    stopped = true;
    current?.cancel();
  };
}
