// A structured log entry of a provider (kernel callback Log).
import type { JsonObject } from './json.js';

export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal';

export interface LogEntry {
  readonly level: LogLevel;
  readonly logger: string;
  readonly message: string;
  readonly fields: JsonObject;
  /** Milliseconds since the epoch; absent when the provider did not say. */
  readonly time?: number;
}
