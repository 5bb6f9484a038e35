// ToolError ↔ wire (ERR-02, ERR-11).
import type { Violation } from '../domain/event.js';
import type { ToolErrorData } from '../errors/tool-error.js';
import {
  type ToolError as WireToolError,
  ToolErrorCategory as WireCategory,
} from '../gen/pluggableharness/tool/v1/tool_pb.js';
import { checkJson } from '../json/check.js';
import { errorCategories } from './enums.js';
import { jsonToWire } from './json.js';
import type { Received } from './received.js';

export function toolErrorToWire(error: ToolErrorData): WireToolError {
  return {
    $typeName: 'pluggableharness.tool.v1.ToolError',
    category: errorCategories.toWire(error.category),
    message: error.message,
    retryable: error.retryable,
    details: error.details === undefined ? undefined : jsonToWire(error.details),
  };
}

/**
 * Reads an error as data that may come from anywhere, a kernel's journal as well as a provider:
 * `process_crashed` passes here and is refused in `toolEventFromWire`. Refused are an unspecified or unknown
 * category (ERR-11), an empty message (ERR-02), and details that are not JSON (ERR-02). `pointer` is where
 * the error stands in what is being read.
 */
export function toolErrorFromWire(wire: WireToolError, pointer = ''): Received<ToolErrorData> {
  const violations: Violation[] = [];
  const category = errorCategories.fromWire(wire.category);
  if (category === undefined) {
    violations.push({
      requirement: 'ERR-11',
      pointer: `${pointer}/category`,
      message:
        wire.category === WireCategory.UNSPECIFIED
          ? 'the category is unspecified; say which one it is, "unknown" if none fits'
          : `category number ${wire.category} is not one of the protocol's nine`,
    });
  }
  if (wire.message.trim() === '') {
    violations.push({
      requirement: 'ERR-02',
      pointer: `${pointer}/message`,
      message: 'the message is empty; say what happened, to what, and what to do',
    });
  }
  if (wire.details !== undefined) {
    const details = checkJson(wire.details, 'ERR-02');
    if (!details.ok) {
      for (const violation of details.violations) {
        violations.push({ ...violation, pointer: `${pointer}/details${violation.pointer}` });
      }
    }
  }
  if (category === undefined || violations.length > 0) return { ok: false, violations };
  return {
    ok: true,
    value: {
      category,
      message: wire.message,
      retryable: wire.retryable,
      ...(wire.details === undefined ? {} : { details: wire.details }),
    },
  };
}
