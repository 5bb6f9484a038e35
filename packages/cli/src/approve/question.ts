// An interactive operation's question, asked on the terminal: its arguments are what is shown, its output
// schema is the form that is filled in.
import type { Question } from '@tenon/kernel';
import { compileValidator, parseJsonExact } from '@tenon/protocol';
import type { JsonObject, JsonValue, Schema } from '@tenon/protocol';
import { describeType } from '../arguments/flags.js';
import type { Prompter } from '../terminal/prompt.js';
import { sanitize, sanitizeLine } from '../terminal/sanitize.js';
import type { Terminal } from '../terminal/terminal.js';
import { wrap } from '../terminal/width.js';

// Arguments of a question that are shown in a way of their own.
const HANDLED = new Set(['choices', 'options', 'allow_other', 'default']);

export interface QuestionOptions {
  readonly terminal: Terminal;
  readonly prompter: Prompter;
  readonly signal: AbortSignal;
}

/** Asks until the answer fits the output schema. Rejects when the input ends before that. */
export async function answerQuestion(
  question: Question,
  options: QuestionOptions,
): Promise<JsonObject> {
  const { terminal } = options;
  const say = (text: string): void => {
    for (const line of wrap(text, terminal.width())) terminal.stderr.write(`${line}\n`);
  };
  const validate = compileValidator(question.output, { requirement: 'OUT-01' });
  const choices = choicesOf(question.arguments);
  let problems = question.problems;
  for (;;) {
    say('');
    show(question, choices, terminal, say);
    for (const problem of problems) say(terminal.err('red', `✖ ${sanitize(problem)}`));
    const answer = await fill(question, choices, options);
    problems = validate(answer).map(({ pointer, message }) => `${pointer} ${message}`.trim());
    if (problems.length === 0) return answer;
  }
}

function show(
  question: Question,
  choices: Choices,
  terminal: Terminal,
  say: (text: string) => void,
): void {
  const name = sanitizeLine(`${question.provider}.${question.operation}`);
  say(terminal.err('bold', `${name} asks:`));
  for (const [key, value] of Object.entries(question.arguments)) {
    if (HANDLED.has(key)) continue;
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    const only = typeof value === 'string' && key === 'question';
    say(sanitize(only ? text : `${key}: ${text}`));
  }
  for (const [index, choice] of choices.texts.entries()) {
    say(`  ${index + 1}) ${sanitizeLine(choice)}`);
  }
  if (choices.texts.length > 0 && !choices.closed) say('  or another text');
  if (choices.fallback !== undefined) say(`empty: ${sanitizeLine(choices.fallback)}`);
}

/** What can be picked by number: the list of texts that is called choices or options. */
function choicesOf(args: JsonObject): Choices {
  const list = args['choices'] ?? args['options'];
  const texts = Array.isArray(list)
    ? list.filter((item): item is string => typeof item === 'string')
    : [];
  const fallback = args['default'];
  return {
    texts,
    closed: texts.length > 0 && args['allow_other'] !== true,
    ...(typeof fallback === 'string' ? { fallback } : {}),
  };
}

interface Choices {
  readonly texts: readonly string[];
  /** Nothing but the choices is an answer. */
  readonly closed: boolean;
  /** What an empty answer stands for. */
  readonly fallback?: string;
}

async function fill(
  question: Question,
  choices: Choices,
  options: QuestionOptions,
): Promise<JsonObject> {
  const fields = Object.entries(question.output.properties).toSorted(
    ([a], [b]) =>
      Number(question.output.required.includes(b)) - Number(question.output.required.includes(a)),
  );
  const answer: Record<string, JsonValue> = {};
  for (const [name, schema] of fields) {
    const required = question.output.required.includes(name);
    const value = await askField(name, schema, required, fields.length === 1, choices, options);
    if (value !== undefined) answer[name] = value;
  }
  return answer;
}

async function askField(
  name: string,
  schema: Schema,
  required: boolean,
  alone: boolean,
  choices: Choices,
  options: QuestionOptions,
): Promise<JsonValue | undefined> {
  const { terminal, prompter, signal } = options;
  const picks = picksOf(schema, choices);
  if (schema.type === 'string' && schema.enum !== undefined) {
    for (const [index, value] of schema.enum.entries()) {
      terminal.stderr.write(`  ${index + 1}) ${sanitizeLine(value)}\n`);
    }
  }
  const kind = schema.type === 'string' ? '' : ` (${describeType(schema)})`;
  const optional = required ? '' : ' (empty to leave out)';
  const label = alone ? '' : `${sanitizeLine(name)}${kind}${optional}`;
  for (;;) {
    const line = await prompter.ask(`${label}> `, { signal });
    if (line === undefined) throw new Error('the input ended without an answer');
    if (line.trim() === '' && !required) return undefined;
    const value = readField(line.trim() === '' ? (choices.fallback ?? line) : line, schema, picks);
    if (value !== undefined) return value;
    const wanted = picks.closed ? 'one of the choices' : describeType(schema);
    terminal.stderr.write(`${terminal.err('red', `that is not ${wanted}`)}\n`);
  }
}

function picksOf(schema: Schema, choices: Choices): Choices {
  if (schema.type === 'string' && schema.enum !== undefined) {
    return { texts: schema.enum, closed: true };
  }
  const texts = schema.type === 'string' || schema.type === 'array';
  return texts ? choices : { texts: [], closed: false };
}

function readField(line: string, schema: Schema, picks: Choices): JsonValue | undefined {
  const text = line.trim();
  switch (schema.type) {
    case 'string': {
      const picked = picks.texts[/^\d+$/.test(text) ? Number(text) - 1 : picks.texts.indexOf(text)];
      return picked ?? (picks.closed ? undefined : line);
    }
    case 'boolean':
      if (/^(y|yes|true)$/i.test(text)) return true;
      return /^(n|no|false)$/i.test(text) ? false : undefined;
    case 'number': {
      const read = parseJsonExact(text);
      return read.ok && typeof read.value === 'number' ? read.value : undefined;
    }
    case 'array': {
      if (text === '') return [];
      if (text.startsWith('[')) return readJson(text);
      const items = text.split(',').map((item) => readField(item.trim(), schema.items, picks));
      return items.every((item) => item !== undefined) ? items : undefined;
    }
    case 'object':
      return readJson(text);
  }
}

function readJson(text: string): JsonValue | undefined {
  const read = parseJsonExact(text);
  return read.ok ? read.value : undefined;
}
