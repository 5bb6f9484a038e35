// The health service of a plugin: serving for as long as it lives.
import { create } from '@bufbuild/protobuf';
import { status } from '@grpc/grpc-js';
import {
  Health,
  HealthCheckResponse_ServingStatus as State,
  HealthCheckResponseSchema,
} from '../gen/grpc/health/v1/health_pb.js';
import { HEALTH_SERVICE } from '../contract/connect.js';
import { grpcService } from '../contract/service.js';
import type { GrpcService } from '../types.js';

/** Answers SERVING for the plugin and for the server as a whole, and nothing else. */
export function healthService(): GrpcService {
  const known = (service: string) => service === HEALTH_SERVICE || service === '';
  return grpcService(Health, {
    check: (call, callback) => {
      const { service } = call.request;
      if (known(service)) {
        callback(null, create(HealthCheckResponseSchema, { status: State.SERVING }));
      } else {
        callback({ code: status.NOT_FOUND, details: `unknown service "${service}"` });
      }
    },
    // Open until the connection ends, as the protocol wants it.
    watch: (stream) => {
      const state = known(stream.request.service) ? State.SERVING : State.SERVICE_UNKNOWN;
      stream.write(create(HealthCheckResponseSchema, { status: state }));
    },
  });
}
