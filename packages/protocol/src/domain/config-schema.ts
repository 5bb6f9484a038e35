// What a provider wants in its configuration block (CFG-01..03).
import type { JsonValue } from './json.js';

export type ConfigAttributeType =
  | 'string'
  | 'number'
  | 'bool'
  | 'list_string'
  | 'list_number'
  | 'map_string'
  | 'object';

export interface ConfigAttribute {
  readonly name: string;
  readonly type: ConfigAttributeType;
  readonly required: boolean;
  /** Redacted everywhere (CFG-02). */
  readonly sensitive: boolean;
  readonly description: string;
  /** For type 'object' alone. */
  readonly attributes: readonly ConfigAttribute[];
  readonly default?: JsonValue;
}
