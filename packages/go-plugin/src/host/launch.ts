// Starts a plugin, step by step: environment, process, handshake line, connection, health, stdio,
// broker. Whatever fails, nothing of the launch is left.
import { rmSync } from 'node:fs';
import type { Channel } from '@grpc/grpc-js';
import type { EndingChannel } from '../shared/ending-channel.js';
import { type Certificate, generateCertificate } from '../shared/certificate.js';
import { checkHealth, clientOn, describeCallError, openChannel } from '../shared/connect.js';
import { ENV } from '../shared/env.js';
import { type HandshakeLine, parseHandshakeLine } from '../shared/handshake-line.js';
import { makeSocketDir } from '../shared/socket-dir.js';
import type { MutualTls } from '../shared/transport-security.js';
import type { LaunchOptions, PluginProcess, ProcessExit, SpawnCommand } from '../types.js';
import { type HostBroker, offerServices } from './broker.js';
import { type Child, spawnChild } from './child.js';
import { diagnoseCommand } from './diagnose.js';
import { describeExit, launchError, quote, StartFailure, unusableLine } from './launch-failure.js';
import { guardAgainstExit } from './process-group.js';
import { readStdio } from './stdio.js';
import { endProcess, exitsWithin } from './stop.js';

const START_TIMEOUT_MS = 60_000;
// How long a socket may refuse connections after the line that announced it.
const REFUSED_FOR_MS = 5_000;
// How long a process that misbehaved may take to end by itself, so that its exit can be quoted.
const LAST_WORDS_MS = 300;

/**
 * Starts a plugin and connects to it. Resolves when its health check has answered. Raises
 * {@link LaunchError}; its `reason` says at which step.
 */
export async function launch(options: LaunchOptions): Promise<PluginProcess> {
  const socketDir = process.platform === 'win32' ? undefined : makeSocketDir();
  const own = options.tls === 'off' ? undefined : generateCertificate();
  const command = spawnCommand(options, socketDir, own);
  const removeDir = () => {
    if (socketDir !== undefined) rmSync(socketDir, { recursive: true, force: true });
  };
  let child: Child;
  try {
    options.signal?.throwIfAborted();
    child = await spawnChild(command, options.cwd, (output) => options.onOutput?.(output));
  } catch (error) {
    removeDir();
    const aborted = options.signal?.aborted === true;
    throw launchError(
      aborted
        ? new StartFailure('aborted', 'the start was aborted')
        : new StartFailure('spawn', error instanceof Error ? error.message : String(error)),
      {
        command,
        exit: undefined,
        stderrTail: [],
        diagnosis: aborted ? undefined : diagnose(options, command, []),
      },
    );
  }
  const unguard = guardAgainstExit({ pid: child.pid, dir: socketDir });
  const established = establish(options, child, own, socketDir);
  const limits = startLimits(options, child);
  try {
    const plugin = await Promise.race([established, limits.broken]);
    return pluginProcess(options, child, plugin, () => {
      unguard();
      removeDir();
    });
  } catch (error) {
    const failure =
      error instanceof StartFailure
        ? error
        : new StartFailure('connect', error instanceof Error ? error.message : String(error));
    const exit = await endFailed(child, failure);
    // Steps that were still under way fail now that the process is gone; their sockets close.
    await established.then(
      (late) => late.broker?.close(),
      () => {},
    );
    unguard();
    removeDir();
    throw launchError(failure, {
      command,
      exit,
      stderrTail: exit.stderrTail,
      diagnosis: exit.expected ? undefined : diagnose(options, command, exit.stderrTail),
    });
  } finally {
    limits.dispose();
  }
}

// What was spawned may be a sandbox around the plugin: either can be at fault.
function diagnose(
  options: LaunchOptions,
  spawned: SpawnCommand,
  stderrTail: readonly string[],
): string | undefined {
  const of = (command: string) => diagnoseCommand(command, spawned.env, options.cwd, stderrTail);
  return of(spawned.command) ?? of(options.command);
}

function spawnCommand(
  options: LaunchOptions,
  socketDir: string | undefined,
  own: Certificate | undefined,
): SpawnCommand {
  const { handshake } = options;
  const command: SpawnCommand = {
    command: options.command,
    args: [...(options.args ?? [])],
    env: {
      ...options.env,
      [handshake.cookieKey]: handshake.cookieValue,
      [ENV.protocolVersions]: handshake.protocolVersions.join(','),
      // The range of Go's host; plugins use it for TCP alone.
      [ENV.minPort]: '10000',
      [ENV.maxPort]: '25000',
      ...(socketDir !== undefined && { [ENV.socketDir]: socketDir }),
      ...(own !== undefined && { [ENV.clientCert]: own.certPem }),
    },
  };
  return options.wrap?.(command) ?? command;
}

interface Established {
  readonly line: HandshakeLine;
  readonly channel: EndingChannel;
  readonly broker: HostBroker | undefined;
}

async function establish(
  options: LaunchOptions,
  child: Child,
  own: Certificate | undefined,
  socketDir: string | undefined,
): Promise<Established> {
  const line = await readHandshake(options, child);
  const tls = agreeOnTls(line, own);
  const channel = openChannel(line.network, line.address, tls);
  try {
    await firstContact(channel, line, options.startTimeoutMs ?? START_TIMEOUT_MS);
    readStdio(channel, (stream, data) => {
      if (stream === 'stderr') child.stderr.write(data);
      options.onOutput?.({ source: 'stdio', stream, data });
    });
    const services = options.brokerServices;
    const broker =
      services === undefined || services.size === 0
        ? undefined
        : await offerServices(channel, services, tls, socketDir);
    return { line, channel, broker };
  } catch (error) {
    channel.close();
    throw error;
  }
}

