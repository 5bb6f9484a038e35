// A provider as a subprocess, spoken to over gRPC: each method of the protocol, from domain types to bytes and
// back. One stream per call; the process behind it is process-link's.
import {
  decodeMessage,
  encodeMessage,
  extensionV1,
  hookAnswerFromWire,
  hookDispatchToWire,
  hookV1,
  identityFromWire,
  isUnimplemented,
  providerSchemaFromWire,
  type ReadProviderSchema,
  renderTreeFromWire,
  toolCallToWire,
  ToolError,
  toolV1,
} from '@tenon/protocol';
import type { ProviderConnection } from '../catalog/model.js';
import { type GrpcCall, callOnce, StatusError } from './grpc-call.js';
import { invocation } from './grpc-invocation.js';
import { type ProcessOptions, startProcess } from './process-link.js';

/** A connection that also tells everything that is wrong with a provider's schema (KND-03). */
export interface ReadingConnection extends ProviderConnection {
  readSchema(): Promise<ReadProviderSchema>;
}

const TOOL = '/pluggableharness.tool.v1.ToolService';
const EXTENSION = '/tenon.extension.v1.ToolExtensionService';
const HOOK = '/pluggableharness.hook.v1.HookSubscriberService';

/** A schema larger than this is a mistake, or an attempt to fill the kernel's memory. */
const MAX_SCHEMA_BYTES = 16 * 1024 * 1024;

/** Starts the process and connects. Rejects with LaunchError; the methods of the result with ToolError. */
export async function openGrpcConnection(options: ProcessOptions): Promise<ReadingConnection> {
  const { provider } = options;
  const link = await startProcess(options);
  /** Whether it serves our extension: known once the schema was read. */
  let extended = false;

  /** Undefined for a method that the provider does not serve (RPC-07). */
  async function optional(
    path: string,
    request: Buffer,
    signal?: AbortSignal,
  ): Promise<Buffer | undefined> {
    let call: GrpcCall | undefined;
    try {
      return await callOnce(link.channel, path, request, {
        ...(signal === undefined ? {} : { signal }),
        onStart(started) {
          call = started;
          link.track(started);
        },
      });
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      if (isUnimplemented(error.status)) return undefined;
      if (signal?.aborted === true) {
        throw new ToolError(
          { category: 'cancelled', message: `${path} was cancelled`, retryable: false },
          { cause: error },
        );
      }
      throw new ToolError(await link.failureOf(error.status, request.length), { cause: error });
    } finally {
      if (call !== undefined) link.release(call);
    }
  }

  async function required(method: string, request: Buffer): Promise<Buffer> {
    const answer = await optional(`${TOOL}/${method}`, request);
    if (answer !== undefined) return answer;
    throw protocolError(
      `does not serve ${method}, which every tool provider must (RPC-01, RPC-02)`,
    );
  }

  function readable<T>(method: string, read: () => T): T {
    try {
      return read();
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw protocolError(`answered ${method} with a message that cannot be read: ${why}`, error);
    }
  }

  function protocolError(what: string, cause?: unknown): ToolError {
    return new ToolError(
      { category: 'unknown', message: `Provider ${provider} ${what}.`, retryable: false },
      { cause },
    );
  }

  async function readSchema(): Promise<ReadProviderSchema> {
    const bytes = await required('GetSchema', GET_SCHEMA);
    if (bytes.length > MAX_SCHEMA_BYTES) {
      throw protocolError(
        `has a schema of ${bytes.length} bytes; at most ${MAX_SCHEMA_BYTES} are read`,
      );
    }
    const response = readable('GetSchema', () =>
      decodeMessage(toolV1.GetSchemaResponseSchema, bytes),
    );
    const extension = await optional(`${EXTENSION}/GetExtensions`, GET_EXTENSIONS);
    extended = extension !== undefined;
    if (extension === undefined) return providerSchemaFromWire(response);
    return providerSchemaFromWire(
      response,
      readable('GetExtensions', () =>
        decodeMessage(extensionV1.GetExtensionsResponseSchema, extension),
      ),
    );
  }

  return {
    incarnation: options.incarnation,
    pid: link.pid,
    closed: link.closed,
    stop: () => link.stop(),
    kill: (reason) => link.kill(reason),
    readSchema,
    schema: async () => (await readSchema()).schema,
    invoke: (call, { signal }) => ({
      [Symbol.asyncIterator]: () => invocation(link, call, signal, extended),
    }),
    async describe() {
      const bytes = await required('Describe', DESCRIBE);
      const { producer } = readable('Describe', () =>
        decodeMessage(toolV1.DescribeResponseSchema, bytes),
      );
      if (producer === undefined) throw protocolError('answered Describe without an identity');
      return identityFromWire(producer);
    },
    async configure(config) {
      const request = encodeMessage(toolV1.ConfigureRequestSchema, {
        $typeName: 'pluggableharness.tool.v1.ConfigureRequest',
        config: config as NonNullable<toolV1.ConfigureRequest['config']>,
      });
      await required('Configure', request);
    },
    async preview(call, { signal }) {
      const request = encodeMessage(toolV1.PreviewRequestSchema, {
        $typeName: 'pluggableharness.tool.v1.PreviewRequest',
        call: toolCallToWire(call),
      });
      const bytes = await optional(`${TOOL}/Preview`, request, signal);
      if (bytes === undefined) return undefined;
      return readable('Preview', () => {
        const { preview } = decodeMessage(toolV1.PreviewResponseSchema, bytes);
        return preview === undefined ? undefined : renderTreeFromWire(preview);
      });
    },
    async render(payload, schemaVersion) {
      const request = encodeMessage(toolV1.RenderRequestSchema, {
        $typeName: 'pluggableharness.tool.v1.RenderRequest',
        payload,
        schemaVersion,
      });
      const bytes = await optional(`${TOOL}/Render`, request);
      if (bytes === undefined) return undefined;
      return readable('Render', () => {
        const { tree } = decodeMessage(toolV1.RenderResponseSchema, bytes);
        return tree === undefined ? undefined : renderTreeFromWire(tree);
      });
    },
    async dispatchHook(dispatch, { signal }) {
      const request = encodeMessage(hookV1.DispatchHookRequestSchema, hookDispatchToWire(dispatch));
      const bytes = await optional(`${HOOK}/DispatchHook`, request, signal);
      if (bytes === undefined) return undefined;
      const answer = readable('DispatchHook', () =>
        hookAnswerFromWire(decodeMessage(hookV1.DispatchHookResponseSchema, bytes)),
      );
      if (answer.ok) return answer.value;
      const problems = answer.violations.map(({ message }) => message).join('; ');
      throw protocolError(`answered a hook with what cannot be read: ${problems}`);
    },
  };
}

const DESCRIBE = encodeMessage(toolV1.DescribeRequestSchema, {
  $typeName: 'pluggableharness.tool.v1.DescribeRequest',
});
const GET_SCHEMA = encodeMessage(toolV1.GetSchemaRequestSchema, {
  $typeName: 'pluggableharness.tool.v1.GetSchemaRequest',
});
const GET_EXTENSIONS = encodeMessage(extensionV1.GetExtensionsRequestSchema, {
  $typeName: 'tenon.extension.v1.GetExtensionsRequest',
});
