// Which locks a call takes (CON-01..07), and the keys derived from its arguments (OPEN-02).
//
// The literal rule stands as the protocol says: `safe: false` is alone in the provider, `safe: true` with
// key_fields is alone per (operation, values). Derived keys come on top, so that they can only ever add
// serialization: a kernel that does not know them keeps the literal rule.
import type { DerivedKey, JsonObject, JsonValue, Operation } from '@tenon/protocol';
import type { LockKey, LockMode } from './lock-table.js';
import { type PathFacts, pathIdentities, systemPaths } from './path-key.js';

/** The mode of an operation's calls. */
export function lockMode(operation: Operation): LockMode {
  // CON-03: an interactive operation declares nothing; the turn runs those one at a time.
  if (operation.kind === 'interactive') return 'shared';
  // CON-02: absent counts as not safe.
  return operation.concurrency?.safe === true ? 'shared' : 'exclusive';
}

/** The keys of a call, without repetition. Rejects never: a path that cannot be looked at is taken as written. */
export async function lockKeys(
  operation: Operation,
  args: JsonObject,
  workingDirectory: string,
  paths: PathFacts = systemPaths,
): Promise<readonly LockKey[]> {
  if (lockMode(operation) === 'exclusive') return [];
  const keys = new Set<string>();
  const literal = literalKey(operation, args);
  if (literal !== undefined) keys.add(literal);
  for (const derived of operation.derivedKeys) {
    for (const value of valuesAt(args, derived.field.split('/'))) {
      for (const key of await derive(derived, value, workingDirectory, paths)) keys.add(key);
    }
  }
  return [...keys] as LockKey[];
}

/** CON-05: one key from the values of all key fields together. A field that is absent is its own value. */
function literalKey(operation: Operation, args: JsonObject): string | undefined {
  const fields = operation.concurrency?.keyFields ?? [];
  if (fields.length === 0) return undefined;
  const values = fields.map((field) =>
    Object.hasOwn(args, field) ? [canonical(args[field] ?? null)] : [],
  );
  return `call ${JSON.stringify(operation.name)} ${JSON.stringify(values)}`;
}

async function derive(
  key: DerivedKey,
  value: JsonValue,
  workingDirectory: string,
  paths: PathFacts,
): Promise<readonly string[]> {
  const space = JSON.stringify(key.keySpace);
  if (key.derivation === 'literal' || typeof value !== 'string') {
    return [`value ${space} ${canonical(value)}`];
  }
  const identities = await pathIdentities(value, workingDirectory, paths);
  return identities.map(({ type, text }) => `${type} ${space} ${text}`);
}

/** Every value at a place; "*" goes through all items of an array. */
function valuesAt(value: JsonValue, tokens: readonly string[]): readonly JsonValue[] {
  const [token, ...rest] = tokens;
  if (token === undefined) return value === null ? [] : [value];
  if (Array.isArray(value)) {
    return token === '*' ? (value as JsonValue[]).flatMap((item) => valuesAt(item, rest)) : [];
  }
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, token)) return [];
  return valuesAt((value as JsonObject)[token] ?? null, rest);
}

/** JSON text that is the same for equal values, whatever the order of their keys. */
function canonical(value: JsonValue): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${(value as JsonValue[]).map(canonical).join(',')}]`;
  const object = value as JsonObject;
  const members = Object.keys(object)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonical(object[key] ?? null)}`);
  return `{${members.join(',')}}`;
}
