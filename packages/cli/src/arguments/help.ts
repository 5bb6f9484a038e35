// The help of one operation: its flags, from its schema. Pure.
import type { OperationListing } from '@tenon/kernel';
import type { ObjectSchema } from '@tenon/protocol';
import { sanitize, sanitizeLine } from '../terminal/sanitize.js';
import { textWidth, wrap } from '../terminal/width.js';
import { describeType, flagName } from './flags.js';

const INDENT = 2;
const MAX_FLAG_COLUMNS = 34;

/** What `tenon call OPERATION --help` prints. */
export function flagsHelp({ name, operation }: OperationListing, width: number): string {
  const rows = flagRows(operation.input, '');
  const column =
    Math.min(MAX_FLAG_COLUMNS, Math.max(0, ...rows.map(([flag]) => textWidth(flag)))) + 2;
  const lines = [
    `Usage: tenon call ${sanitizeLine(name)} [flags] ['{"name": value}' | @FILE | -]`,
    '',
    ...wrap(sanitize(operation.description), width),
    '',
    rows.length === 0 ? 'It takes no arguments.' : 'Flags:',
    ...rows.flatMap(([flag, what]) => rowLines(flag, what, column, width)),
  ];
  return lines.map((line) => `${line.trimEnd()}\n`).join('');
}

function flagRows(schema: ObjectSchema, prefix: string): (readonly [string, string])[] {
  return Object.entries(schema.properties).flatMap(([property, child]) => {
    const flag = `--${prefix}${flagName(property)}`;
    const value = child.type === 'boolean' ? '' : ` <${placeholder(describeType(child))}>`;
    const required = schema.required.includes(property) ? ' (required)' : '';
    const repeat = child.type === 'array' ? ' (may be repeated)' : '';
    const row: readonly [string, string] = [
      sanitizeLine(flag + value),
      sanitizeLine(`${child.description ?? ''}${required}${repeat}`.trim()),
    ];
    if (child.type !== 'object') return [row];
    return [row, ...flagRows(child, `${prefix}${flagName(property)}.`)];
  });
}

function placeholder(type: string): string {
  return type.replace(/^list of /, '').replace('JSON object', 'JSON');
}

function rowLines(flag: string, what: string, column: number, width: number): string[] {
  const text = wrap(what, Math.max(20, width - column - INDENT));
  const indent = ' '.repeat(INDENT);
  const filled = flag + ' '.repeat(Math.max(0, column - textWidth(flag)));
  // A long flag stands on a line of its own.
  const head =
    textWidth(flag) + 2 > column ? [indent + flag] : [`${indent}${filled}${text[0] ?? ''}`];
  const rest = head[0] === indent + flag ? text : text.slice(1);
  return [...head, ...rest.map((line) => indent + ' '.repeat(column) + line)];
}
