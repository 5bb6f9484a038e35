// A running plugin as its user sees it.
import { checkHealth, clientOn, describeCallError } from '../contract/connect.js';
import type { LaunchOptions, PluginProcess, ProcessExit } from '../types.js';
import type { Child } from './child.js';
import type { Established } from './establish.js';
import { describeExit } from './launch-failure.js';
import { endProcess } from './stop.js';

/** `cleanUp` is called once, when the process has ended. */
export function pluginProcess(
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
