// One call to an operation of the provider under test.
import { randomUUID } from 'node:crypto';
import type { CallContext, JsonObject, Operation } from '@tenon/protocol';
import type { Invocation } from '../probe/provider.js';
import type { Survey } from './model.js';

/** A call with ids of its own. */
export function invocation(
  operation: string,
  args: JsonObject,
  workingDirectory: string,
): Invocation {
  const context: CallContext = {
    sessionId: ulidLike(),
    turnId: ulidLike(),
    workingDirectory,
  };
  return { operation, arguments: args, context, id: ulidLike() };
}

// 26 characters of Crockford's base 32; nobody looks at the time in them.
function ulidLike(): string {
  const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
  const bytes = randomUUID().replaceAll('-', '');
  return `01K${Array.from(bytes)
    .slice(0, 23)
    .map((hex) => digits[Number.parseInt(hex, 16)] ?? '0')
    .join('')}`;
}

export function operationOf(survey: Survey, name: string): Operation | undefined {
  return survey.schema.operations.find((operation) => operation.name === name);
}
