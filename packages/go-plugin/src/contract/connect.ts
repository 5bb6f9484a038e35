// A channel to one process, with the clients and the health check that go over it.
import { create, type DescService } from '@bufbuild/protobuf';
import {
  type Channel,
  type Client,
  credentials,
  makeGenericClientConstructor,
  type ServiceError,
  status,
} from '@grpc/grpc-js';
import {
  Health,
  HealthCheckRequestSchema,
  HealthCheckResponse_ServingStatus,
  type HealthCheckResponse,
} from '../gen/grpc/health/v1/health_pb.js';
import { EndingChannel } from './ending-channel.js';
import { channelOptions } from './grpc-options.js';
import { serviceDefinition } from './service.js';
import { clientCredentials, type MutualTls } from './transport-security.js';

/** The service name under which go-plugin reports its health. */
export const HEALTH_SERVICE = 'plugin';

/** Opens a channel; the connection is made by the first call. */
export function openChannel(
  network: 'unix' | 'tcp',
  address: string,
  tls: MutualTls | undefined,
): EndingChannel {
  const target = network === 'unix' ? `unix:${address}` : `dns:${address}`;
  return new EndingChannel(target, clientCredentials(tls), channelOptions);
}

/** A grpc-js client for one service on a channel that exists. Closing it closes the channel. */
export function clientOn(channel: Channel, descriptor: DescService): Client {
  const ServiceClient = makeGenericClientConstructor(
    serviceDefinition(descriptor),
    descriptor.typeName,
  );
  // With a channel given, address and credentials are not looked at.
  return new ServiceClient('', credentials.createInsecure(), { channelOverride: channel });
}

/** One health check. Rejects with the ServiceError of grpc-js, or an Error that names the state. */
export function checkHealth(channel: Channel, timeoutMs: number): Promise<void> {
  const method = serviceDefinition(Health).check;
  const client = clientOn(channel, Health);
  return new Promise((resolve, reject) => {
    client.makeUnaryRequest(
      method.path,
      method.requestSerialize,
      method.responseDeserialize,
      create(HealthCheckRequestSchema, { service: HEALTH_SERVICE }),
      { deadline: Date.now() + timeoutMs },
      (error: ServiceError | null, response?: HealthCheckResponse) => {
        if (error !== null) return reject(error);
        const state = response?.status ?? HealthCheckResponse_ServingStatus.UNKNOWN;
        if (state === HealthCheckResponse_ServingStatus.SERVING) return resolve();
        reject(new Error(`it reports ${HealthCheckResponse_ServingStatus[state] ?? state}`));
      },
    );
  });
}

/** One short clause for a failed call: the code's name and what the library said. */
export function describeCallError(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'number') {
    const details = 'details' in error ? String(error.details) : error.message;
    return `${status[error.code] ?? error.code}: ${details}`;
  }
  return error instanceof Error ? error.message : String(error);
}
