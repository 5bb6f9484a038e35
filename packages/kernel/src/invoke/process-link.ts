// A provider's process as the kernel holds it: its launch, its end, and what a call that failed on it means.
// Knows gRPC calls as such, and nothing of the tool protocol's methods.
import type { Channel, StatusObject } from '@grpc/grpc-js';
import { connectivityState, Metadata, status as grpcStatus } from '@grpc/grpc-js';
import { launch, type LaunchOptions, type PluginProcess } from '@tenon/go-plugin';
import type { KernelCallbacks, ToolErrorData } from '@tenon/protocol';
import type { CrashReport } from '../catalog/model.js';
import type { KernelSettings } from '../config/model.js';
import { CALLBACKS_BROKER_ID, callbackService } from './callback-service.js';
import type { GrpcCall } from './grpc-call.js';
import { HANDSHAKE } from './handshake.js';
import { crashError, errorOfStatus, mayBeBroken } from './status-failure.js';
import { startWatchdog } from './watchdog.js';

export interface ProcessOptions {
  /** Its name, for messages. */
  readonly provider: string;
  /** Which start of this provider it is, from 1. */
  readonly incarnation: number;
  readonly launch: Pick<
    LaunchOptions,
    'command' | 'args' | 'cwd' | 'env' | 'tls' | 'startTimeoutMs' | 'onOutput' | 'wrap' | 'signal'
  >;
  readonly settings: Pick<KernelSettings, 'pingIntervalMs' | 'pingTimeoutMs' | 'shutdownGraceMs'>;
  readonly callbacks: KernelCallbacks;
}

/** A running process and the calls on it. */
export interface ProcessLink {
  readonly provider: string;
  readonly pid: number;
  readonly channel: Channel;
  /** Settles when the process has ended, or was killed and cannot be reaped. Never rejects. */
  readonly closed: Promise<CrashReport>;
  /** Keeps a call in sight while it runs; `release` when it has ended. */
  track(call: GrpcCall): void;
  release(call: GrpcCall): void;
  /** Something was received: a sign of life. */
  heard(): void;
  /** Whether it was given up. */
  killed(): boolean;
  /** Whether it answers a health check; the end of the process is a no at once. */
  answers(): Promise<boolean>;
  /** What the failed end of a call means: the process is looked at, not the code alone (ERR-10). */
  failureOf(status: StatusObject, requestBytes?: number): Promise<ToolErrorData>;
  stop(): Promise<void>;
  kill(reason: string): Promise<void>;
}

/** How long a process whose connection broke may take to be seen as ended. */
const EXIT_NOTICE_MS = 250;
/** How long the calls of a process that has ended may take to read what it had sent. */
const LAST_DATA_MS = 50;
/** How long a process may live on after it closed its stdout. */
const STDOUT_GRACE_MS = 100;
/** How long a killed process may take to be reaped before its calls are ended without waiting for it. */
const KILL_WAIT_MS = 1_000;

/** Starts the process and connects to it. Rejects with LaunchError. */
export async function startProcess(options: ProcessOptions): Promise<ProcessLink> {
  const { provider, incarnation, settings } = options;
  const plugin = await launch({
    ...options.launch,
    handshake: HANDSHAKE,
    shutdownGraceMs: settings.shutdownGraceMs,
    brokerServices: new Map([[CALLBACKS_BROKER_ID, [callbackService(options.callbacks)]]]),
  });
  const open = new Set<GrpcCall>();
  let lastHeard = performance.now();
  let killReason: string | undefined;
  let stopping: Promise<void> | undefined;
  let giveUp: (report: CrashReport) => void = () => undefined;

  const unreaped = new Promise<CrashReport>((resolve) => {
    giveUp = resolve;
  });
  const ended = plugin.exited.then((): CrashReport => {
    stopWatching();
    // Calls end with the socket. Those that grpc-js had put off until there is a connection again would wait
    // for ever: it forgets them when the channel is closed.
    setTimeout(() => failOpenCalls('the process has ended'), LAST_DATA_MS);
    return report(plugin, incarnation, killReason);
  });
  const closed = Promise.race([ended, unreaped]);

  const stopWatching = startWatchdog({
    intervalMs: settings.pingIntervalMs,
    timeoutMs: settings.pingTimeoutMs,
    busy: () => open.size > 0,
    lastHeard: () => lastHeard,
    ping: (timeoutMs) => plugin.ping(timeoutMs),
    onDead: (reason) => void kill(`it was frozen: ${reason}`),
  });

  async function kill(reason: string): Promise<void> {
    if (plugin.exit !== undefined) return;
    killReason ??= reason;
    stopWatching();
    if (await within(plugin.kill(), KILL_WAIT_MS)) return;
    giveUp(report(plugin, incarnation, killReason));
    failOpenCalls(reason);
  }

  function failOpenCalls(details: string): void {
    const status = { code: grpcStatus.UNAVAILABLE, details, metadata: new Metadata() };
    for (const call of open) call.fail(status);
  }

  /** A provider lives and dies with its stdout: one that closed it has ended, or has let go of its host. */
  async function endWithStdout(): Promise<void> {
    await plugin.stdoutClosed;
    if (await within(plugin.exited, STDOUT_GRACE_MS)) return;
    if (stopping === undefined) await kill('it closed its stdout while it was running');
  }
  void endWithStdout();

  function answers(): Promise<boolean> {
    const pinged = plugin.ping(settings.pingTimeoutMs).then(
      () => true,
      () => false,
    );
    return Promise.race([pinged, plugin.exited.then(() => false)]);
  }

  return {
    provider,
    pid: plugin.pid,
    channel: plugin.channel,
    closed,
    track: (call) => open.add(call),
    release: (call) => open.delete(call),
    heard() {
      lastHeard = performance.now();
    },
    killed: () => killReason !== undefined,
    answers,
    async failureOf(status, requestBytes) {
      if (plugin.exit === undefined && killReason === undefined) {
        if (!mayBeBroken(status)) return errorOfStatus(status, requestBytes);
        // A peer that sends a status has a connection to send it on.
        const connected = plugin.channel.getConnectivityState(false) === connectivityState.READY;
        if (connected && (await answers())) return errorOfStatus(status, requestBytes);
        if (!(await within(plugin.exited, EXIT_NOTICE_MS))) {
          await kill(`its connection broke (${status.details})`);
        }
      }
      return crashError(provider, await closed);
    },
    async stop() {
      stopping ??= plugin.stop().then(() => undefined);
      await stopping;
    },
    kill,
  };
}

function report(
  plugin: PluginProcess,
  incarnation: number,
  killReason: string | undefined,
): CrashReport {
  const { exit, pid } = plugin;
  const how =
    exit === undefined
      ? 'it does not end'
      : exit.signal === null
        ? `it exited with code ${exit.code}`
        : `it was killed by ${exit.signal}`;
  return {
    incarnation,
    pid,
    reason: killReason ?? how,
    expected: exit?.expected === true && killReason === undefined,
    ...(exit === undefined || exit.code === null ? {} : { exitCode: exit.code }),
    ...(exit === undefined || exit.signal === null ? {} : { signal: exit.signal }),
    stderrTail: exit?.stderrTail ?? plugin.stderrTail(),
  };
}

async function within(event: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  const inTime = await Promise.race([event.then(() => true as const), late]);
  clearTimeout(timer);
  return inTime;
}
