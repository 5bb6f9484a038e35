// Starts a plugin, step by step: environment, process, handshake line, connection, health, stdio,
// broker. Whatever fails, nothing of the launch is left.
import { rmSync } from 'node:fs';
import { type Certificate, generateCertificate } from '../contract/certificate.js';
import { ENV } from '../contract/env.js';
import { makeSocketDir } from '../contract/socket-dir.js';
import type { LaunchOptions, PluginProcess, ProcessExit, SpawnCommand } from '../types.js';
import { type Child, spawnChild } from './child.js';
import { diagnoseCommand } from './diagnose.js';
import { establish, exitBeforeReady, LAST_WORDS_MS, START_TIMEOUT_MS } from './establish.js';
import { launchError, StartFailure } from './launch-failure.js';
import { pluginProcess } from './plugin-process.js';
import { guardAgainstExit } from './process-group.js';
import { exitsWithin } from './stop.js';

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

async function endFailed(child: Child, failure: StartFailure): Promise<ProcessExit> {
  if (failure.reason !== 'timeout' && failure.reason !== 'aborted') {
    // A process that printed nonsense is often about to exit; its code is worth quoting.
    await exitsWithin(child, LAST_WORDS_MS);
  }
  child.expectExit();
  child.signal('SIGKILL');
  return child.exited;
}
