// The shapes that both sides of the contract share with their callers. No behaviour lives here.
import type { DescMessage, DescService, MessageShape } from '@bufbuild/protobuf';
import type * as grpc from '@grpc/grpc-js';

/** What host and plugin must agree on before anything is spoken. */
export interface Handshake {
  /** Name of the environment variable that says "you were started by a host". */
  readonly cookieKey: string;
  /** The value that this variable must have. Not a secret: it keeps humans from running plugins. */
  readonly cookieValue: string;
  /** Versions of the application protocol that this side can speak. */
  readonly protocolVersions: readonly number[];
}

type MethodsOf<S extends DescService> = S['method'];
type Input<M> = M extends { input: infer I extends DescMessage } ? MessageShape<I> : never;
type Output<M> = M extends { output: infer O extends DescMessage } ? MessageShape<O> : never;

type Handler<M> = M extends { methodKind: 'unary' }
  ? grpc.handleUnaryCall<Input<M>, Output<M>>
  : M extends { methodKind: 'server_streaming' }
    ? grpc.handleServerStreamingCall<Input<M>, Output<M>>
    : M extends { methodKind: 'client_streaming' }
      ? grpc.handleClientStreamingCall<Input<M>, Output<M>>
      : M extends { methodKind: 'bidi_streaming' }
        ? grpc.handleBidiStreamingCall<Input<M>, Output<M>>
        : never;

/**
 * The handlers of a service, in the style of grpc-js: `(call, callback)` for a single answer,
 * `(stream)` for a streamed one. A method that is left out answers UNIMPLEMENTED.
 */
export type ServiceHandlers<S extends DescService> = {
  readonly [K in keyof MethodsOf<S>]?: Handler<MethodsOf<S>[K]>;
};

/**
 * A service's grpc-js definition, whose methods are typed by the messages of its descriptor where
 * that is known in detail.
 */
export type TypedServiceDefinition<S extends DescService> = string extends keyof MethodsOf<S>
  ? grpc.ServiceDefinition
  : grpc.ServiceDefinition & {
      readonly [K in keyof MethodsOf<S>]: grpc.MethodDefinition<
        Input<MethodsOf<S>[K]>,
        Output<MethodsOf<S>[K]>
      >;
    };

/** A service ready to be served. Make one with {@link grpcService}. */
export interface GrpcService {
  readonly definition: grpc.ServiceDefinition;
  readonly implementation: grpc.UntypedServiceImplementation;
  /** Where known: lets server reflection describe the service. */
  readonly descriptor?: DescService;
}

/** One piece of what a plugin printed. */
export interface PluginOutput {
  /** `pipe`: the process's own stdout or stderr. `stdio`: go-plugin's stdio service. */
  readonly source: 'pipe' | 'stdio';
  readonly stream: 'stdout' | 'stderr';
  readonly data: Uint8Array;
}

/** A command as it is about to be spawned. */
export interface SpawnCommand {
  readonly command: string;
  readonly args: string[];
  readonly env: Record<string, string>;
}

/** How to start a plugin. */
export interface LaunchOptions {
  readonly command: string;
  readonly args?: readonly string[];
  readonly cwd?: string;
  /**
   * The child's whole environment beside the handshake variables. Nothing of `process.env` is
   * inherited: pick what the plugin needs with {@link allowedEnv}.
   */
  readonly env: Readonly<Record<string, string>>;
  readonly handshake: Handshake;
  /**
   * `mutual` (the default): mutual TLS is offered and required; a plugin that does not answer
   * with a certificate is refused. `off`: plain text, for plugins that cannot do it.
   */
  readonly tls?: 'mutual' | 'off';
  /** From the spawn to a healthy connection. Default 60,000. */
  readonly startTimeoutMs?: number;
  /** How long a plugin may take to exit after the Shutdown call. Default 2,000. */
  readonly shutdownGraceMs?: number;
  /** How long it may take after SIGTERM, before its process group is killed. Default 1,000. */
  readonly termGraceMs?: number;
  /**
   * Services that the host offers to this plugin on fixed broker ids. Each id is listened on by a
   * socket of this launch alone, so that the connection says which plugin is calling.
   */
  readonly brokerServices?: ReadonlyMap<number, readonly GrpcService[]>;
  readonly onOutput?: (output: PluginOutput) => void;
  /** Aborts the start. Once `launch` has resolved it has no effect. */
  readonly signal?: AbortSignal;
  /**
   * Last word on what is spawned, for a sandbox. The plugin's socket directory is in
   * `env.PLUGIN_UNIX_SOCKET_DIR` and must be the same path on both sides.
   */
  readonly wrap?: (spawn: SpawnCommand) => SpawnCommand;
}

/** How a plugin process ended. */
export interface ProcessExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stderrTail: readonly string[];
  /** Whether the host had asked it to end. */
  readonly expected: boolean;
}

/** A running plugin, connected and healthy when `launch` resolved. */
export interface PluginProcess {
  readonly pid: number;
  /** The version both sides speak: one of the host's `handshake.protocolVersions`. */
  readonly protocolVersion: number;
  /** Whether the connection is encrypted, with both certificates checked. */
  readonly tls: boolean;
  /** One HTTP/2 connection, without message size limits. */
  readonly channel: grpc.Channel;
  /** A grpc-js client on `channel`; use it with the methods of {@link serviceDefinition}. */
  client(descriptor: DescService): grpc.Client;
  /** A health check. Rejects with the reason when the plugin does not answer SERVING in time. */
  ping(timeoutMs: number): Promise<void>;
  /** Resolves when the process has ended and its remains are cleaned up. Never rejects. */
  readonly exited: Promise<ProcessExit>;
  readonly exit: ProcessExit | undefined;
  /**
   * Resolves when nothing can come through the process's own stdout any more: it has ended, or has
   * closed it while it goes on. Never rejects.
   */
  readonly stdoutClosed: Promise<void>;
  /** The last 50 lines of stderr, each cut at 4,096 characters. */
  stderrTail(): readonly string[];
  /**
   * Shutdown call, grace, SIGTERM, grace, SIGKILL of the whole process group. Removes sockets and
   * the temporary directory. Calling it again waits for the same end.
   */
  stop(options?: { graceMs?: number }): Promise<ProcessExit>;
  /** SIGKILL of the whole process group, now. */
  kill(): Promise<ProcessExit>;
}

/** How to be a plugin. */
export interface ServeOptions {
  readonly handshake: Handshake;
  readonly services: readonly GrpcService[];
  /** Shown to a human who runs the plugin by hand. */
  readonly displayName?: string;
  /** Called once before the server closes: Shutdown call, SIGTERM, or the host's death. */
  readonly onShutdown?: () => Promise<void> | void;
}

/** A connection to a service that the host offers through the broker. */
export interface BrokerConnection {
  client(descriptor: DescService): grpc.Client;
  close(): void;
}

/** The plugin's side of the broker. */
export interface PluginBroker {
  /**
   * Connects to the service that the host offers under `id`. Waits for the host's announcement,
   * `timeoutMs` (default 5,000) at the most.
   */
  dial(id: number, timeoutMs?: number): Promise<BrokerConnection>;
}

/** A plugin that is being served. */
export interface ServedPlugin {
  /** The version chosen from those that both sides know. */
  readonly protocolVersion: number;
  readonly broker: PluginBroker;
  /** Resolves when the server has closed. */
  readonly closed: Promise<void>;
  /** Runs `onShutdown`, then closes the server and its socket. The process is left alone. */
  close(): Promise<void>;
}
