// The plugin's side of the broker: remembers what the host announced and dials it. It dials only;
// it offers no service of its own.
import { create } from '@bufbuild/protobuf';
import {
  type ConnInfo,
  ConnInfo_KnockSchema,
  ConnInfoSchema,
  GRPCBroker,
} from '../gen/plugin/plugin_pb.js';
import { clientOn, openChannel } from '../contract/connect.js';
import { grpcService } from '../contract/service.js';
import type { MutualTls } from '../contract/transport-security.js';
import type { BrokerConnection, GrpcService, PluginBroker } from '../types.js';

const DIAL_TIMEOUT_MS = 5_000;

type Announcement = Pick<ConnInfo, 'network' | 'address'>;

/** The service for the host's announcements and the broker that uses them. */
export function pluginBroker(tls: MutualTls | undefined): {
  readonly service: GrpcService;
  readonly broker: PluginBroker;
  /** Socket paths that the host announced. */
  announced(): string[];
  close(): void;
} {
  const announced = new Map<number, Announcement>();
  const waiting = new Map<number, Set<(announcement: Announcement) => void>>();
  const connections = new Set<BrokerConnection>();
  const streams = new Set<{ end(): void }>();

  const service = grpcService(GRPCBroker, {
    startStream: (stream) => {
      streams.add(stream);
      stream.on('close', () => streams.delete(stream));
      stream.on('data', (info: ConnInfo) => {
        if (info.knock?.knock === true) {
          // Multiplexing was declined in the handshake; a host that knocks all the same gets a
          // reason instead of silence.
          if (info.knock.ack) return;
          const error = 'this plugin does not multiplex the broker';
          const knock = create(ConnInfo_KnockSchema, { knock: true, ack: true, error });
          stream.write(create(ConnInfoSchema, { serviceId: info.serviceId, knock }));
          return;
        }
        announced.set(info.serviceId, info);
        for (const resume of waiting.get(info.serviceId) ?? []) resume(info);
        waiting.delete(info.serviceId);
      });
      stream.on('end', () => stream.end());
      // The connection broke; the host watch decides what that means.
      stream.on('error', () => {});
    },
  });

  const announcement = (id: number, timeoutMs: number): Promise<Announcement> => {
    const known = announced.get(id);
    if (known !== undefined) return Promise.resolve(known);
    return new Promise((resolve, reject) => {
      const waiters = waiting.get(id) ?? new Set();
      waiting.set(id, waiters);
      const timer = setTimeout(() => {
        waiters.delete(resume);
        reject(
          new Error(`the host announced no service under broker id ${id} within ${timeoutMs} ms`),
        );
      }, timeoutMs);
      const resume = (info: Announcement) => {
        clearTimeout(timer);
        resolve(info);
      };
      waiters.add(resume);
    });
  };

  return {
    service,
    broker: {
      dial: async (id, timeoutMs = DIAL_TIMEOUT_MS) => {
        const deadline = Date.now() + timeoutMs;
        const { network, address } = await announcement(id, timeoutMs);
        if (network !== 'unix' && network !== 'tcp') {
          throw new Error(`the host announced broker id ${id} on an unknown network "${network}"`);
        }
        const channel = openChannel(network, address, tls);
        try {
          await reachable(channel, deadline);
        } catch (error) {
          channel.close();
          throw new Error(`broker id ${id} at ${network} ${address} cannot be reached`, {
            cause: error,
          });
        }
        const connection: BrokerConnection = {
          client: (descriptor) => clientOn(channel, descriptor),
          close: () => {
            connections.delete(connection);
            channel.end('the connection to the host was closed');
          },
        };
        connections.add(connection);
        return connection;
      },
    },
    announced: () =>
      [...announced.values()].filter((at) => at.network === 'unix').map((at) => at.address),
    close: () => {
      for (const connection of connections) connection.close();
      for (const stream of streams) stream.end();
    },
  };
}

function reachable(channel: ReturnType<typeof openChannel>, deadline: number): Promise<void> {
  return new Promise((resolve, reject) => {
    clientOn(channel, GRPCBroker).waitForReady(deadline, (error) => {
      if (error === undefined) resolve();
      else reject(error);
    });
  });
}