async function readHandshake(options: LaunchOptions, child: Child): Promise<HandshakeLine> {
  const first = await child.firstLine;
  if (first.kind === 'closed' && (await exitsWithin(child, LAST_WORDS_MS))) {
    throw await exitBeforeReady(child);
  }
  if (first.kind !== 'line') throw unusableLine(first);
  const parsed = parseHandshakeLine(first.text, options.handshake.protocolVersions);
  if (parsed.ok) return parsed.line;
  throw new StartFailure(
    parsed.failure,
    `its first line on stdout was refused: ${quote(first.text)}: ${parsed.reason}`,
    first.text,
  );
}

function agreeOnTls(line: HandshakeLine, own: Certificate | undefined): MutualTls | undefined {
  if (own === undefined) {
    if (line.certificate === undefined) return undefined;
    throw new StartFailure(
      'tls',
      'it wants TLS, which this host did not offer; launch it with tls: "mutual"',
    );
  }
  if (line.certificate !== undefined) return { own, peerDer: line.certificate };
  throw new StartFailure(
    'tls',
    'it answered without a certificate, so the connection would not be encrypted or ' +
      'authenticated; if this plugin cannot do mutual TLS and you accept that, launch it with ' +
      'tls: "off"',
  );
}

// Plugins in other languages may print the line a moment before they listen, so that a refused
// connection is tried again for a while. Any other failure is final.
async function firstContact(
  channel: Channel,
  line: HandshakeLine,
  timeoutMs: number,
): Promise<void> {
  const refusedUntil = Date.now() + Math.min(REFUSED_FOR_MS, timeoutMs);
  for (;;) {
    try {
      return await checkHealth(channel, timeoutMs);
    } catch (error) {
      const what = describeCallError(error);
      if (!/ECONNREFUSED|ENOENT/.test(what) || Date.now() > refusedUntil) {
        throw new StartFailure(
          /certificate|SSL|TLS|handshake fail/i.test(what) ? 'tls' : 'connect',
          `the first health check over ${line.network} ${line.address} failed: ${what}`,
        );
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

function startLimits(
  options: LaunchOptions,
  child: Child,
): { readonly broken: Promise<never>; dispose(): void } {
  const timeoutMs = options.startTimeoutMs ?? START_TIMEOUT_MS;
  let dispose = () => {};
  const broken = new Promise<never>((_resolve, reject) => {
    const timer = setTimeout(
      () => reject(new StartFailure('timeout', `it was not ready within ${timeoutMs} ms`)),
      timeoutMs,
    );
    const abort = () => reject(new StartFailure('aborted', 'the start was aborted'));
    options.signal?.addEventListener('abort', abort);
    if (options.signal?.aborted === true) abort();
    dispose = () => {
      clearTimeout(timer);
      options.signal?.removeEventListener('abort', abort);
    };
    void exitBeforeReady(child).then(reject);
  });
  return { broken, dispose };
}

async function exitBeforeReady(child: Child): Promise<StartFailure> {
  const exit = await child.exited;
  const first = await child.firstLine;
  const line = first.text === '' ? undefined : first.text;
  // A process that printed something else and ended: what it printed says more than its code.
  if (first.kind === 'line' && !parseHandshakeLine(first.text).ok) {
    return new StartFailure(
      'exited',
      `it ${describeExit(exit)}; before that it printed ${quote(first.text)} where the go-plugin ` +
        'handshake is expected',
      line,
    );
  }
  const when =
    first.kind === 'line' ? 'after its handshake, before it was connected' : 'before its handshake';
  return new StartFailure('exited', `it ${describeExit(exit)} ${when}`, line);
}

async function endFailed(child: Child, failure: StartFailure): Promise<ProcessExit> {
  if (failure.reason !== 'timeout' && failure.reason !== 'aborted') {
    // A process that printed nonsense is often about to exit; its code is worth quoting.
    await exitsWithin(child, LAST_WORDS_MS);
  }
  child.expectExit();
  child.signal('SIGKILL');
  return child.exited;
}

function pluginProcess(
  options: LaunchOptions,
  child: Child,
  { line, channel, broker }: Established,
  cleanUp: () => void,
): PluginProcess {
  let exit: ProcessExit | undefined;
  const exited = child.exited.then(async (ended) => {
    await broker?.close();
    channel.end(`the plugin ${describeExit(ended)}`);
    cleanUp();
    exit = ended;
    return ended;
  });
  let stopping: Promise<ProcessExit> | undefined;
  return {
    pid: child.pid,
    protocolVersion: line.protocolVersion,
    tls: line.certificate !== undefined,
    channel,
    client: (descriptor) => clientOn(channel, descriptor),
    ping: async (timeoutMs) => {
      if (exit !== undefined) throw new Error(`the plugin ${describeExit(exit)}`);
      try {
        await checkHealth(channel, timeoutMs);
      } catch (error) {
        throw new Error(`the health check failed: ${describeCallError(error)}`, { cause: error });
      }
    },
    exited,
    get exit() {
      return exit;
    },
    stdoutClosed: child.stdoutClosed,
    stderrTail: () => child.stderr.lines(),
    stop: (limits) => {
      stopping ??= endProcess(child, channel, {
        graceMs: limits?.graceMs ?? options.shutdownGraceMs,
        termGraceMs: options.termGraceMs,
      }).then(() => exited);
      return stopping;
    },
    kill: () => {
      child.expectExit();
      child.signal('SIGKILL');
      return exited;
    },
  };
}
