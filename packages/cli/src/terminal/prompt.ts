// Asking a person for a line of text on the terminal. One question at a time; the callers take turns.
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import type { Terminal } from './terminal.js';

export interface Prompter {
  /**
   * Shows `prompt` on stderr and resolves to the line typed, or to undefined when the input ended
   * (Ctrl-D) or `signal` was aborted. `prefill` is text to edit.
   */
  ask(
    prompt: string,
    options: { readonly signal: AbortSignal; readonly prefill?: string },
  ): Promise<string | undefined>;
  /** Throws away what was typed before it was asked for, so that no stray key approves anything. */
  discardTypedAhead(): Promise<void>;
}

const TYPED_AHEAD_MS = 30;

/** Asks on this terminal; the caller has checked that it is interactive. */
export function createPrompter(terminal: Terminal): Prompter {
  const { stdin, stderr } = terminal;
  return {
    ask(prompt, { signal, prefill }) {
      if (signal.aborted) return Promise.resolve(undefined);
      return new Promise((resolve) => {
        // Without text to edit the terminal's own line editing is used: Ctrl-C stays a signal.
        const editing = prefill !== undefined;
        const reader = createInterface({ input: stdin, output: stderr, terminal: editing });
        let settled = false;
        const settle = (line: string | undefined): void => {
          // Closing the reader below says so, which comes back here.
          if (settled) return;
          settled = true;
          signal.removeEventListener('abort', onAbort);
          reader.close();
          stdin.pause();
          resolve(line);
        };
        const onAbort = (): void => {
          stderr.write('\n');
          settle(undefined);
        };
        signal.addEventListener('abort', onAbort, { once: true });
        reader.once('line', settle);
        reader.once('close', () => settle(undefined));
        reader.once('SIGINT', () => {
          settle(undefined);
          process.kill(process.pid, 'SIGINT');
        });
        reader.setPrompt(prompt);
        reader.prompt();
        if (editing) reader.write(prefill);
      });
    },
    async discardTypedAhead() {
      const drop = (): void => undefined;
      stdin.on('data', drop);
      stdin.resume();
      await delay(TYPED_AHEAD_MS);
      stdin.pause();
      stdin.off('data', drop);
    },
  };
}
