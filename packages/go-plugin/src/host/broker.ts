// The host's side of the broker: serves its own services on sockets of this launch alone, and
// announces where. It accepts only; it never dials a service of the plugin.
import { join } from 'node:path';
import { create } from '@bufbuild/protobuf';
import type { Channel, ClientDuplexStream } from '@grpc/grpc-js';
import { ConnInfo_KnockSchema, ConnInfoSchema, GRPCBroker } from '../gen/plugin/plugin_pb.js';
import type { ConnInfo } from '../gen/plugin/plugin_pb.js';
import { clientOn } from '../contract/connect.js';
import type { EndingChannel } from '../contract/ending-channel.js';
import { type ListenAddress, type Listener, listen } from '../contract/listener.js';
import { serviceDefinition } from '../contract/service.js';
import type { MutualTls } from '../contract/transport-security.js';
import type { GrpcService } from '../types.js';
import { keepOpen, waiting } from './lasting-stream.js';

/** The services that are being offered to one plugin. */
export interface HostBroker {
  close(): Promise<void>;
}

/** Starts listening for each id, then tells the plugin. Rejects when a socket cannot be bound. */
export async function offerServices(
  channel: EndingChannel,
  services: ReadonlyMap<number, readonly GrpcService[]>,
  tls: MutualTls | undefined,
  socketDir: string | undefined,
): Promise<HostBroker> {
  const listeners = new Map<number, Listener>();
  const close = async () => {
    await Promise.all([...listeners.values()].map((listener) => listener.close(0)));
  };
  try {
    for (const [id, offered] of services) {
      listeners.set(id, await listen(addressFor(id, socketDir), offered, tls));
    }
  } catch (error) {
    await close();
    throw error;
  }
  const stopAnnouncing = keepOpen(channel, () => {
    const stream = openStream(channel);
    for (const [id, { network, address }] of listeners) {
      stream.write(create(ConnInfoSchema, { serviceId: id, network, address }));
    }
    return stream;
  });
  return {
    close: async () => {
      stopAnnouncing();
      await close();
    },
  };
}

function addressFor(id: number, socketDir: string | undefined): ListenAddress {
  return socketDir === undefined
    ? { network: 'tcp', minPort: 0, maxPort: 0 }
    : { network: 'unix', path: join(socketDir, `host${id}`) };
}

function openStream(channel: Channel): ClientDuplexStream<ConnInfo, ConnInfo> {
  const method = serviceDefinition(GRPCBroker).startStream;
  const client = clientOn(channel, GRPCBroker);
  const stream = client.makeBidiStreamRequest(
    method.path,
    method.requestSerialize,
    method.responseDeserialize,
    waiting,
  );
  stream.on('data', (info: ConnInfo) => {
    // A knock asks for multiplexing, which was never offered. Anything else announces a service
    // of the plugin, and nobody here would dial it.
    if (info.knock?.knock !== true || info.knock.ack) return;
    const error = 'this host does not multiplex the broker';
    const knock = create(ConnInfo_KnockSchema, { knock: true, ack: true, error });
    stream.write(create(ConnInfoSchema, { serviceId: info.serviceId, knock }));
  });
  return stream;
}
