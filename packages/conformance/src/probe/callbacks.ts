// The services that a kernel offers to a provider, as the kit serves them: every request is kept and answered
// with an empty message, so that a provider that logs or emits works, and what it says can be searched.
import { createServer } from 'node:net';
import { join } from 'node:path';
import { Server, ServerCredentials, type UntypedHandleCall } from '@grpc/grpc-js';
import type { Certificate, HandshakeLine } from '@tenon/go-plugin';
import { kernelV1 } from '@tenon/protocol';
import type { Connection } from './connection.js';
import type { Transcript } from './transcript.js';
import { bytesField, varintField } from './wire.js';

const CALLBACK_ID = 1;

/** Announces the callback service on the broker. Resolves to what ends it. */
export async function offerCallbacks(
  connection: Connection,
  line: HandshakeLine,
  own: Certificate | undefined,
  socketDir: string,
  transcript: Transcript,
): Promise<() => void> {
  const server = new Server({ 'grpc.max_receive_message_length': -1 });
  server.addService(definition(transcript), handlers());
  const path = join(socketDir, 'callbacks.sock');
  const injector = server.createConnectionInjector(serverCredentials(line, own));
  const net = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    injector.injectConnection(socket);
  });
  await new Promise<void>((resolve, reject) => {
    net.once('error', reject);
    net.listen(path, resolve);
  });
  const broker = connection.bidi('/plugin.GRPCBroker/StartStream');
  // A provider without a broker has nobody to call; that is its choice.
  broker.on('error', () => {});
  broker.on('data', () => {});
  broker.write(
    Buffer.concat([varintField(1, CALLBACK_ID), bytesField(2, 'unix'), bytesField(3, path)]),
  );
  return () => {
    broker.cancel();
    net.close();
    server.forceShutdown();
  };
}

function definition(transcript: Transcript) {
  return Object.fromEntries(
    kernelV1.KernelCallbackService.methods.map((method) => [
      method.name,
      {
        path: `/${kernelV1.KernelCallbackService.typeName}/${method.name}`,
        requestStream: false,
        responseStream: false,
        requestSerialize: same,
        requestDeserialize: (bytes: Buffer) => {
          transcript.add(`callback ${method.name}`, bytes);
          return bytes;
        },
        responseSerialize: same,
        responseDeserialize: same,
      },
    ]),
  );
}

const same = (bytes: Buffer): Buffer => bytes;

function handlers(): Record<string, UntypedHandleCall> {
  const empty: UntypedHandleCall = (
    _call: unknown,
    callback: (error: null, bytes: Buffer) => void,
  ) => callback(null, Buffer.alloc(0));
  return Object.fromEntries(
    kernelV1.KernelCallbackService.methods.map((method) => [method.name, empty]),
  );
}

function serverCredentials(line: HandshakeLine, own: Certificate | undefined): ServerCredentials {
  if (line.certificate === undefined || own === undefined)
    return ServerCredentials.createInsecure();
  const trusted = line.certificate.toString('base64');
  return ServerCredentials.createSsl(
    Buffer.from(`-----BEGIN CERTIFICATE-----\n${trusted}\n-----END CERTIFICATE-----\n`),
    [{ cert_chain: Buffer.from(own.certPem), private_key: Buffer.from(own.keyPem) }],
    true,
  );
}
