// How an author says what goes into the provider's configuration block (CFG-01..03), with the types that
// handlers then see. Reading an operator's block against it is in read-config.ts.
import {
  checkJsonValue,
  type ConfigAttribute,
  type ConfigAttributeType,
  type JsonObject,
  type JsonValue,
} from '@tenon/protocol';
import { DefinitionError, type DefinitionProblem } from '../errors/definition-error.js';

/** What every attribute may say of itself. `default` and `required: true` exclude each other. */
export interface AttributeOptions<T> {
  readonly description: string;
  /** A block without it is refused at once (CFG-01). Default: false. */
  readonly required?: boolean;
  /** Masked in everything that the provider sends or prints (CFG-02). Default: false. */
  readonly sensitive?: boolean;
  /** Taken when the block does not name the attribute. */
  readonly default?: T;
}

/** An attribute of a configuration block. `Value` is what a handler sees. */
export interface Attribute<Value> {
  readonly wire: Omit<ConfigAttribute, 'name'>;
  /** Never there; carries the type. */
  readonly value?: Value;
}

/** The value is certain when it is required or has a default. */
type Seen<T, O> = O extends { readonly required: true }
  ? T
  : O extends { readonly default: infer D }
    ? undefined extends D
      ? T | undefined
      : T
    : T | undefined;

function attribute<T, const O extends AttributeOptions<T>>(
  type: ConfigAttributeType,
  options: O,
  attributes: readonly ConfigAttribute[] = [],
): Attribute<Seen<T, O>> {
  return {
    wire: {
      type,
      description: options.description,
      required: options.required ?? false,
      sensitive: options.sensitive ?? false,
      attributes,
      ...(options.default === undefined ? {} : { default: options.default as JsonValue }),
    },
  };
}

type ListOf<T> = readonly T[];
type StringMap = Readonly<Record<string, string>>;

/** Builders of attributes, one per type of the protocol. */
export const attr = {
  string: <const O extends AttributeOptions<string>>(options: O) =>
    attribute<string, O>('string', options),
  number: <const O extends AttributeOptions<number>>(options: O) =>
    attribute<number, O>('number', options),
  bool: <const O extends AttributeOptions<boolean>>(options: O) =>
    attribute<boolean, O>('bool', options),
  listString: <const O extends AttributeOptions<ListOf<string>>>(options: O) =>
    attribute<ListOf<string>, O>('list_string', options),
  listNumber: <const O extends AttributeOptions<ListOf<number>>>(options: O) =>
    attribute<ListOf<number>, O>('list_number', options),
  mapString: <const O extends AttributeOptions<StringMap>>(options: O) =>
    attribute<StringMap, O>('map_string', options),
  /** A nested block; its own attributes have their own requirements and defaults. */
  object: <
    A extends Attributes,
    const O extends Omit<AttributeOptions<JsonValue>, 'default'> & { readonly default?: undefined },
  >(
    options: O & { readonly attributes: A },
  ): Attribute<Seen<ConfigValues<A>, O>> =>
    attribute<JsonValue, O>('object', options, namedAttributes(options.attributes)) as Attribute<
      Seen<ConfigValues<A>, O>
    >,
} as const;

/** Attributes by name. */
export type Attributes = Readonly<Record<string, Attribute<unknown>>>;

/** What a handler sees of attributes. */
export type ConfigValues<A extends Attributes> = {
  readonly [K in keyof A]: A[K] extends Attribute<infer V> ? V : never;
};

/** The configuration of a provider: what GetSchema announces, and the type of `config` in handlers. */
export interface ConfigSchema<Values> {
  readonly attributes: readonly ConfigAttribute[];
  /** Never there; carries the type. */
  readonly values?: Values;
}

/** The type of `config` that a schema gives. */
export type ConfigOf<C> = C extends ConfigSchema<infer V> ? V : Record<string, never>;

/**
 * Declares the configuration block of a provider. Throws DefinitionError for an attribute without a
 * description, with a default of another type, or with a default although it is required.
 */
export function configSchema<A extends Attributes>(attributes: A): ConfigSchema<ConfigValues<A>> {
  const named = namedAttributes(attributes);
  const problems = named.flatMap((one) => attributeProblems(one, ''));
  if (problems.length > 0) throw new DefinitionError('the config schema', problems);
  return { attributes: named };
}

function namedAttributes(attributes: Attributes): ConfigAttribute[] {
  return Object.entries(attributes).map(([name, { wire }]) => ({ name, ...wire }));
}

function attributeProblems(declared: ConfigAttribute, above: string): DefinitionProblem[] {
  const pointer = `${above}/${declared.name}`;
  const problems: DefinitionProblem[] = [];
  const say = (message: string) => problems.push({ pointer, message });
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(declared.name)) {
    say(`"${declared.name}" is no attribute name: use letters, digits and "_"`);
  }
  if (declared.description.trim() === '')
    say('has no description; say what the operator sets here');
  if (declared.default !== undefined) {
    if (declared.required) say('is required and has a default; drop one of the two');
    if (!checkJsonValue(declared.default).ok || !hasType(declared.type, declared.default)) {
      say(`has a default that is not of its type, ${declared.type}`);
    }
  }
  return [
    ...problems,
    ...declared.attributes.flatMap((inner) => attributeProblems(inner, pointer)),
  ];
}

/** Whether a value has the type of an attribute; of an object only that it is one. */
export function hasType(type: ConfigAttributeType, value: JsonValue): boolean {
  switch (type) {
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
      return (
        isObject(value) &&
        Object.values(value as JsonObject).every((item) => typeof item === 'string')
      );
    case 'object':
      return isObject(value);
  }
}

function isObject(value: JsonValue): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
