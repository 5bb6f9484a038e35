// Letting a person correct arguments: in their editor where they have one, else on one line.
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseJsonExact } from '@tenon/protocol';
import type { JsonObject } from '@tenon/protocol';
import { sanitizeLine } from '../terminal/sanitize.js';
import type { Prompter } from '../terminal/prompt.js';
import type { Terminal } from '../terminal/terminal.js';

export interface EditOptions {
  readonly terminal: Terminal;
  readonly prompter: Prompter;
  readonly signal: AbortSignal;
  /** Says what is wrong with arguments, one line each; empty when they are fine. */
  readonly check: (args: JsonObject) => readonly string[];
}

/** Resolves to the corrected arguments, or to undefined when the person gave up. */
export async function editArguments(
  args: JsonObject,
  options: EditOptions,
): Promise<JsonObject | undefined> {
  const { terminal, signal } = options;
  const editor = process.env['VISUAL'] || process.env['EDITOR'] || undefined;
  let text = JSON.stringify(args, undefined, editor === undefined ? 0 : 2);
  for (;;) {
    const edited =
      editor === undefined ? await editLine(text, options) : await editFile(text, editor, signal);
    if (edited === undefined || edited.trim() === '') return undefined;
    text = edited;
    const read = parseJsonExact(edited);
    const problems = read.ok
      ? isObject(read.value)
        ? options.check(read.value)
        : ['arguments are a JSON object']
      : read.violations.map((violation) => violation.message);
    if (read.ok && isObject(read.value) && problems.length === 0) return read.value;
    for (const problem of problems) {
      terminal.stderr.write(`${terminal.err('red', `✖ ${sanitizeLine(problem)}`)}\n`);
    }
    if (editor !== undefined) {
      const again = await options.prompter.ask('[enter] edit again, [q] give up: ', { signal });
      if (again === undefined || again.trim().toLowerCase().startsWith('q')) return undefined;
    }
  }
}

function editLine(text: string, { prompter, signal }: EditOptions): Promise<string | undefined> {
  // JSON.stringify escapes C0; what else could disturb the terminal is escaped the same way, so that the
  // text stays the same JSON.
  const safe = text.replaceAll(
    /[\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return prompter.ask('arguments (empty gives up): ', { signal, prefill: safe });
}

async function editFile(
  text: string,
  editor: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'tenon-edit-'));
  try {
    const path = join(folder, 'arguments.json');
    await writeFile(path, `${text}\n`, { mode: 0o600 });
    const ended = await runEditor(editor, path, signal);
    return ended ? await readFile(path, 'utf8') : undefined;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** EDITOR may hold options, so the shell splits it, as git and crontab do. */
function runEditor(editor: string, path: string, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(`${editor} "$TENON_EDIT_FILE"`, {
      shell: true,
      stdio: 'inherit',
      signal,
      env: { ...process.env, TENON_EDIT_FILE: path },
    });
    child.once('error', () => resolve(false));
    child.once('exit', (code) => resolve(code === 0));
  });
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
