// What every command is given: the terminal, and a signal that says that the user wants it to end.
import { EXIT } from './errors.js';
import { endOnClosedPipe, processTerminal } from './terminal/terminal.js';
import type { Terminal } from './terminal/terminal.js';

export interface Context {
  readonly terminal: Terminal;
  /** Aborted by Ctrl-C, by SIGTERM or SIGHUP, and when the reader of our output has gone. */
  readonly signal: AbortSignal;
  /** What the second Ctrl-C does before the process ends; a command with children sets it. */
  onKill: () => void;
  /** Removes the handlers. */
  close(): void;
}

/** The context of this process. The first Ctrl-C asks for the end, the second one forces it. */
export function processContext(): Context {
  const terminal = processTerminal();
  const controller = new AbortController();
  let interrupted = false;
  const context: Context = {
    terminal,
    signal: controller.signal,
    onKill: () => undefined,
    close() {
      process.off('SIGINT', onSignal);
      process.off('SIGTERM', onSignal);
      process.off('SIGHUP', onSignal);
      removePipeHandlers();
    },
  };
  function onSignal(signal: NodeJS.Signals): void {
    if (interrupted) {
      context.onKill();
      process.exit(EXIT.cancelled);
    }
    interrupted = true;
    if (signal === 'SIGINT') terminal.stderr.write('\nCancelling… (Ctrl-C again kills at once)\n');
    controller.abort(new Error(`stopped by ${signal}`));
  }
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  process.on('SIGHUP', onSignal);
  const removePipeHandlers = endOnClosedPipe(terminal, () => {
    controller.abort(new Error('nobody reads the output any more'));
  });
  return context;
}
