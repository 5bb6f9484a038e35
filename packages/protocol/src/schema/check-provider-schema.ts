// The static rules of a whole GetSchema answer: those of each operation, and those between them.
import type { ConfigAttribute } from '../domain/config-schema.js';
import type { Violation } from '../domain/event.js';
import type { ProviderSchema, SlashCommand } from '../domain/operation.js';
import { checkJsonValue, describeValue } from '../json/check.js';
import { checkOperation, type OperationDraft } from './check-operation.js';

/** A schema of which operations may be incomplete; every ProviderSchema is one. */
export interface ProviderSchemaDraft extends Omit<ProviderSchema, 'operations'> {
  readonly operations: readonly OperationDraft[];
}

/** Every static rule that a provider breaks; pointers are into the GetSchemaResponse message. */
export function checkProviderSchema(schema: ProviderSchemaDraft): Violation[] {
  const violations: Violation[] = [];
  for (const [index, operation] of schema.operations.entries()) {
    for (const found of checkOperation(operation)) {
      violations.push({ ...found, pointer: `/tools/${index}${found.pointer}` });
    }
  }
  violations.push(...checkNames(schema.operations.map((operation) => operation.name)));
  violations.push(...checkSlashCommands(schema.slashCommands));
  violations.push(...checkAttributes(schema.config, '/config_schema/attributes'));
  return violations;
}

/** SCH-02: names are unique. Each repetition is a violation at its own place. */
export function checkNames(names: readonly string[]): Violation[] {
  const violations: Violation[] = [];
  for (const [index, name] of names.entries()) {
    const first = names.indexOf(name);
    if (first === index || name === '') continue;
    violations.push({
      requirement: 'SCH-02',
      pointer: `/tools/${index}/name`,
      message: `the name ${JSON.stringify(name)} is that of operation ${first} already; rename one`,
    });
  }
  return violations;
}

/** SCH-04. */
export function checkSlashCommands(commands: readonly SlashCommand[]): Violation[] {
  const violations: Violation[] = [];
  const names = commands.map((command) => command.name);
  for (const [index, command] of commands.entries()) {
    const at = `/slash_commands/${index}`;
    for (const field of ['name', 'description', 'template'] as const) {
      if (command[field].trim() === '') {
        violations.push({
          requirement: 'SCH-04',
          pointer: `${at}/${field}`,
          message: `the slash command has no ${field}`,
        });
      }
    }
    if (command.name !== '' && names.indexOf(command.name) !== index) {
      violations.push({
        requirement: 'SCH-04',
        pointer: `${at}/name`,
        message: `the slash command ${JSON.stringify(command.name)} is declared twice`,
      });
    }
  }
  return violations;
}

/** CFG-01: attributes have unique names, sub-attributes only where they belong, defaults of their own type. */
export function checkAttributes(
  attributes: readonly ConfigAttribute[],
  pointer: string,
): Violation[] {
  const violations: Violation[] = [];
  const names = attributes.map((attribute) => attribute.name);
  for (const [index, attribute] of attributes.entries()) {
    const at = `${pointer}/${index}`;
    if (attribute.name.trim() === '') {
      violations.push(cfg01(`${at}/name`, 'the attribute has no name'));
    } else if (names.indexOf(attribute.name) !== index) {
      violations.push(
        cfg01(`${at}/name`, `the attribute ${JSON.stringify(attribute.name)} is declared twice`),
      );
    }
    if (attribute.type !== 'object' && attribute.attributes.length > 0) {
      violations.push(
        cfg01(`${at}/object_attributes`, `only an object has attributes, not a ${attribute.type}`),
      );
    }
    violations.push(...checkDefault(attribute, `${at}/default_json`));
    violations.push(...checkAttributes(attribute.attributes, `${at}/object_attributes`));
  }
  return violations;
}

function checkDefault(attribute: ConfigAttribute, pointer: string): Violation[] {
  if (attribute.default === undefined) return [];
  const json = checkJsonValue(attribute.default, 'CFG-01');
  if (!json.ok) return [cfg01(pointer, `the default is not JSON: ${json.violations[0]?.message}`)];
  if (fits(attribute, attribute.default)) return [];
  return [
    cfg01(pointer, `the default is ${describeValue(attribute.default)}, not a ${attribute.type}`),
  ];
}

function fits(attribute: ConfigAttribute, value: unknown): boolean {
  switch (attribute.type) {
    case 'string':
      return typeof value === 'string';
    case 'number':
      return typeof value === 'number';
    case 'bool':
      return typeof value === 'boolean';
    case 'list_string':
      return Array.isArray(value) && value.every((item) => typeof item === 'string');
    case 'list_number':
      return Array.isArray(value) && value.every((item) => typeof item === 'number');
    case 'map_string':
      return isRecord(value) && Object.values(value).every((item) => typeof item === 'string');
    case 'object':
      return isRecord(value);
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function cfg01(pointer: string, message: string): Violation {
  return { requirement: 'CFG-01', pointer, message };
}
