// The one error that crosses every boundary of the system (ERR-02).
import type { JsonObject } from '../domain/json.js';
import type { ToolErrorCategory } from './categories.js';

/** The plain data of a ToolError, as it is journaled and sent. */
export interface ToolErrorData {
  readonly category: ToolErrorCategory;
  /** Never empty. */
  readonly message: string;
  readonly retryable: boolean;
  readonly details?: JsonObject;
}

/** A classified failure of a tool call. `cause` keeps the original error where there was one. */
export class ToolError extends Error implements ToolErrorData {
  readonly category: ToolErrorCategory;
  readonly retryable: boolean;
  readonly details?: JsonObject;

  constructor(data: ToolErrorData, options?: { cause?: unknown }) {
    super(data.message === '' ? `${data.category} (no message was given)` : data.message, options);
    this.name = 'ToolError';
    this.category = data.category;
    this.retryable = data.retryable;
    if (data.details !== undefined) this.details = data.details;
  }

  /** The plain data, for the journal and the wire. */
  toData(): ToolErrorData {
    return {
      category: this.category,
      message: this.message,
      retryable: this.retryable,
      ...(this.details === undefined ? {} : { details: this.details }),
    };
  }
}
