// What happens, as it happens, for a person: the output of calls, progress, retries, what providers say.
// Output of a tool goes to the stream that the tool wrote to; everything else to stderr.
import { StringDecoder } from 'node:string_decoder';
import type { KernelEvent, KernelObserver } from '@tenon/kernel';
import type { OutputStream } from '@tenon/protocol';
import { createStreamSanitizer, sanitizeLine } from '../terminal/sanitize.js';
import type { Terminal } from '../terminal/terminal.js';
import { isTerminal, write } from '../terminal/terminal.js';
import { progressLine } from './progress.js';

export interface LiveDisplay {
  readonly observer: KernelObserver;
  /** While a person is asked nothing is written; providers with something to say wait (EVT-07). */
  pause(): void;
  resume(): void;
  /** Writes what was kept back, and leaves the cursor on a fresh line. */
  end(): void;
  /** What a call has written to each stream so far, up to a limit; for not showing it twice. */
  shown(callId: string): readonly string[];
}

export interface LiveOptions {
  /** Shows the output of the providers' own processes and all their log lines. */
  readonly verbose: boolean;
  /** Puts the call's name before each line, for when several run at once. */
  readonly labels: boolean;
}

const REMEMBERED_CHARS = 1_000_000;
const CLEAR_LINE = '\r\u001b[2K';
const LOUD = new Set(['warn', 'error', 'fatal']);

interface Piece {
  write(data: Uint8Array): void | Promise<void>;
  end(): void;
  readonly text: () => string;
}

