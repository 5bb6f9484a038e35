// What a result says beside the facts, so that a model does not have to guess what a number means.
import { type LeftBehind, signalOfExitCode } from '../shell/run.js';

export interface NoteFacts {
  readonly exitCode: number;
  readonly signal?: string;
  readonly text: string;
  readonly leftBehind: readonly LeftBehind[];
}

// How programs complain when they wanted a person at the keyboard.
const WANTED_INPUT =
  /EOFError|EOF when reading|end of file on (?:stdin|standard input)|not a (?:tty|terminal)|stdin is not|no tty present|a terminal is required|inappropriate ioctl for device|cannot read from standard input|unexpected EOF on (?:stdin|standard input)/i;

/** Sentences for people and models; empty when the facts speak for themselves. */
export function notesFor(facts: NoteFacts): string[] {
  const notes: string[] = [];
  const signal = facts.signal ?? signalOfExitCode(facts.exitCode);
  if (facts.exitCode === 127) notes.push('Exit code 127: a command was not found.');
  else if (facts.exitCode === 126) notes.push('Exit code 126: a file is not executable.');
  else if (signal !== undefined) {
    notes.push(`Exit code ${facts.exitCode}: ended by ${signal}${meaningOf(signal)}.`);
  }
  if (WANTED_INPUT.test(facts.text)) {
    notes.push(
      'The program wanted input, but stdin is closed here: pass it by arguments or a pipe.',
    );
  }
  if (facts.leftBehind.length > 0) {
    const names = facts.leftBehind.map(
      ({ pid, command }) => `${command || 'a process'} (pid ${pid})`,
    );
    notes.push(
      `Still running when the command ended, and ended with it: ${names.slice(0, 5).join(', ')}` +
        `${names.length > 5 ? ` and ${names.length - 5} more` : ''}. ` +
        'To keep background processes, run the command with a session.',
    );
  }
  return notes;
}

function meaningOf(signal: string): string {
  if (signal === 'SIGSEGV' || signal === 'SIGBUS') return ', an invalid memory access';
  if (signal === 'SIGKILL') return ', possibly because memory ran out';
  return signal === 'SIGABRT' ? ', it aborted itself' : '';
}
