// The schema subset of the protocol (SCH-01): five types, nothing else.

interface SchemaBase {
  readonly description?: string;
}

/** An object with declared properties; keys that are not declared are refused. */
export interface ObjectSchema extends SchemaBase {
  readonly type: 'object';
  /** Own keys only; may hold any name, also `__proto__` and `toString`. */
  readonly properties: Readonly<Record<string, Schema>>;
  readonly required: readonly string[];
}
export interface StringSchema extends SchemaBase {
  readonly type: 'string';
  /** The values allowed; absent means any string. */
  readonly enum?: readonly string[];
}
export interface NumberSchema extends SchemaBase {
  readonly type: 'number';
}
export interface BooleanSchema extends SchemaBase {
  readonly type: 'boolean';
}
export interface ArraySchema extends SchemaBase {
  readonly type: 'array';
  readonly items: Schema;
}

export type Schema = ObjectSchema | StringSchema | NumberSchema | BooleanSchema | ArraySchema;
