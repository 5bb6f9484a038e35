// Runs this process as a plugin, step by step: cookie, version, certificate, socket, handshake
// line; then until the host asks it to stop, or is gone.
import { X509Certificate } from 'node:crypto';
import { writeSync } from 'node:fs';
import { create } from '@bufbuild/protobuf';
import { EmptySchema, GRPCController } from '../gen/plugin/plugin_pb.js';
import { generateCertificate } from '../contract/certificate.js';
import { ENV } from '../contract/env.js';
import { formatHandshakeLine } from '../contract/handshake-line.js';
import { listen } from '../contract/listener.js';
import { grpcService } from '../contract/service.js';
import type { MutualTls } from '../contract/transport-security.js';
import type { GrpcService, Handshake, ServedPlugin, ServeOptions } from '../types.js';
import { chooseAddress, openToGroup, removeOrphans } from './address.js';
import { pluginBroker } from './broker.js';
import { healthService } from './health.js';
import { watchHost } from './host-watch.js';
import { killOwnGroup } from './own-group.js';
import { reflectionServices } from './reflection.js';
import { captureStdio, type StdioCapture } from './stdio.js';

// Open calls may finish for this long once a shutdown has begun; Go's host kills after two seconds.
const CLOSE_GRACE_MS = 500;
// With the host gone nobody kills: this much for onShutdown, then out.
const HOSTLESS_GRACE_MS = 5_000;

/**
 * Serves the given services to the host that started this process. Without the host's cookie it
 * tells the human on stderr and exits with 1; it does the same with the reason when it cannot
 * listen. Ends the process after the host's Shutdown call, on SIGTERM and when the host is gone;
 * ignores SIGINT, which a terminal sends to the host's whole group.
 */
export async function serve(options: ServeOptions): Promise<ServedPlugin> {
  requireCookie(options);
  // From here on a stray console.log is no longer in the way of the handshake.
  const stdio = captureStdio();
  try {
    return await start(options, stdio);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return leave(`${options.displayName ?? 'this plugin'} cannot serve: ${reason}`);
  }
}

async function start(options: ServeOptions, stdio: StdioCapture): Promise<ServedPlugin> {
  const protocolVersion = chooseVersion(options.handshake);
  const tls = offeredTls();
  const broker = pluginBroker(tls);
  const place = chooseAddress();
  if (place.note !== undefined) console.error(place.note);

  let hostless = false;
  const shutdown = shutdownOnce(options, async () => {
    watch.dispose();
    stdio.end();
    broker.close();
    await listener.close(CLOSE_GRACE_MS);
    place.remove();
    if (hostless && place.hostDir !== undefined) removeOrphans(place.hostDir, broker.announced());
  });
  const watch = watchHost((sign) => {
    console.error(`${sign}: this plugin ends`);
    hostless = true;
    process.on('exit', killOwnGroup);
    setTimeout(() => process.exit(1), HOSTLESS_GRACE_MS).unref();
    shutdown.andExit();
  });
  const services = [
    ...options.services,
    healthService(),
    stdio.service,
    broker.service,
    controllerService(() => shutdown.andExit()),
  ];
  const listener = await listen(place.address, [...services, ...reflectionServices(services)], tls);
  listener.onConnections((open) => watch.connections(open));
  if (listener.network === 'unix') openToGroup(listener.address);
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => shutdown.andExit());

  const line = formatHandshakeLine({
    protocolVersion,
    network: listener.network,
    address: listener.address,
    ...(tls !== undefined && { certificate: tls.own.der }),
    // A host that can multiplex the broker reads a seventh field, and takes "false" for an answer.
    ...(process.env[ENV.multiplex] && { multiplex: false }),
  });
  writeSync(1, `${line}\n`);
  return {
    protocolVersion,
    broker: broker.broker,
    closed: shutdown.closed,
    close: () => shutdown.now(),
  };
}

interface Shutdown {
  readonly closed: Promise<void>;
  /** Runs the author's `onShutdown`, then closes. A second call waits for the first. */
  now(): Promise<void>;
  /** The same, and then the process ends. */
  andExit(): void;
}

function shutdownOnce(options: ServeOptions, closeAll: () => Promise<void>): Shutdown {
  let running: Promise<void> | undefined;
  let markClosed = () => {};
  const closed = new Promise<void>((resolve) => {
    markClosed = resolve;
  });
  const now = () => {
    running ??= (async () => {
      try {
        await options.onShutdown?.();
      } finally {
        await closeAll();
        markClosed();
      }
    })();
    return running;
  };
  const andExit = () => {
    now().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error('the shutdown failed:', error);
        process.exit(1);
      },
    );
  };
  return { closed, now, andExit };
}

function controllerService(onShutdown: () => void): GrpcService {
  return grpcService(GRPCController, {
    shutdown: (_call, callback) => {
      callback(null, create(EmptySchema));
      // After the answer is on its way.
      setImmediate(onShutdown);
    },
  });
}

function requireCookie({ handshake, displayName }: ServeOptions): void {
  const { cookieKey, cookieValue } = handshake;
  if (cookieKey !== '' && cookieValue !== '' && process.env[cookieKey] === cookieValue) return;
  leave(
    `${displayName ?? 'This program'} is a plugin. It is started by the program that uses it and ` +
      'does nothing by itself.',
  );
}

// The highest version that both sides know. Without one, the lowest of ours: the host refuses it
// and says what it wanted, which is better than a plugin that just exits.
function chooseVersion({ protocolVersions }: Handshake): number {
  const accepted = (process.env[ENV.protocolVersions] ?? '').split(',').map(Number);
  const common = protocolVersions.filter((version) => accepted.includes(version));
  if (common.length > 0) return Math.max(...common);
  if (protocolVersions.length === 0) throw new Error('handshake.protocolVersions is empty');
  return Math.min(...protocolVersions);
}

function offeredTls(): MutualTls | undefined {
  const pem = process.env[ENV.clientCert];
  if (pem === undefined || pem === '') return undefined;
  try {
    return { own: generateCertificate(), peerDer: new X509Certificate(pem).raw };
  } catch (error) {
    throw new Error(`${ENV.clientCert} holds no certificate`, { cause: error });
  }
}

function leave(message: string): never {
  writeSync(2, `${message}\n`);
  process.exit(1);
}
