// Bytes ↔ messages for every message of the protocol. Use these, not protobuf-es's toBinary and fromBinary.
import { type DescMessage, fromBinary, type MessageShape, toBinary } from '@bufbuild/protobuf';

/** Encodes a message. */
export function encodeMessage<D extends DescMessage>(
  desc: D,
  message: MessageShape<D>,
): Uint8Array {
  return toBinary(desc, message);
}

/** Decodes a message of a peer. */
export function decodeMessage<D extends DescMessage>(desc: D, bytes: Uint8Array): MessageShape<D> {
  return fromBinary(desc, bytes, { recursionLimit: 1200 });
}
