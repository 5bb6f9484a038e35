// How a call ended, for a person: the result on stdout, everything else on stderr.
import type { CallOutcome } from '@tenon/kernel';
import type { ToolErrorData, ToolEvent } from '@tenon/protocol';
import { EXIT } from '../errors.js';
import type { ExitCode } from '../errors.js';
import { paint } from '../paint/paint.js';
import { sanitize, sanitizeLine } from '../terminal/sanitize.js';
import type { Terminal } from '../terminal/terminal.js';
import { payloadTree } from './payload.js';

/** The exit code that an outcome stands for. */
export function exitCodeOf(outcome: CallOutcome): ExitCode {
  switch (outcome.status) {
    case 'ok':
      return EXIT.ok;
    case 'error':
      return EXIT.toolError;
    case 'denied':
      return EXIT.denied;
    case 'cancelled':
      return EXIT.cancelled;
  }
}

/**
 * Writes an outcome.
 * @param shown texts of the call that stand on the screen already
 */
export function writeOutcome(
  outcome: CallOutcome,
  terminal: Terminal,
  shown: readonly string[],
): void {
  const { stderr, err } = terminal;
  const { exitStatus } = outcome;
  if (exitStatus !== undefined && (exitStatus.exitCode !== 0 || exitStatus.signal !== undefined)) {
    const how =
      exitStatus.signal === undefined
        ? `exit code ${exitStatus.exitCode}`
        : `signal ${exitStatus.signal}`;
    stderr.write(`${err('yellow', `the process ended with ${sanitizeLine(how)}`)}\n`);
  }
  const name = `${outcome.provider}.${outcome.operation}`;
  switch (outcome.status) {
    case 'ok': {
      const options = { width: terminal.width(), color: terminal.outColor };
      terminal.stdout.write(paint(payloadTree(outcome.payload, shown), options));
      return;
    }
    case 'error':
      writeError(name, outcome.error, terminal);
      writePartial(outcome.partial, terminal, shown, 'before it failed');
      return;
    case 'denied':
      stderr.write(
        `${err('red', `✖ ${sanitizeLine(name)} was denied`)} (${sanitizeLine(outcome.decidedBy)})\n`,
      );
      stderr.write(`${sanitize(outcome.reason)}\n`);
      return;
    case 'cancelled':
      stderr.write(`${err('yellow', `■ ${sanitizeLine(name)} was cancelled`)}\n`);
      if (outcome.partial.length === 0) {
        stderr.write('Nothing had been reported as done until then.\n');
      }
      writePartial(outcome.partial, terminal, shown, 'until then');
      return;
  }
}

function writeError(name: string, error: ToolErrorData, terminal: Terminal): void {
  const { stderr, err } = terminal;
  stderr.write(`${err('red', `✖ ${sanitizeLine(name)}: ${error.category}`)}\n`);
  stderr.write(`${sanitize(error.message)}\n`);
  if (error.details === undefined || Object.keys(error.details).length === 0) return;
  const options = { width: terminal.width(), color: terminal.errColor };
  stderr.write(paint(payloadTree(error.details), options));
}

/** What a call that did not succeed had reported (CAN-05). */
function writePartial(
  partial: readonly ToolEvent[],
  terminal: Terminal,
  shown: readonly string[],
  when: string,
): void {
  const { stderr, err } = terminal;
  const results = partial.filter((event) => event.type === 'partial_result');
  const texts = chunkTexts(partial).filter(
    ({ text }) => text !== '' && !shown.some((seen) => seen.includes(text)),
  );
  const progress = partial.findLast((event) => event.type === 'progress');
  if (results.length + texts.length === 0 && progress === undefined) return;
  stderr.write(`${err('bold', `Reported ${when}:`)}\n`);
  const options = { width: terminal.width(), color: terminal.errColor };
  for (const { text } of texts) stderr.write(`${sanitize(text.trimEnd())}\n`);
  for (const { payload } of results) stderr.write(paint(payloadTree(payload), options));
  if (progress !== undefined) stderr.write(`${sanitizeLine(progress.message)}\n`);
}

function chunkTexts(events: readonly ToolEvent[]): { readonly text: string }[] {
  const byStream = new Map<string, Buffer[]>();
  for (const event of events) {
    if (event.type !== 'output_chunk') continue;
    const chunks = byStream.get(event.stream) ?? [];
    chunks.push(Buffer.from(event.data));
    byStream.set(event.stream, chunks);
  }
  return [...byStream.values()].map((chunks) => ({ text: Buffer.concat(chunks).toString('utf8') }));
}
