// A grpc server on a socket of ours: it listens, hands each connection to grpc-js, and knows how
// many connections there are (grpc-js does not say). Used for the plugin and for the host's broker.
import { chmodSync } from 'node:fs';
import { createServer, type Server as NetServer, type Socket } from 'node:net';
import { type ChannelOptions, Server } from '@grpc/grpc-js';
import type { GrpcService } from '../types.js';
import { serverOptions } from './grpc-options.js';
import { type MutualTls, serverCredentials } from './transport-security.js';

/** Where to listen: a socket path, or the first free port of a range on the loopback. */
export type ListenAddress =
  | { readonly network: 'unix'; readonly path: string }
  | { readonly network: 'tcp'; readonly minPort: number; readonly maxPort: number };

/** A server that is listening. */
export interface Listener {
  readonly network: 'unix' | 'tcp';
  /** As it is announced to the other side. */
  readonly address: string;
  /** Called with the number of open connections whenever it changes. */
  onConnections(observer: (open: number) => void): void;
  /** Ends open calls, waits `graceMs` for them, then cuts what is left. */
  close(graceMs: number): Promise<void>;
}

/** Starts serving. Raises the listen error of the socket. */
export async function listen(
  address: ListenAddress,
  services: readonly GrpcService[],
  tls: MutualTls | undefined,
  options: ChannelOptions = serverOptions,
): Promise<Listener> {
  const server = new Server(options);
  for (const service of services) server.addService(service.definition, service.implementation);
  const injector = server.createConnectionInjector(serverCredentials(tls));
  const open = new Set<Socket>();
  let observer: (count: number) => void = () => {};
  const net = createServer((socket) => {
    open.add(socket);
    // What broke a connection reaches its calls; without a listener it would end the process.
    socket.on('error', () => socket.destroy());
    socket.once('close', () => {
      open.delete(socket);
      observer(open.size);
    });
    if (address.network === 'tcp') socket.setNoDelay(true);
    observer(open.size);
    injector.injectConnection(socket);
  });
  const bound = await bind(net, address);
  return {
    network: address.network,
    address: bound,
    onConnections: (next) => {
      observer = next;
    },
    close: (graceMs) => shutDown(server, net, open, graceMs),
  };
}

async function bind(net: NetServer, address: ListenAddress): Promise<string> {
  if (address.network === 'unix') {
    await listenOnce(net, { path: address.path });
    chmodSync(address.path, 0o600);
    return address.path;
  }
  for (let port = address.minPort; port <= address.maxPort; port += 1) {
    try {
      await listenOnce(net, { host: '127.0.0.1', port });
      const bound = net.address();
      if (bound !== null && typeof bound === 'object') return `127.0.0.1:${bound.port}`;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    }
  }
  throw new Error(
    `no free TCP port between ${address.minPort} and ${address.maxPort} on 127.0.0.1 ` +
      '(PLUGIN_MIN_PORT, PLUGIN_MAX_PORT)',
  );
}

function listenOnce(
  net: NetServer,
  where: { path: string } | { host: string; port: number },
): Promise<void> {
  return new Promise((resolve, reject) => {
    net.once('error', reject);
    net.listen(where, () => {
      net.removeListener('error', reject);
      resolve();
    });
  });
}

async function shutDown(
  server: Server,
  net: NetServer,
  open: ReadonlySet<Socket>,
  graceMs: number,
): Promise<void> {
  const closed = new Promise<void>((resolve) => net.close(() => resolve()));
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, graceMs);
    server.tryShutdown(() => {
      clearTimeout(timer);
      resolve();
    });
  });
  server.forceShutdown();
  for (const socket of open) socket.destroy();
  await closed;
}
