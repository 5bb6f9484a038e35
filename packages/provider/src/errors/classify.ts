// Turns whatever an author's code threw into the data of a ToolError that a provider may send (ERR-01, ERR-11,
// ERR-12). Pure: it neither logs nor throws.
import {
  CATEGORIES,
  checkJson,
  type JsonObject,
  type JsonValue,
  ToolError,
  type ToolErrorData,
} from '@tenon/protocol';
import { nodeErrorClass } from './node-errors.js';

const MAX_CAUSES = 5;
const MAX_TEXT = 16_384;

/**
 * @param aborted whether the call had been cancelled when the error was thrown: then it is `cancelled`,
 * whatever the error is, with the error in the details (ERR-09, CAN-04).
 */
export function classify(thrown: unknown, aborted: boolean): ToolErrorData {
  const data = classifyThrown(thrown);
  if (!aborted || data.category === 'cancelled') return data;
  return {
    category: 'cancelled',
    message: 'the call was cancelled',
    retryable: false,
    ...(isAbort(thrown)
      ? {}
      : { details: { ended_with: { category: data.category, message: data.message } } }),
  };
}

function classifyThrown(thrown: unknown): ToolErrorData {
  if (thrown instanceof ToolError) return ownError(thrown);
  for (const error of chain(thrown)) {
    const known = knownError(error);
    if (known === undefined) continue;
    return {
      ...known,
      message: text(messageOf(thrown)),
      details: { error: raw(thrown, 0, false) },
    };
  }
  return {
    category: 'unknown',
    message: text(messageOf(thrown)),
    retryable: CATEGORIES.unknown.defaultRetryable,
    details: { error: raw(thrown, 0, true) },
  };
}

/** A `fail.…` of the author. What a provider may not say, or JSON cannot carry, is put right here. */
function ownError(error: ToolError): ToolErrorData {
  const data = error.toData();
  const details = data.details === undefined ? undefined : jsonOf(data.details);
  if (data.category === 'process_crashed' || !Object.hasOwn(CATEGORIES, data.category)) {
    // ERR-11: only the kernel can tell that a process is gone.
    return {
      category: 'unknown',
      message: data.message,
      retryable: false,
      details: { refused_category: data.category, ...details },
    };
  }
  return {
    category: data.category,
    message: text(data.message),
    retryable: data.retryable,
    ...(details === undefined ? {} : { details }),
  };
}

function knownError(error: unknown): Pick<ToolErrorData, 'category' | 'retryable'> | undefined {
  if (!(error instanceof Error)) return undefined;
  // AbortSignal.timeout() of the author's own.
  if (error.name === 'TimeoutError') return { category: 'timeout', retryable: true };
  const code: unknown = (error as NodeJS.ErrnoException).code;
  return typeof code === 'string' ? nodeErrorClass(code) : undefined;
}

function isAbort(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.name === 'AbortError';
}

/** The error, its causes, and the first of an aggregate: fetch and net wrap what really happened. */
function chain(thrown: unknown): unknown[] {
  const found: unknown[] = [];
  let error = thrown;
  while (error !== undefined && found.length < MAX_CAUSES && !found.includes(error)) {
    found.push(error);
    if (error instanceof AggregateError && error.errors.length > 0) error = error.errors[0];
    else error = error instanceof Error ? error.cause : undefined;
  }
  return found;
}

function messageOf(thrown: unknown): string {
  if (thrown instanceof Error) return thrown.message || thrown.name;
  if (typeof thrown === 'string' && thrown !== '') return thrown;
  return `the provider threw ${describeThrown(thrown)}`;
}

function describeThrown(thrown: unknown): string {
  if (thrown === null || thrown === undefined) return String(thrown);
  return typeof thrown === 'object' ? 'an object that is no Error' : `a ${typeof thrown}`;
}

/** The raw error as JSON. A stack helps where nobody foresaw the error, and only there. */
function raw(thrown: unknown, depth: number, withStack: boolean): JsonObject {
  if (!(thrown instanceof Error)) return { value: jsonValueOf(thrown) };
  const facts: Record<string, JsonValue> = {
    name: text(thrown.name),
    message: text(thrown.message),
  };
  for (const key of ['code', 'errno', 'syscall', 'path', 'dest', 'address', 'port'] as const) {
    const value: unknown = (thrown as unknown as Record<string, unknown>)[key];
    if (typeof value === 'string') facts[key] = text(value);
    else if (typeof value === 'number' && Number.isFinite(value)) facts[key] = value;
  }
  if (withStack && typeof thrown.stack === 'string') facts['stack'] = text(thrown.stack);
  if (thrown.cause !== undefined && depth < MAX_CAUSES) {
    facts['cause'] = raw(thrown.cause, depth + 1, withStack);
  }
  return facts;
}

function jsonOf(details: JsonObject): JsonObject {
  if (checkJson(details).ok) return details;
  const value = jsonValueOf(details);
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : { value };
}

/** A value as JSON, losing what JSON cannot carry; its text when it cannot be turned into JSON at all. */
function jsonValueOf(value: unknown): JsonValue {
  try {
    const json = JSON.stringify(value, (_key, inner: unknown) =>
      typeof inner === 'bigint'
        ? String(inner)
        : typeof inner === 'string'
          ? wellFormed(inner)
          : inner,
    );
    if (json !== undefined && json.length <= 4 * MAX_TEXT) {
      const parsed = JSON.parse(json) as JsonValue;
      if (checkJson({ parsed }).ok) return parsed;
    }
  } catch {
    // Cyclic, or its toJSON threw: its text has to do.
  }
  try {
    return text(String(value));
  } catch {
    // An object without any way to become a string.
    return 'a value that cannot be shown';
  }
}

function text(value: string): string {
  const whole = wellFormed(value);
  return whole.length > MAX_TEXT ? `${wellFormed(whole.slice(0, MAX_TEXT))}… (cut)` : whole;
}

/** Lone surrogates cannot be sent as UTF-8. */
function wellFormed(value: string): string {
  return (value as string & { toWellFormed(): string }).toWellFormed();
}