export function createLiveDisplay(terminal: Terminal, options: LiveOptions): LiveDisplay {
  const { stderr, err } = terminal;
  const names = new Map<string, string>();
  const streams = new Map<string, Map<OutputStream, Piece>>();
  let status = '';
  let resumed: Promise<void> | undefined;
  let onResume: () => void = () => undefined;
  // Whether the last thing written to a terminal left the cursor inside of a line.
  let midLine = false;

  function clearStatus(): void {
    if (status === '') return;
    stderr.write(CLEAR_LINE);
    status = '';
  }

  function setStatus(text: string): void {
    if (!isTerminal(stderr) || midLine) return;
    stderr.write(CLEAR_LINE + text);
    status = text;
  }

  function note(text: string): void {
    freshLine();
    stderr.write(`${text}\n`);
  }

  function freshLine(): void {
    clearStatus();
    if (midLine) stderr.write('\n');
    midLine = false;
  }

  function pieceOf(callId: string, stream: OutputStream): Piece {
    const known = streams.get(callId) ?? new Map<OutputStream, Piece>();
    streams.set(callId, known);
    const existing = known.get(stream);
    if (existing !== undefined) return existing;
    const made = createPiece(callId, stream);
    known.set(stream, made);
    return made;
  }

  function createPiece(callId: string, stream: OutputStream): Piece {
    const target = stream === 'stdout' ? terminal.stdout : stderr;
    const style = stream === 'stdout' ? terminal.out : err;
    const decoder = new StringDecoder('utf8');
    const sanitizer = createStreamSanitizer();
    let remembered = '';
    let line = '';
    const remember = (text: string): void => {
      remembered = (remembered + text).slice(0, REMEMBERED_CHARS);
    };
    const shown = (text: string): string =>
      stream === 'stderr' && isTerminal(target)
        ? text.replaceAll(/[^\n]+/g, (part) => style('yellow', part))
        : text;
    const emit = (text: string): void | Promise<void> => {
      if (text === '') return undefined;
      clearStatus();
      if (isTerminal(target)) midLine = !text.endsWith('\n');
      return write(target, shown(text));
    };
    const label = (): string => style('dim', `[${names.get(callId) ?? callId}] `);
    return {
      write(data) {
        const text = decoder.write(Buffer.from(data.buffer, data.byteOffset, data.byteLength));
        remember(text);
        if (options.labels) {
          // Whole lines only, so that the lines of several calls never mix.
          const lines = (line + sanitizer.write(text)).split('\n');
          line = lines.pop() ?? '';
          return emit(lines.map((whole) => `${label()}${whole}\n`).join(''));
        }
        // A pipe or a file gets the bytes exactly as they are; a terminal gets harmless text.
        if (isTerminal(target)) return emit(sanitizer.write(text));
        return write(target, data);
      },
      end() {
        const text = decoder.end();
        remember(text);
        const rest = sanitizer.write(text) + sanitizer.end();
        if (options.labels) {
          if (line + rest !== '') void emit(`${label()}${line}${rest}\n`);
        } else if (isTerminal(target)) {
          void emit(rest);
          if (terminal.outColor) target.write('\u001b[0m');
        }
        line = '';
      },
      text: () => remembered,
    };
  }

  function endStreams(): void {
    for (const pieces of streams.values()) for (const piece of pieces.values()) piece.end();
  }

  function handle(event: KernelEvent): void | Promise<void> {
    switch (event.type) {
      case 'call_started':
        names.set(event.callId, `${event.provider}.${event.operation}`);
        return undefined;
      case 'call_event': {
        const inner = event.event;
        if (inner.type === 'output_chunk') {
          return pieceOf(event.callId, inner.stream).write(inner.data);
        }
        if (inner.type === 'progress') {
          setStatus(progressLine(inner.message, inner.fraction, terminal.width(), terminal.err));
        } else if (inner.type === 'partial_result') {
          setStatus(progressLine('partial result received', undefined, terminal.width(), err));
        } else if (inner.type === 'result' || inner.type === 'error') clearStatus();
        return undefined;
      }
      case 'call_waiting':
        setStatus(err('dim', `waiting: ${sanitizeLine(event.reason)}`));
        return undefined;
      case 'call_retrying': {
        const seconds = (event.delayMs / 1000).toFixed(1);
        const why = sanitizeLine(event.error.message);
        note(err('yellow', `↻ attempt ${event.attempt} in ${seconds} s, after: ${why}`));
        return undefined;
      }
      case 'breaker':
        note(
          err(
            'yellow',
            `breaker of ${event.provider}: ${event.state} (${sanitizeLine(event.reason)})`,
          ),
        );
        return undefined;
      case 'hook_error':
        note(
          err(
            'yellow',
            `hook ${sanitizeLine(event.subscriber)} at ${event.point}: ${sanitizeLine(event.message)}`,
          ),
        );
        return undefined;
      case 'provider_exited':
        if (!event.expected) {
          note(err('red', `provider ${event.provider} exited: ${sanitizeLine(event.reason)}`));
        } else if (options.verbose) note(err('dim', `provider ${event.provider} stopped`));
        return undefined;
      case 'provider_started':
        if (options.verbose) {
          const pid = event.pid === undefined ? '' : `, pid ${event.pid}`;
          note(
            err('dim', `provider ${event.provider} ${sanitizeLine(event.version)} started${pid}`),
          );
        }
        return undefined;
      case 'provider_output':
        if (options.verbose) {
          for (const line of event.text.trimEnd().split('\n')) {
            note(err('dim', `${event.provider}| ${sanitizeLine(line)}`));
          }
        }
        return undefined;
      case 'log':
        if (options.verbose || LOUD.has(event.level)) {
          note(err('dim', `${event.provider} ${event.level}: ${sanitizeLine(event.message)}`));
        }
        return undefined;
    }
  }

  return {
    observer(event) {
      if (resumed === undefined) return handle(event);
      return resumed.then(() => handle(event));
    },
    pause() {
      freshLine();
      resumed ??= new Promise((resolve) => {
        onResume = resolve;
      });
    },
    resume() {
      resumed = undefined;
      onResume();
    },
    end() {
      endStreams();
      freshLine();
    },
    shown(callId) {
      return [...(streams.get(callId)?.values() ?? [])].map((piece) => piece.text());
    },
  };
}
