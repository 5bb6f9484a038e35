// A result against the output schema of its operation (OUT-01): what does not conform never becomes a result
// (OUT-02). Its violations are kept, the payload is not.
import type { JsonObject, ToolErrorData, Violation } from '@tenon/protocol';
import type { CatalogEntry } from '../catalog/model.js';

export type CheckedOutput =
  | { readonly ok: true }
  | {
      readonly ok: false;
      readonly error: ToolErrorData;
      readonly violations: readonly Violation[];
    };

export function checkOutput(entry: CatalogEntry, payload: JsonObject): CheckedOutput {
  const violations = entry.validateOutput(payload);
  const [first] = violations;
  if (first === undefined) return { ok: true };
  const where = first.pointer === '' ? '' : ` at ${first.pointer}`;
  const more = violations.length > 1 ? ` (and ${violations.length - 1} more)` : '';
  return {
    ok: false,
    violations,
    error: {
      category: 'unknown',
      retryable: false,
      message:
        `Provider ${entry.provider.name} returned a result that does not fit the output schema of ` +
        `${entry.operation.name}${where}: ${first.message}${more}. The operation may have done its work.`,
      details: {
        requirement: 'OUT-02',
        violations: violations.map((violation) => ({ ...violation })),
      },
    },
  };
}
